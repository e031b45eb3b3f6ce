import type { Profile, StatusCode } from '../engine/index.ts'

const codes = {
  information_submitted: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The sender has announced the parcel.',
    webhook: { statusId: 1, key: 'information-submitted', type: 'I' },
    phrases: { en: 'Shipment information received' },
  },
  booking_confirmed: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The carrier has confirmed the booking.',
    webhook: { statusId: 2, key: 'booking-confirmed', type: 'I' },
    phrases: { en: 'Booking confirmed' },
  },
  awaiting_pickup: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The parcel is ready and waits for its pick-up.',
    webhook: { statusId: 3, key: 'awaiting-pickup', type: 'I' },
    phrases: { en: 'Ready for pickup' },
  },
  out_for_pickup: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'A driver is on the way to pick the parcel up.',
    webhook: { statusId: 4, key: 'out-for-pickup', type: 'P' },
    phrases: { en: 'Driver on the way to pick up' },
  },
  picked_up: {
    phase: 'pickup',
    terminal: false,
    pod: true,
    meaning: 'The carrier has the parcel.',
    webhook: { statusId: 5, key: 'pickup-success', type: 'P', attempt: { kind: 'pickup', isDone: true } },
    phrases: { en: 'Picked up' },
  },
  pickup_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The pick-up was tried and did not succeed.',
    webhook: { statusId: 6, key: 'pickup-failed', type: 'X', attempt: { kind: 'pickup', isDone: false } },
    phrases: { en: 'Pickup attempt failed' },
  },
  pickup_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The pick-up was moved to another time.',
    webhook: { statusId: 7, key: 'pickup-rescheduled', type: 'X' },
    phrases: { en: 'Pickup rescheduled' },
  },
  received: {
    phase: 'inbound',
    terminal: false,
    pod: false,
    meaning: 'A facility has taken the parcel in.',
    webhook: { statusId: 8, key: 'received', type: 'A' },
    phrases: { en: 'Received at a facility' },
  },
  arrival_scan: {
    phase: 'inbound',
    terminal: false,
    pod: false,
    meaning: 'The parcel was scanned on arrival at a facility.',
    webhook: { statusId: 9, key: 'arrival-scan', type: 'A' },
    phrases: { en: 'Arrived at a facility' },
  },
  in_transit: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The parcel is on its way between facilities.',
    webhook: { statusId: 10, key: 'in-transit', type: 'T' },
    phrases: { en: 'In transit' },
  },
  package_outbound: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The parcel is sorted and leaves the facility.',
    webhook: { statusId: 11, key: 'package-outbound', type: 'T' },
    phrases: { en: 'Departed from a facility' },
  },
  removed_from_route: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The parcel was taken off its route.',
    webhook: { statusId: 12, key: 'removed-from-route', type: 'X' },
    phrases: { en: 'Taken off its route' },
  },
  route_cancelled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The route of the parcel was cancelled.',
    webhook: { statusId: 13, key: 'route-cancelled', type: 'X' },
    phrases: { en: 'Route cancelled' },
  },
  out_for_delivery: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'A driver is on the way to the recipient.',
    webhook: { statusId: 14, key: 'out-for-delivery', type: 'O' },
    phrases: { en: 'Out for delivery' },
  },
  delivered: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'The recipient has the parcel.',
    webhook: { statusId: 15, key: 'delivery-success', type: 'D', attempt: { kind: 'delivery', isDone: true } },
    phrases: { en: 'Delivered' },
  },
  delivery_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The delivery was tried and did not succeed.',
    webhook: { statusId: 16, key: 'delivery-failed', type: 'X', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Delivery attempt failed' },
  },
  delivery_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The delivery was moved to another time.',
    webhook: { statusId: 17, key: 'delivery-rescheduled', type: 'X' },
    phrases: { en: 'Delivery rescheduled' },
  },
  return_to_sender: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The parcel is returned to the sender.',
    webhook: { statusId: 18, key: 'return-to-sender', type: 'R', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Returned to sender' },
  },
  rejected_by_recipient: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The recipient has refused the parcel.',
    webhook: { statusId: 19, key: 'rejected-by-recipient', type: 'R', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Refused by the recipient' },
  },
  cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The shipment was cancelled.',
    webhook: { statusId: 20, key: 'cancelled', type: 'X' },
    phrases: { en: 'Shipment cancelled' },
  },
} as const satisfies Record<string, StatusCode>

/** The codes of the parcel profile. */
export type ParcelCode = keyof typeof codes

/**
 * A row for the status before, a column for the next one, in the order of the codes: `o` planned, `.` a scan in between
 * is missing (or the status before is terminal and holds), `x` impossible. docs/explanation/transitions.md says why.
 */
const transitions = `
  # the next one:        announced pick-up fail facility way off    go end fail  return cancelled
  information_submitted  - o o     o .     . .  o .      . . . .    .  .   . o   . .    o
  booking_confirmed      . - o     o .     . .  o .      . . . .    .  .   . o   . .    o
  awaiting_pickup        . . -     o o     . o  o .      . . o o    .  .   . o   . .    o
  out_for_pickup         . . .     - o     o o  . .      . . o o    .  .   . .   . .    o
  picked_up              . . x     x -     x x  o o      o . o o    o  .   . o   . .    o
  pickup_failed          . . o     o .     - o  . .      . . o o    .  .   . .   . .    o
  pickup_rescheduled     . . o     o .     . -  o .      . . o o    .  .   . .   . .    o
  received               . . x     x .     x x  - o      o o o o    o  .   . o   o .    o
  arrival_scan           . . x     x .     x x  o -      o o o o    o  .   . o   o .    o
  in_transit             . . x     x .     x x  o o      - o o o    o  .   . o   o .    o
  package_outbound       . . x     x .     x x  o o      o - o o    o  .   . o   o .    o
  removed_from_route     . . o     o .     . o  o o      o o - o    o  .   . o   o .    o
  route_cancelled        . . o     o .     . o  o o      o o o -    o  .   . o   o .    o
  out_for_delivery       . . x     x .     x x  . .      . . o o    -  o   o o   . o    x
  delivered              . . .     . .     . .  . .      . . . .    .  -   . .   o x    x
  delivery_failed        . . x     x .     x x  o o      o . o o    o  .   - o   o o    o
  delivery_rescheduled   . . o     o o     . .  o o      o o o o    o  .   . -   o .    o
  return_to_sender       . . .     . .     . .  . .      . . . .    .  x   . .   - x    x
  rejected_by_recipient  . . .     . .     . .  . .      . . . .    .  .   . .   o -    x
  cancelled              . . .     . .     . .  . .      . . . .    .  .   . .   o .    -
`

/** Parcels: six phases on the main line, two beside it (OTEP 0.1, section 4 and the state machine). */
export const parcel = {
  name: 'parcel',
  version: '0.1',
  status: 'live',
  phases: ['pre_shipment', 'pickup', 'inbound', 'transit', 'out_for_delivery', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['information_submitted', 'booking_confirmed', 'awaiting_pickup', 'out_for_pickup', 'picked_up', 'received'],
  transitions,
  words: {
    advice: {
      delivery_failed: 'The carrier usually tries again, or leaves a note about where to collect it.',
      delivery_rescheduled:
        'The delivery was moved. You do not need to do anything unless the new time does not suit you.',
      rejected_by_recipient: 'It was refused at the door and goes back. Contact the sender about a refund.',
    },
  },
} as const satisfies Profile
