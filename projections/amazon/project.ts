import {
  type Location,
  mapInSteps,
  type Profile,
  type Subject,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { profileOf } from '../shared/profile.ts'
import {
  cachedPart,
  constant,
  documentsInSteps,
  list,
  object,
  plain,
  streamedList,
  text,
} from '../shared/template/index.ts'
import { currentOf } from './back.ts'
import { type AmazonRow, rowFor } from './codes.ts'
import { detailOf } from './details.ts'
import { type AmazonDocument, type AmazonEvent, type AmazonSummary, noPromise } from './schema.ts'
import type { DetailCode, EventCode, ShipmentType, Status } from './vocabulary.ts'

/** An event with its mapping, which can depend on earlier events. */
interface Step {
  readonly event: TimelineEvent
  readonly row: AmazonRow
  readonly eventCode: EventCode | undefined
  readonly leg: ShipmentType
}

/** An event of the history. */
interface Shown extends Step {
  readonly eventCode: EventCode
}

/** The input of a document. */
interface DocumentInput {
  readonly timeline: Timeline
  readonly shown: readonly Shown[]
  /** The status of the package, and the details of each leg. */
  readonly status: Status | undefined
  readonly leg: ShipmentType
  readonly details: readonly DetailCode[]
}

type Place = NonNullable<AmazonEvent['location']>
type Result = AmazonDocument['payload']

const place = object<Location, Place>({
  stateOrRegion: text(({ address }) => address?.region || undefined),
  city: text(({ address }) => address?.locality || undefined),
  countryCode: text(({ address }) => address?.country || undefined),
  postalCode: text(({ address }) => address?.postal_code || undefined),
})

const shownEvent = object<Shown, AmazonEvent>({
  eventCode: plain(({ eventCode }) => eventCode),
  location: cachedPart(({ event }) => placeOf(event), place, places),
  eventTime: text(({ event }) => event.occurred_at),
  shipmentType: plain(({ leg }) => leg),
})

const detail = plain((code: DetailCode) => code)

const summary = object<DocumentInput, AmazonSummary>({
  status: plain(({ status }) => status),
  trackingDetailCodes: object<DocumentInput, AmazonSummary['trackingDetailCodes']>({
    forward: list(({ leg, details }) => (leg === 'FORWARD' ? details : []), detail),
    returns: list(({ leg, details }) => (leg === 'RETURNS' ? details : []), detail),
  }),
})

/** A timeline as Amazon's response to `GET /shipping/v2/tracking` (Shipping API v2, getTracking). */
export const { project, steps, write, pieces } = documentsInSteps(
  documentInput,
  object<DocumentInput, AmazonDocument>({
    payload: object<DocumentInput, Result>({
      trackingId: text(({ timeline }) => numberOf(timeline.subject)),
      alternateLegTrackingId: constant(''),
      eventHistory: streamedList(({ shown }) => shown, shownEvent),
      promisedDeliveryDate: text(({ timeline }) => promiseOf(timeline.events)),
      summary,
    }),
  }),
)

/** An identifier of the parcel itself; the ids of an order and of a package in a shop are not. */
function numberOf({ external_tracking_number, tracking_number, gs1_sscc, piece_id }: Subject): string {
  return external_tracking_number ?? tracking_number ?? gs1_sscc ?? piece_id ?? ''
}

function* documentInput(timeline: Timeline, target: Target): Generator<void, DocumentInput> {
  const steps = yield* stepsOf(timeline, profileOf(timeline, target))
  const shown = steps.filter((step): step is Shown => step.eventCode !== undefined)
  const { at, status } = currentOf(shown)
  const step = shown[at]
  const implied = impliedStatus(timeline, steps, step, status)
  const detail = step === undefined || implied !== undefined ? undefined : detailOf(explainedBy(step), step.event)
  return {
    timeline,
    shown,
    status: implied ?? status,
    leg: step?.leg ?? 'FORWARD',
    details: detail === undefined ? [] : [detail],
  }
}

/** What the details of a step are those of: at its sender, a parcel has the reasons for which it went back. */
function explainedBy({ eventCode, leg }: Shown): Shown['eventCode'] {
  return eventCode === 'Delivered' && leg === 'RETURNS' ? 'ReturnInitiated' : eventCode
}

function* stepsOf({ events }: Timeline, profile: Profile): Generator<void, readonly Step[]> {
  let leg: ShipmentType = 'FORWARD'
  let isWithCarrier = false
  return yield* mapInSteps(events, (event) => {
    const row = rowFor(profile, event.status_code)
    leg = row.leg ?? leg
    const eventCode = meant(row, event, isWithCarrier)
    isWithCarrier ||= row.status !== undefined && row.status !== 'PreTransit' && row.status !== 'PickupCancelled'
    return { event, row, leg, eventCode }
  })
}

/** The meaning of some codes depends on earlier events, on who caused them, and on whether they were observed. */
function meant({ eventCode, fidelity, status }: AmazonRow, event: TimelineEvent, isWithCarrier: boolean) {
  if (eventCode === 'PickupCancelled' && isWithCarrier) return 'Undeliverable'
  if (eventCode === 'RecipientRequestedAlternateDeliveryTiming')
    return isWishOfRecipient(event.incident_reason) ? eventCode : undefined
  // If only the status was reported, it is not known that the parcel is ready; the summary gives the status.
  return event.synthesized && fidelity === '~' && status === 'PreTransit' ? undefined : eventCode
}

function isWishOfRecipient(reason: string | undefined): boolean {
  return reason !== undefined && /^(recipient|consignee|customer)_request(ed)?$/i.test(reason)
}

/** The place, if any part of its address is known. */
function placeOf({ location }: TimelineEvent): Location | undefined {
  if (location?.address === undefined) return undefined
  const { region, locality, country, postal_code } = location.address
  return region || locality || country || postal_code ? location : undefined
}

/** The first estimate is the promise; later estimates show whether it is kept. */
function promiseOf(events: readonly TimelineEvent[]): string {
  return events.find(({ estimated_delivery_at }) => estimated_delivery_at)?.estimated_delivery_at ?? noPromise
}

/**
 * The status that the history does not show because the event of the current status is left out: the parcel is in
 * transit, or no longer out for delivery. If the history is empty, it is the status of that event.
 */
function impliedStatus(
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
