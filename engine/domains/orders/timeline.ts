import type { NewEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { ProofOfDelivery, Subject, TimelineEvent } from '../../kernel/timeline.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import type { Circumstances, OrderType } from './schema.ts'

/** The progress of a parcel by the events of its order so far. */
export interface ParcelProgress {
  readonly type: OrderType
  /** It is with a driver, at a warehouse after an attempt, or with a carrier: a later pick-up takes it over from nobody. */
  readonly isPickedUp: boolean
  /** No later event counts. */
  readonly isOver: boolean
}

/**
 * The tracking event of an event of an order, in the protocol's words. Its personal members are those of the protocol.
 */
export type Tracked = Pick<TimelineEvent, 'status_code' | 'source' | 'incident_reason' | 'location' | 'pod'>

/**
 * The names of the parcel of an order, by which its timeline is found by anybody: not its id, which can be guessed by counting.
 */
export function parcelOf({ data: { tracking_number, external_tracking_number } }: OrderCreated): Subject {
  return { tracking_number, ...(external_tracking_number === undefined ? {} : { external_tracking_number }) }
}

/** The id that an event of an order has in the timeline of its parcel. */
export function timelineEventId({ id }: Pick<NewEvent, 'id'>): string {
  return deriveId('order-timelines', id)
}

/** The progress of a parcel after these events of its order; undefined before the order was created. */
export function progressOf(facts: readonly OrderEvent[]): ParcelProgress | undefined {
  return facts.reduce<ParcelProgress | undefined>(progressAfter, undefined)
}

/** How far a parcel has come by one more fact of its order. */
export function progressAfter(progress: ParcelProgress | undefined, fact: OrderEvent): ParcelProgress | undefined {
  if (fact.type === 'OrderCreated') return { type: fact.data.type, isPickedUp: false, isOver: false }
  if (progress === undefined) return undefined
  switch (fact.type) {
    case 'OrderPickedUp':
    case 'OrderHandedToCarrier':
      return { ...progress, isPickedUp: true }
    case 'OrderTakenBack':
      return { ...progress, isPickedUp: false }
    case 'OrderCompleted':
    case 'OrderDeliveredByCarrier':
    case 'OrderReturned':
    case 'OrderCancelled':
      return { ...progress, isOver: true }
    default:
      return progress
  }
}

/** The tracking event of an event of an order (OTEP 0.1, parcel profile); undefined if it concerns the order alone. */
export function trackedBy(event: OrderEvent, progress: ParcelProgress | undefined): Tracked | undefined {
  if (event.type === 'OrderCreated') return own('information_submitted')
  // What the carrier has reported is in the timeline already.
  if (progress === undefined || progress.isOver || isReported(event)) return undefined
  return trackedWhile(event, progress)
}

function isReported({ data }: OrderEvent): boolean {
  return 'reported' in data && data.reported !== undefined
}

/** Types of events that concern the order alone. The parcel need not be read for them. */
const typesWithoutTracking = [
  // Decisions of the business before anything moves are not events of the parcel.
  ...(['OrderHeld', 'OrderReleased', 'OrderAssigned', 'OrderUnassigned', 'OrderRejected', 'OrderPlanned'] as const),
  ...(['ContractorAssigned', 'ContractorRevoked', 'ContractorReleased'] as const),
  ...(['OrderPooled', 'OrderOfferRefused', 'OrderUnpooled'] as const),
  // Nor is what concerns the record, its price or its words.
  ...([
    'OrderCancelRefused',
    'OrderReportedOn',
    'OrderContradicted',
    'OrderContradictionEnded',
    'OrderCorrected',
    'DeliveryInstructionChanged',
    'OrderNoteChanged',
  ] as const),
  ...(['OrderPriceChanged', 'OrderPaid', 'OrderSettledOffline', 'OrderRefunded'] as const),
  ...(['ProofFileAdded', 'ProofFileReplaced', 'ProofFileRestored', 'ProofFileRemoved'] as const),
  ...(['OrderDeleted', 'OrderPersonalDataErased'] as const),
]

type EventWithoutTracking = Extract<OrderEvent, { readonly type: (typeof typesWithoutTracking)[number] }>

/** Whether an event never has a tracking event. */
export function isWithoutTracking(event: OrderEvent): event is EventWithoutTracking {
  return (typesWithoutTracking as readonly string[]).includes(event.type)
}

function trackedWhile(event: Exclude<OrderEvent, OrderCreated>, progress: ParcelProgress): Tracked | undefined {
  if (isWithoutTracking(event)) return undefined
  const unlessPickedUp = (code: string) => (progress.isPickedUp ? undefined : own(code))
  switch (event.type) {
    case 'OrderAccepted':
      // A second driver who accepts after a failed delivery is not a new booking.
      return unlessPickedUp('booking_confirmed')
    case 'OrderReady':
      return unlessPickedUp('awaiting_pickup')
    case 'OrderPickupStarted':
      return unlessPickedUp('out_for_pickup')
    case 'OrderPickedUp':
      // At a second attempt the driver fetches it from the business, which has had it all the time: it moves on, and is not
      // taken over again. After a failed delivery `in_transit` is planned, and `picked_up` is not.
      return progress.isPickedUp
        ? own('in_transit', event.data.personal)
        : { ...own('picked_up', event.data.personal), ...proofOf(event.data) }
    case 'OrderOnTheWay':
      return own('out_for_delivery', event.data.personal)
    case 'OrderCompleted':
      return { ...own('delivered', event.data.personal), ...proofOf(event.data) }
    case 'OrderFailed':
      return failed(event.data, progress)
    case 'OrderReturned':
      return own('return_to_sender', event.data.personal)
    case 'OrderCancelled':
      return own('cancelled')
    case 'OrderHandedToCarrier':
      return carriers('in_transit', event.data.personal)
    case 'OrderTakenBack':
      // It is with the business again, and waits for a driver: after this word it may be picked up again.
      return carriers('removed_from_route', event.data.personal)
    case 'OrderDeliveredByCarrier':
      return { ...carriers('delivered', event.data.personal), ...proofOf(event.data) }
    case 'OrderTakenOffRoute':
      return own('removed_from_route')
    case 'OrderScheduleChanged':
      return event.data.from.schedule_date === event.data.to.schedule_date ? undefined : rescheduled(progress)
    default: {
      // An event of a later version has no tracking event here.
      void (event satisfies never)
      return undefined
    }
  }
}

type Failure = Extract<OrderEvent, { readonly type: 'OrderFailed' }>['data']

/**
 * A failure before the pickup is a failed pickup. After the pickup, only a delivery can fail. A refusal, too, may be tried
 * again: `rejected_by_recipient` would end the parcel.
 */
function failed(failure: Failure, progress: ParcelProgress): Tracked {
  const incident_reason = failure.reason
  const isPickup = failure.stage === 'pickup' && !progress.isPickedUp
  return { ...own(isPickup ? 'pickup_failed' : 'delivery_failed', failure.personal), incident_reason }
}

/** The day of an order of delivery is that of its delivery; that of others is the pick-up's until it was picked up. */
function rescheduled({ type, isPickedUp }: ParcelProgress): Tracked {
  return own(type === 'D' || isPickedUp ? 'delivery_rescheduled' : 'pickup_rescheduled')
}

function own(status_code: string, personal?: Circumstances): Tracked {
  return { status_code, source: { type: 'self_delivery' }, ...placeOf(personal) }
}

/**
 * A tracking event of another carrier. Its name is left out, because customers must not learn who carries (document 3).
 */
function carriers(status_code: string, personal?: Circumstances): Tracked {
  return { status_code, source: { type: 'third_party_delivery' }, ...placeOf(personal) }
}

/** Half a position is none. */
function placeOf({ latitude, longitude }: Circumstances = {}): Pick<Tracked, 'location'> {
  return latitude === undefined || longitude === undefined ? {} : { location: { latitude, longitude } }
}

function proofOf({
  at,
  personal: { photo_urls, signature_url, recipient, note } = {},
}: {
  readonly at: string
  readonly personal?: Circumstances
}): Pick<Tracked, 'pod'> {
  const pod: ProofOfDelivery = {
    ...(recipient === undefined ? {} : { recipient }),
    ...(signature_url === undefined ? {} : { signed_at: at, signature_url }),
    ...(photo_urls === undefined ? {} : { photo_urls }),
    ...(note === undefined ? {} : { note }),
  }
  return Object.keys(pod).length === 0 ? {} : { pod }
}
