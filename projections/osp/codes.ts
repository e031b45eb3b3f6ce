import * as v from 'valibot'
import type { CodeMapping, Profile } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, mappingsOf, rowsOf } from '../shared/codes.ts'

/** `TrackingStatus` (OSP 0.1, core, section 5.2). */
export const statuses = [
  'pending',
  'info_received',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'available_for_pickup',
  'delivery_failed',
  'on_hold',
  'returned',
  'exception',
  'unknown',
] as const

/** A value of `TrackingStatus`. */
export type Status = (typeof statuses)[number]

/** The status of a code. */
export const rowSchema = v.strictObject({ fidelity: v.picklist(['=', '~']), status: v.picklist(statuses) })

type Row = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<Row> = { format: 'osp', schema: rowSchema }

const is = (status: Status): Row => ({ fidelity: '=', status })
const near = (status: Status): Row => ({ fidelity: '~', status })

const table: CodeTable<Row> = {
  parcel: {
    information_submitted: is('info_received'),
    booking_confirmed: near('info_received'),
    awaiting_pickup: near('info_received'),
    out_for_pickup: near('info_received'),
    picked_up: near('in_transit'),
    pickup_failed: near('exception'),
    pickup_rescheduled: near('info_received'),
    received: near('in_transit'),
    arrival_scan: near('in_transit'),
    in_transit: is('in_transit'),
    package_outbound: near('in_transit'),
    removed_from_route: near('on_hold'),
    route_cancelled: near('on_hold'),
    out_for_delivery: is('out_for_delivery'),
    delivered: is('delivered'),
    delivery_failed: is('delivery_failed'),
    delivery_rescheduled: near('on_hold'),
    return_to_sender: is('returned'),
    rejected_by_recipient: near('delivery_failed'),
    cancelled: near('exception'),
  },
  storage: {
    stored: near('available_for_pickup'),
    overdue: near('available_for_pickup'),
    collected: near('delivered'),
  },
  unregistered: {
    'x-available_for_pickup': is('available_for_pickup'),
    'x-customs_started': near('in_transit'),
    'x-customs_cleared': near('in_transit'),
    'x-customs_held': near('on_hold'),
    'x-delayed': near('in_transit'),
    'x-damaged': near('exception'),
    'x-lost': near('exception'),
    'x-disposed': near('exception'),
    'x-undeliverable': near('exception'),
    'x-returning': near('exception'),
    'x-exception': is('exception'),
    'x-expired': near('unknown'),
    'x-*': near('unknown'),
  },
}

const rowFor = rowsOf(table, carried)

/** The status of a code. */
export function statusOf(profile: Profile, code: string): Status {
  return rowFor(profile, code).status
}

/** The published mappings. */
export const codes = mappingsOf(table, ({ fidelity, status }): CodeMapping => ({ fidelity, value: status }), carried)
