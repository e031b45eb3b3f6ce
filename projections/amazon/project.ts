import type { Location, Profile, Subject, Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { profileOf } from '../shared/profile.ts'
import { cachedPart, constant, documents, list, object, plain, streamedList, text } from '../shared/template/index.ts'
import { currentOf } from './back.ts'
import { type AmazonRow, rowFor } from './codes.ts'
import { detailOf } from './details.ts'
import { type AmazonDocument, type AmazonEvent, type AmazonSummary, noPromise } from './schema.ts'
import type { DetailCode, EventCode, ShipmentType, Status } from './vocabulary.ts'

/** An event with what Amazon makes of it where it stands. */
interface Step {
  readonly event: TimelineEvent
  readonly row: AmazonRow
  readonly eventCode: EventCode | undefined
  readonly leg: ShipmentType
}

/** A step that the history shows. */
interface Shown extends Step {
  readonly eventCode: EventCode
}

/** All that a document is filled with. */
interface DocumentInput {
  readonly timeline: Timeline
  readonly shown: readonly Shown[]
  /** What became of the package, and of which leg what is told in detail. */
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

/** A timeline as Amazon answers `GET /shipping/v2/tracking` (Shipping API v2, getTracking). */
export const { project, write, pieces } = documents(
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

/** A number that names the parcel itself; the ids of an order and of a package in a shop are none. */
function numberOf({ external_tracking_number, tracking_number, gs1_sscc, piece_id }: Subject): string {
  return external_tracking_number ?? tracking_number ?? gs1_sscc ?? piece_id ?? ''
}

function documentInput(timeline: Timeline, target: Target): DocumentInput {
  const steps = stepsOf(timeline, profileOf(timeline, target))
  const shown = steps.filter((step): step is Shown => step.eventCode !== undefined)
  const { at, status } = currentOf(shown)
  const step = shown[at]
  const implied = impliedStatus(timeline, steps, step, status)
  const detail = step === undefined || implied !== undefined ? undefined : detailOf(step.eventCode, step.event)
  return {
    timeline,
    shown,
    status: implied ?? status,
    leg: step?.leg ?? 'FORWARD',
    details: detail === undefined ? [] : [detail],
  }
}

function stepsOf({ events }: Timeline, profile: Profile): readonly Step[] {
  let leg: ShipmentType = 'FORWARD'
  let isWithCarrier = false
  return events.map((event) => {
    const row = rowFor(profile, event.status_code)
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

/** Where it happened, where anything of its address is told. */
function placeOf({ location }: TimelineEvent): Location | undefined {
  if (location?.address === undefined) return undefined
  const { region, locality, country, postal_code } = location.address
  return region || locality || country || postal_code ? location : undefined
}

/** What was estimated first was promised; later estimates keep or break the promise. */
function promiseOf(events: readonly TimelineEvent[]): string {
  return events.find(({ estimated_delivery_at }) => estimated_delivery_at)?.estimated_delivery_at ?? noPromise
}

/**
 * The status that the history does not say, where the event of the current status is left out of it: that the parcel
 * moves, or no longer is out for delivery. Without any history it is that of this event.
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
