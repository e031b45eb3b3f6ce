import type { Profile, StatusCode } from '../engine/index.ts'

const codes = {
  information_submitted: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The sender has announced the parcel.',
  },
  booking_confirmed: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The carrier has confirmed the booking.',
  },
  awaiting_pickup: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The parcel is ready and waits for its pick-up.',
  },
  out_for_pickup: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'A driver is on the way to pick the parcel up.',
  },
  picked_up: { phase: 'pickup', terminal: false, pod: true, meaning: 'The carrier has the parcel.' },
  pickup_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The pick-up was tried and did not succeed.',
  },
  pickup_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The pick-up was moved to another time.',
  },
  received: { phase: 'inbound', terminal: false, pod: false, meaning: 'A facility has taken the parcel in.' },
  arrival_scan: {
    phase: 'inbound',
    terminal: false,
    pod: false,
    meaning: 'The parcel was scanned on arrival at a facility.',
  },
  in_transit: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The parcel is on its way between facilities.',
  },
  package_outbound: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The parcel is sorted and leaves the facility.',
  },
  removed_from_route: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The parcel was taken off its route.',
  },
  route_cancelled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The route of the parcel was cancelled.',
  },
  out_for_delivery: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'A driver is on the way to the recipient.',
  },
  delivered: { phase: 'delivered', terminal: true, pod: true, meaning: 'The recipient has the parcel.' },
  delivery_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The delivery was tried and did not succeed.',
  },
  delivery_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The delivery was moved to another time.',
  },
  return_to_sender: { phase: 'return', terminal: true, pod: false, meaning: 'The parcel is returned to the sender.' },
  rejected_by_recipient: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The recipient has refused the parcel.',
  },
  cancelled: { phase: 'exception', terminal: true, pod: false, meaning: 'The shipment was cancelled.' },
} as const satisfies Record<string, StatusCode>

/** The twenty codes of the parcel profile. */
export type ParcelCode = keyof typeof codes

/** What may follow a code of this profile. */
export interface ParcelTransition {
  readonly next: readonly ParcelCode[]
  readonly impossible: readonly ParcelCode[]
}

/** Where the carrier has the parcel, in the order of its way. */
const scans = ['received', 'arrival_scan', 'in_transit', 'package_outbound'] as const

/** What becomes of the plan of a route. */
const offRoute = ['removed_from_route', 'route_cancelled'] as const

/** From a facility a parcel goes out for delivery or back, or its plan changes. */
const onward = ['out_for_delivery', ...offRoute, 'delivery_rescheduled', 'return_to_sender', 'cancelled'] as const

/** What cannot follow once the carrier has the parcel. */
const beforePickup = ['awaiting_pickup', 'out_for_pickup', 'pickup_failed', 'pickup_rescheduled'] as const

/**
 * What may follow what; why, is told in docs/explanation/transitions.md. A code that is in neither list of a row follows
 * with a scan missing in between.
 */
const transitions: Record<ParcelCode, ParcelTransition> = {
  information_submitted: {
    next: ['booking_confirmed', 'awaiting_pickup', 'out_for_pickup', 'received', 'delivery_rescheduled', 'cancelled'],
    impossible: [],
  },
  booking_confirmed: {
    next: ['awaiting_pickup', 'out_for_pickup', 'received', 'delivery_rescheduled', 'cancelled'],
    impossible: [],
  },
  awaiting_pickup: {
    next: [
      'out_for_pickup',
      'picked_up',
      'pickup_rescheduled',
      'received',
      'delivery_rescheduled',
      ...offRoute,
      'cancelled',
    ],
    impossible: [],
  },
  out_for_pickup: {
    next: ['picked_up', 'pickup_failed', 'pickup_rescheduled', ...offRoute, 'cancelled'],
    impossible: [],
  },
  picked_up: {
    next: [
      'received',
      'arrival_scan',
      'in_transit',
      'out_for_delivery',
      ...offRoute,
      'delivery_rescheduled',
      'cancelled',
    ],
    impossible: beforePickup,
  },
  pickup_failed: {
    next: ['awaiting_pickup', 'out_for_pickup', 'pickup_rescheduled', ...offRoute, 'cancelled'],
    impossible: [],
  },
  pickup_rescheduled: {
    next: ['awaiting_pickup', 'out_for_pickup', 'received', ...offRoute, 'cancelled'],
    impossible: [],
  },
  received: {
    next: ['arrival_scan', 'in_transit', 'package_outbound', ...onward],
    impossible: beforePickup,
  },
  arrival_scan: {
    next: ['received', 'in_transit', 'package_outbound', ...onward],
    impossible: beforePickup,
  },
  in_transit: {
    next: ['received', 'arrival_scan', 'package_outbound', ...onward],
    impossible: beforePickup,
  },
  package_outbound: {
    next: ['in_transit', 'received', 'arrival_scan', ...onward],
    impossible: beforePickup,
  },
  removed_from_route: {
    next: [
      'awaiting_pickup',
      'out_for_pickup',
      'pickup_rescheduled',
      'route_cancelled',
      ...scans,
      'out_for_delivery',
      'delivery_rescheduled',
      'return_to_sender',
      'cancelled',
    ],
    impossible: [],
  },
  route_cancelled: {
    next: [
      'awaiting_pickup',
      'out_for_pickup',
      'pickup_rescheduled',
      'removed_from_route',
      ...scans,
      'out_for_delivery',
      'delivery_rescheduled',
      'return_to_sender',
      'cancelled',
    ],
    impossible: [],
  },
  out_for_delivery: {
    next: ['delivered', 'delivery_failed', 'delivery_rescheduled', 'rejected_by_recipient', ...offRoute],
    impossible: [...beforePickup, 'cancelled'],
  },
  delivered: {
    next: ['return_to_sender'],
    impossible: ['rejected_by_recipient', 'cancelled'],
  },
  delivery_failed: {
    next: [
      'delivery_rescheduled',
      'out_for_delivery',
      'received',
      'arrival_scan',
      'in_transit',
      'return_to_sender',
      'rejected_by_recipient',
      ...offRoute,
      'cancelled',
    ],
    impossible: beforePickup,
  },
  delivery_rescheduled: {
    next: [
      'awaiting_pickup',
      'out_for_pickup',
      'picked_up',
      ...scans,
      'out_for_delivery',
      ...offRoute,
      'return_to_sender',
      'cancelled',
    ],
    impossible: [],
  },
  return_to_sender: {
    next: [],
    impossible: ['delivered', 'rejected_by_recipient', 'cancelled'],
  },
  rejected_by_recipient: {
    next: ['return_to_sender'],
    impossible: ['cancelled'],
  },
  cancelled: {
    next: ['return_to_sender'],
    impossible: [],
  },
}

/** Parcels: twenty codes, six phases on the main line, two beside it (OTEP 0.1, section 4 and the state machine). */
export const parcel = {
  name: 'parcel',
  version: '0.1',
  status: 'live',
  phases: ['pre_shipment', 'pickup', 'inbound', 'transit', 'out_for_delivery', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['information_submitted', 'booking_confirmed', 'awaiting_pickup', 'out_for_pickup', 'picked_up', 'received'],
  transitions,
} as const satisfies Profile
