import * as v from 'valibot'
import type { CodeMapping, Profile } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, mappingsOf, rowsOf } from '../shared/codes.ts'

/** The common types of a fulfilment event. The list is open; others are not made up. */
export const types = [
  'processing',
  'shipped',
  'in_transit',
  'delivered',
  'failed_attempt',
  'canceled',
  'undeliverable',
  'returned_to_sender',
] as const

/** A type of a fulfilment event. */
export type EventType = (typeof types)[number]

/** The type of a code, or nothing. */
export const rowSchema = v.variant('fidelity', [
  v.strictObject({ fidelity: v.picklist(['=', '~']), type: v.picklist(types) }),
  v.strictObject({ fidelity: v.literal('none') }),
])

type Row = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<Row> = { format: 'ucp', schema: rowSchema }

const is = (type: EventType): Row => ({ fidelity: '=', type })
const near = (type: EventType): Row => ({ fidelity: '~', type })
const none: Row = { fidelity: 'none' }

const table: CodeTable<Row> = {
  parcel: {
    information_submitted: near('processing'),
    booking_confirmed: near('processing'),
    awaiting_pickup: near('processing'),
    out_for_pickup: near('processing'),
    picked_up: is('shipped'),
    pickup_failed: near('processing'),
    pickup_rescheduled: near('processing'),
    received: near('in_transit'),
    arrival_scan: near('in_transit'),
    in_transit: is('in_transit'),
    package_outbound: near('in_transit'),
    removed_from_route: near('in_transit'),
    route_cancelled: near('in_transit'),
    out_for_delivery: near('in_transit'),
    delivered: is('delivered'),
    delivery_failed: is('failed_attempt'),
    delivery_rescheduled: near('in_transit'),
    return_to_sender: is('returned_to_sender'),
    rejected_by_recipient: near('undeliverable'),
    cancelled: is('canceled'),
  },
  storage: {
    collected: near('delivered'),
  },
  unregistered: {
    'x-available_for_pickup': near('in_transit'),
    'x-customs_started': near('in_transit'),
    'x-customs_cleared': near('in_transit'),
    'x-customs_held': near('in_transit'),
    'x-delayed': near('in_transit'),
    'x-damaged': none,
    'x-lost': near('undeliverable'),
    'x-disposed': near('undeliverable'),
    'x-undeliverable': is('undeliverable'),
    'x-returning': near('undeliverable'),
    'x-exception': none,
    'x-expired': none,
    'x-*': none,
  },
}

const rowFor = rowsOf(table, carried)

/** The type of a code. Undefined if it has none. */
export function typeOf(profile: Profile, code: string): EventType | undefined {
  const row = rowFor(profile, code)
  return row.fidelity === 'none' ? undefined : row.type
}

/** The published mappings. */
export const codes = mappingsOf(
  table,
  (row): CodeMapping => ({ fidelity: row.fidelity, value: row.fidelity === 'none' ? '' : row.type }),
  carried,
)
