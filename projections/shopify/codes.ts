import * as v from 'valibot'
import type { CodeMapping, Profile } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, mappingsOf, rowsOf } from '../shared/codes.ts'

/** `FulfillmentEventStatus` of the GraphQL Admin API 2026-10: the eleven values of the stable surface. */
export const eventStatuses = [
  'ATTEMPTED_DELIVERY',
  'CARRIER_PICKED_UP',
  'CONFIRMED',
  'DELAYED',
  'DELIVERED',
  'FAILURE',
  'IN_TRANSIT',
  'LABEL_PRINTED',
  'LABEL_PURCHASED',
  'OUT_FOR_DELIVERY',
  'READY_FOR_PICKUP',
] as const

/** A value of `FulfillmentEventStatus`. */
export type EventStatus = (typeof eventStatuses)[number]

/** The status of a code, or nothing. */
export const rowSchema = v.variant('fidelity', [
  v.strictObject({ fidelity: v.picklist(['=', '~']), status: v.picklist(eventStatuses) }),
  v.strictObject({ fidelity: v.literal('none') }),
])

type Row = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<Row> = { format: 'shopify', schema: rowSchema }

const is = (status: EventStatus): Row => ({ fidelity: '=', status })
const near = (status: EventStatus): Row => ({ fidelity: '~', status })
const none: Row = { fidelity: 'none' }

/**
 * `READY_FOR_PICKUP` is about collection by the recipient, not by the carrier. No announcement proves that a label was
 * bought, so none becomes `LABEL_PURCHASED`. `CONFIRMED` says that the carrier does not have the parcel yet, so it is
 * no default for codes without a value.
 */
const table: CodeTable<Row> = {
  parcel: {
    information_submitted: near('CONFIRMED'),
    booking_confirmed: is('CONFIRMED'),
    awaiting_pickup: near('CONFIRMED'),
    out_for_pickup: near('CONFIRMED'),
    picked_up: is('CARRIER_PICKED_UP'),
    pickup_failed: near('DELAYED'),
    pickup_rescheduled: near('DELAYED'),
    received: near('IN_TRANSIT'),
    arrival_scan: near('IN_TRANSIT'),
    in_transit: is('IN_TRANSIT'),
    package_outbound: near('IN_TRANSIT'),
    removed_from_route: near('DELAYED'),
    route_cancelled: near('DELAYED'),
    out_for_delivery: is('OUT_FOR_DELIVERY'),
    delivered: is('DELIVERED'),
    delivery_failed: is('ATTEMPTED_DELIVERY'),
    delivery_rescheduled: near('DELAYED'),
    return_to_sender: near('FAILURE'),
    rejected_by_recipient: near('FAILURE'),
    cancelled: near('FAILURE'),
  },
  storage: {
    deposit_expected: near('CONFIRMED'),
    stored: near('READY_FOR_PICKUP'),
    // The parcel is still there and can be collected.
    overdue: near('READY_FOR_PICKUP'),
    exception_opened: none,
    exception_resolved: none,
    collected: near('DELIVERED'),
    removed: near('FAILURE'),
    // The parcel may have been deposited elsewhere.
    deposit_cancelled: none,
  },
  unregistered: {
    'x-available_for_pickup': is('READY_FOR_PICKUP'),
    'x-customs_started': near('IN_TRANSIT'),
    'x-customs_cleared': near('IN_TRANSIT'),
    'x-customs_held': near('DELAYED'),
    'x-delayed': is('DELAYED'),
    'x-damaged': none,
    'x-lost': near('FAILURE'),
    'x-disposed': near('FAILURE'),
    'x-undeliverable': near('FAILURE'),
    'x-returning': near('FAILURE'),
    'x-exception': none,
    'x-expired': none,
    'x-*': none,
  },
}

const rowFor = rowsOf(table, carried)

/** The status of a code. Undefined if it has none. */
export function eventStatusOf(profile: Profile, code: string): EventStatus | undefined {
  const row = rowFor(profile, code)
  return row.fidelity === 'none' ? undefined : row.status
}

/** The published mappings. */
export const codes = mappingsOf(
  table,
  (row): CodeMapping => ({ fidelity: row.fidelity, value: row.fidelity === 'none' ? '' : row.status }),
  carried,
)
