/** The letters: I announced, P pick-up, A at a facility, T transit, O out for delivery, D delivery, R return, X exception, S storage. */
export const eventTypes = ['I', 'P', 'A', 'T', 'O', 'D', 'R', 'X', 'S'] as const

/** A letter for what kind of event it is. */
export type EventType = (typeof eventTypes)[number]

/** How webhooks name an event of a timeline beside its status code (document 3, tracking event payload). */
export interface EventNames {
  /** The same for good; 0 for what none of the profiles here knows. */
  readonly statusId: number
  readonly key: string
  readonly type: EventType
  /** The service that it ends or tries, and whether it was done; nothing where it is none of both. */
  readonly attempt?: Attempt
}

/** What was to be done for the parcel, and whether it was. */
export interface Attempt {
  readonly kind: 'delivery' | 'pickup'
  readonly isDone: boolean
}

const delivered: Attempt = { kind: 'delivery', isDone: true }
const notDelivered: Attempt = { kind: 'delivery', isDone: false }
const pickedUp: Attempt = { kind: 'pickup', isDone: true }
const notPickedUp: Attempt = { kind: 'pickup', isDone: false }

/** THE LIST of codes that webhooks know: those of the parcel profile from 1, those of the storage profile from 101. */
const names = {
  information_submitted: { statusId: 1, key: 'information-submitted', type: 'I' },
  booking_confirmed: { statusId: 2, key: 'booking-confirmed', type: 'I' },
  awaiting_pickup: { statusId: 3, key: 'awaiting-pickup', type: 'I' },
  out_for_pickup: { statusId: 4, key: 'out-for-pickup', type: 'P' },
  picked_up: { statusId: 5, key: 'pickup-success', type: 'P', attempt: pickedUp },
  pickup_failed: { statusId: 6, key: 'pickup-failed', type: 'X', attempt: notPickedUp },
  pickup_rescheduled: { statusId: 7, key: 'pickup-rescheduled', type: 'X' },
  received: { statusId: 8, key: 'received', type: 'A' },
  arrival_scan: { statusId: 9, key: 'arrival-scan', type: 'A' },
  in_transit: { statusId: 10, key: 'in-transit', type: 'T' },
  package_outbound: { statusId: 11, key: 'package-outbound', type: 'T' },
  removed_from_route: { statusId: 12, key: 'removed-from-route', type: 'X' },
  route_cancelled: { statusId: 13, key: 'route-cancelled', type: 'X' },
  out_for_delivery: { statusId: 14, key: 'out-for-delivery', type: 'O' },
  delivered: { statusId: 15, key: 'delivery-success', type: 'D', attempt: delivered },
  delivery_failed: { statusId: 16, key: 'delivery-failed', type: 'X', attempt: notDelivered },
  delivery_rescheduled: { statusId: 17, key: 'delivery-rescheduled', type: 'X' },
  return_to_sender: { statusId: 18, key: 'return-to-sender', type: 'R', attempt: notDelivered },
  rejected_by_recipient: { statusId: 19, key: 'rejected-by-recipient', type: 'R', attempt: notDelivered },
  cancelled: { statusId: 20, key: 'cancelled', type: 'X' },
  deposit_expected: { statusId: 101, key: 'deposit-expected', type: 'S' },
  stored: { statusId: 102, key: 'stored', type: 'S' },
  overdue: { statusId: 103, key: 'overdue', type: 'S' },
  exception_opened: { statusId: 104, key: 'exception-opened', type: 'X' },
  exception_resolved: { statusId: 105, key: 'exception-resolved', type: 'X' },
  collected: { statusId: 106, key: 'collected', type: 'S' },
  removed: { statusId: 107, key: 'removed', type: 'S' },
  deposit_cancelled: { statusId: 108, key: 'deposit-cancelled', type: 'S' },
} as const satisfies Readonly<Record<string, EventNames>>

/** A code that webhooks know. */
export type TimelineCode = keyof typeof names

/** The codes that webhooks know. */
export const timelineCodes = Object.keys(names) as readonly TimelineCode[]

/** Whether webhooks know a code. */
export function isTimelineCode(code: string): code is TimelineCode {
  return Object.hasOwn(names, code)
}

/** How webhooks name an event of this code: one that they do not know by the code itself, without a number. */
export function eventNamesOf(code: string): EventNames {
  return isTimelineCode(code) ? names[code] : { statusId: 0, key: code.toLowerCase().replaceAll('_', '-'), type: 'X' }
}

/** In whose name the platform itself reports what the drivers of businesses do. */
export const platformProvider = 'self-delivery'
