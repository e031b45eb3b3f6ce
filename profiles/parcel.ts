import type { Profile, StatusCode } from '../engine/index.ts'

const codes = {
  information_submitted: { phase: 'pre_shipment', terminal: false, pod: false, meaning: 'The sender has announced the parcel.' },
  booking_confirmed: { phase: 'pre_shipment', terminal: false, pod: false, meaning: 'The carrier has confirmed the booking.' },
  awaiting_pickup: { phase: 'pre_shipment', terminal: false, pod: false, meaning: 'The parcel is ready and waits for its pick-up.' },
  out_for_pickup: { phase: 'pickup', terminal: false, pod: false, meaning: 'A driver is on the way to pick the parcel up.' },
  picked_up: { phase: 'pickup', terminal: false, pod: true, meaning: 'The carrier has the parcel.' },
  pickup_failed: { phase: 'exception', terminal: false, pod: false, meaning: 'The pick-up was tried and did not succeed.' },
  pickup_rescheduled: { phase: 'exception', terminal: false, pod: false, meaning: 'The pick-up was moved to another time.' },
  received: { phase: 'inbound', terminal: false, pod: false, meaning: 'A facility has taken the parcel in.' },
  arrival_scan: { phase: 'inbound', terminal: false, pod: false, meaning: 'The parcel was scanned on arrival at a facility.' },
  in_transit: { phase: 'transit', terminal: false, pod: false, meaning: 'The parcel is on its way between facilities.' },
  package_outbound: { phase: 'transit', terminal: false, pod: false, meaning: 'The parcel is sorted and leaves the facility.' },
  removed_from_route: { phase: 'exception', terminal: false, pod: false, meaning: 'The parcel was taken off its route.' },
  route_cancelled: { phase: 'exception', terminal: false, pod: false, meaning: 'The route of the parcel was cancelled.' },
  out_for_delivery: { phase: 'out_for_delivery', terminal: false, pod: false, meaning: 'A driver is on the way to the recipient.' },
  delivered: { phase: 'delivered', terminal: true, pod: true, meaning: 'The recipient has the parcel.' },
  delivery_failed: { phase: 'exception', terminal: false, pod: false, meaning: 'The delivery was tried and did not succeed.' },
  delivery_rescheduled: { phase: 'exception', terminal: false, pod: false, meaning: 'The delivery was moved to another time.' },
  return_to_sender: { phase: 'return', terminal: true, pod: false, meaning: 'The parcel goes back to the sender.' },
  rejected_by_recipient: { phase: 'return', terminal: true, pod: false, meaning: 'The recipient has refused the parcel.' },
  cancelled: { phase: 'exception', terminal: true, pod: false, meaning: 'The shipment was cancelled.' },
} as const satisfies Record<string, StatusCode>

/** The twenty codes of the parcel profile. */
export type ParcelCode = keyof typeof codes

/** What may follow a code of this profile. */
export interface ParcelTransition {
  readonly next: readonly ParcelCode[]
  readonly skipped: readonly ParcelCode[]
}

/**
 * What may follow what; why, is told in docs/explanation/transitions.md. A code missing from both lists of its row
 * cannot follow; what follows a terminal code is here only where it is terminal too.
 */
const transitions: Record<ParcelCode, ParcelTransition> = {
  information_submitted: {
    next: ['booking_confirmed', 'awaiting_pickup', 'out_for_pickup', 'received', 'delivery_rescheduled', 'cancelled'],
    skipped: ['picked_up', 'pickup_failed', 'pickup_rescheduled', 'arrival_scan', 'in_transit', 'package_outbound', 'removed_from_route', 'route_cancelled', 'out_for_delivery', 'delivered', 'delivery_failed', 'return_to_sender', 'rejected_by_recipient'],
  },
  booking_confirmed: {
    next: ['awaiting_pickup', 'out_for_pickup', 'received', 'delivery_rescheduled', 'cancelled'],
    skipped: ['information_submitted', 'picked_up', 'pickup_failed', 'pickup_rescheduled', 'arrival_scan', 'in_transit', 'package_outbound', 'removed_from_route', 'route_cancelled', 'out_for_delivery', 'delivered', 'delivery_failed', 'return_to_sender', 'rejected_by_recipient'],
  },
  awaiting_pickup: {
    next: ['out_for_pickup', 'picked_up', 'pickup_rescheduled', 'received', 'delivery_rescheduled', 'removed_from_route', 'route_cancelled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'pickup_failed', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivered', 'delivery_failed', 'return_to_sender', 'rejected_by_recipient'],
  },
  out_for_pickup: {
    next: ['picked_up', 'pickup_failed', 'pickup_rescheduled', 'removed_from_route', 'route_cancelled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'awaiting_pickup', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivered', 'delivery_failed', 'delivery_rescheduled', 'return_to_sender', 'rejected_by_recipient'],
  },
  picked_up: {
    next: ['received', 'arrival_scan', 'in_transit', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'delivery_rescheduled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'package_outbound', 'delivered', 'delivery_failed', 'return_to_sender', 'rejected_by_recipient'],
  },
  pickup_failed: {
    next: ['awaiting_pickup', 'out_for_pickup', 'pickup_rescheduled', 'removed_from_route', 'route_cancelled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivered', 'delivery_failed', 'delivery_rescheduled', 'return_to_sender', 'rejected_by_recipient'],
  },
  pickup_rescheduled: {
    next: ['awaiting_pickup', 'out_for_pickup', 'received', 'removed_from_route', 'route_cancelled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'pickup_failed', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivered', 'delivery_failed', 'delivery_rescheduled', 'return_to_sender', 'rejected_by_recipient'],
  },
  received: {
    next: ['arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  arrival_scan: {
    next: ['received', 'in_transit', 'package_outbound', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  in_transit: {
    next: ['received', 'arrival_scan', 'package_outbound', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  package_outbound: {
    next: ['in_transit', 'received', 'arrival_scan', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  removed_from_route: {
    next: ['awaiting_pickup', 'out_for_pickup', 'pickup_rescheduled', 'route_cancelled', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'pickup_failed', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  route_cancelled: {
    next: ['awaiting_pickup', 'out_for_pickup', 'pickup_rescheduled', 'removed_from_route', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'delivery_rescheduled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'pickup_failed', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  out_for_delivery: {
    next: ['delivered', 'delivery_failed', 'delivery_rescheduled', 'rejected_by_recipient', 'removed_from_route', 'route_cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'return_to_sender'],
  },
  delivered: { next: ['return_to_sender'], skipped: [] },
  delivery_failed: {
    next: ['delivery_rescheduled', 'out_for_delivery', 'received', 'arrival_scan', 'in_transit', 'return_to_sender', 'rejected_by_recipient', 'removed_from_route', 'route_cancelled', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'picked_up', 'package_outbound', 'delivered'],
  },
  delivery_rescheduled: {
    next: ['awaiting_pickup', 'out_for_pickup', 'picked_up', 'received', 'arrival_scan', 'in_transit', 'package_outbound', 'out_for_delivery', 'removed_from_route', 'route_cancelled', 'return_to_sender', 'cancelled'],
    skipped: ['information_submitted', 'booking_confirmed', 'pickup_failed', 'pickup_rescheduled', 'delivered', 'delivery_failed', 'rejected_by_recipient'],
  },
  return_to_sender: { next: [], skipped: [] },
  rejected_by_recipient: { next: ['return_to_sender'], skipped: ['delivered'] },
  cancelled: { next: ['return_to_sender'], skipped: ['delivered', 'rejected_by_recipient'] },
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
