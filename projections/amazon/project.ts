import type { Address, Subject, Timeline, TimelineEvent } from '../../engine/index.ts'
import { rowOf } from '../shared/codes.ts'
import { currentOf } from './back.ts'
import { type AmazonRow, codes } from './codes.ts'
import { detailOf } from './details.ts'
import { type AmazonDocument, type AmazonEvent, type AmazonSummary, noPromise } from './schema.ts'
import type { EventCode, ShipmentType, Status } from './vocabulary.ts'

/** A timeline as Amazon answers `GET /shipping/v2/tracking` (Shipping API v2, getTracking). */
export function project(timeline: Timeline): AmazonDocument {
  const steps = stepsOf(timeline)
  return {
    payload: {
      trackingId: numberOf(timeline.subject),
      alternateLegTrackingId: '',
      eventHistory: steps.flatMap(({ eventCode, event, leg }) =>
        eventCode === undefined ? [] : [eventOf(eventCode, event, leg)],
      ),
      promisedDeliveryDate: promiseOf(timeline.events),
      summary: summaryOf(timeline, steps),
    },
  }
}

/** A number that names the parcel itself; the ids of an order and of a package in a shop are none. */
function numberOf({ external_tracking_number, tracking_number, gs1_sscc, piece_id }: Subject): string {
  return external_tracking_number ?? tracking_number ?? gs1_sscc ?? piece_id ?? ''
}

/** An event with what Amazon makes of it where it stands. */
interface Step {
  readonly event: TimelineEvent
  readonly row: AmazonRow
  readonly eventCode: EventCode | undefined
  readonly leg: ShipmentType
}

function stepsOf({ profile, events }: Timeline): readonly Step[] {
  let leg: ShipmentType = 'FORWARD'
  let isWithCarrier = false
  return events.map((event) => {
    const row = rowOf(codes, profile, event.status_code)
    leg = row.leg ?? leg
    const eventCode = meant(row, event, isWithCarrier)
    isWithCarrier ||= row.status !== undefined && row.status !== 'PreTransit' && row.status !== 'PickupCancelled'
    return { event, row, leg, eventCode }
  })
}

/** What some codes mean depends on what went before, on who wanted it, and on whether anybody saw it. */
function meant({ eventCode, fidelity, status }: AmazonRow, event: TimelineEvent, isWithCarrier: boolean) {
  if (eventCode === 'PickupCancelled' && isWithCarrier) return 'Undeliverable'
  if (eventCode === 'RecipientRequestedAlternateDeliveryTiming')
    return isWishOfRecipient(event.incident_reason) ? eventCode : undefined
  // Where only a status is known, that the parcel stands ready is not: the summary tells what is.
  return event.synthesized && fidelity === '~' && status === 'PreTransit' ? undefined : eventCode
}

function isWishOfRecipient(reason: string | undefined): boolean {
  return reason !== undefined && /^(recipient|consignee|customer)_request(ed)?$/i.test(reason)
}

function eventOf(eventCode: EventCode, { occurred_at, location }: TimelineEvent, leg: ShipmentType): AmazonEvent {
  const place = locationOf(location?.address)
  return place === undefined
    ? { eventCode, eventTime: occurred_at, shipmentType: leg }
    : { eventCode, location: place, eventTime: occurred_at, shipmentType: leg }
}

function locationOf(address: Address | undefined): AmazonEvent['location'] {
  if (address === undefined) return undefined
  const { region, locality, country, postal_code } = address
  if (!region && !locality && !country && !postal_code) return undefined
  return {
    ...(region && { stateOrRegion: region }),
    ...(locality && { city: locality }),
    ...(country && { countryCode: country }),
    ...(postal_code && { postalCode: postal_code }),
  }
}

/** What was estimated first was promised; later estimates keep or break the promise. */
function promiseOf(events: readonly TimelineEvent[]): string {
  return events.find(({ estimated_delivery_at }) => estimated_delivery_at)?.estimated_delivery_at ?? noPromise
}

function summaryOf(timeline: Timeline, steps: readonly Step[]): AmazonSummary {
  const told = steps.filter((step): step is Step & { readonly eventCode: EventCode } => step.eventCode !== undefined)
  const { at, status } = currentOf(told)
  const step = told[at]
  const unsaid = unsaidStatus(timeline, steps, step, status)
  const detail = step === undefined || unsaid !== undefined ? undefined : detailOf(step.eventCode, step.event)
  const details = detail === undefined ? [] : [detail]
  const shown = unsaid ?? status
  return {
    ...(shown !== undefined && { status: shown }),
    trackingDetailCodes:
      step?.leg === 'RETURNS' ? { forward: [], returns: details } : { forward: details, returns: [] },
  }
}

/**
 * The status that the history does not say, where the event of the current status is left out of it: that the parcel
 * moves, or no longer is out for delivery. Without any history it is that of this event.
 */
function unsaidStatus(
  { current_status }: Timeline,
  steps: readonly Step[],
  step: Step | undefined,
  status: Status | undefined,
): Status | undefined {
  const current = steps.at(-1)
  if (current === undefined || current.eventCode !== undefined || current.event.status_code !== current_status)
    return undefined
  if (status === undefined || step === undefined) return current.row.status
  const since = steps.slice(steps.indexOf(step) + 1).map(({ row }) => row)
  const moves = since.some((row) => row.status === 'InTransit' || (row.stops && status === 'OutForDelivery'))
  return moves && status !== 'InTransit' ? 'InTransit' : undefined
}
