import * as v from 'valibot'
import type { Projection } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, mappingsOf, rowsOf } from '../shared/codes.ts'

/** The number of a code in Recommendation 24 and its name in the list, or nothing. */
export const rowSchema = v.variant('fidelity', [
  v.strictObject({ fidelity: v.picklist(['=', '~']), code: v.pipe(v.string(), v.digits()), name: v.string() }),
  v.strictObject({ fidelity: v.literal('none') }),
])

/** The number of a code in Recommendation 24 and its name in the list, or nothing. */
export type Row = Readonly<v.InferOutput<typeof rowSchema>> & { readonly code?: string; readonly name?: string }

const carried: CarriedRows<Row> = { format: 'uncefact', schema: rowSchema }

const kept = (code: string, name: string): Row => ({ fidelity: '=', code, name })
const lossy = (code: string, name: string): Row => ({ fidelity: '~', code, name })
const none: Row = { fidelity: 'none' }

/** The number of each code in UNECE Recommendation 24 (Revision 6), from the list that D23B publishes. */
const codes: CodeTable<Row> = {
  parcel: {
    // 68 means that a party was informed in advance, but not who sent the information.
    information_submitted: lossy('68', 'Pre-informed'),
    booking_confirmed: kept('6', 'Booking, completed'),
    awaiting_pickup: kept('64', 'Collection/pick-up, awaited'),
    // It is still awaited; no number says that somebody is on the way.
    out_for_pickup: lossy('64', 'Collection/pick-up, awaited'),
    picked_up: kept('13', 'Collection/pick-up, completed'),
    // 53 means that an expected item was not collected; no number says that somebody tried.
    pickup_failed: lossy('53', 'Collection/pick-up, not completed'),
    pickup_rescheduled: kept('339', 'Collection/pick-up, changed schedule'),
    // 74 leaves open who has received it.
    received: lossy('74', 'Received'),
    arrival_scan: kept('1', 'Arrival, completed'),
    in_transit: kept('31', 'En route'),
    // 127 is about the goods (24 is about the vehicle); that they are sorted is lost.
    package_outbound: lossy('127', 'Departed, completed on a means of transport'),
    // 90 and 111 would end the movement or the transport; the parcel is only off one route.
    removed_from_route: none,
    route_cancelled: none,
    out_for_delivery: kept('113', 'Delivery, in progress'),
    delivered: kept('21', 'Delivery, completed'),
    delivery_failed: kept('210', 'Delivery, unsuccessful attempt'),
    delivery_rescheduled: kept('212', 'Delivery, changed schedule'),
    return_to_sender: kept('82', 'Returned'),
    rejected_by_recipient: kept('325', 'Delivery refused, by recipient'),
    // 7 is about the booking; a shipment can be cancelled later than that.
    cancelled: lossy('7', 'Booking, cancelled'),
  },
  storage: {
    deposit_expected: lossy('68', 'Pre-informed'),
    stored: kept('91', 'Stored'),
    // 267 is about the period that is free of charge.
    overdue: lossy('267', 'Free storage time expired'),
    // 320 and 351 would say whose fault it is.
    exception_opened: none,
    exception_resolved: none,
    // 13 leaves open who has come for it; 21 would be its delivery.
    collected: kept('13', 'Collection/pick-up, completed'),
    // 82, 99 and 349 would say where it went.
    removed: none,
    deposit_cancelled: none,
  },
  unregistered: {
    'x-available_for_pickup': kept('112', "Held, at consignee's disposal"),
    'x-customs_started': kept('126', 'Customs clearance, in progress'),
    'x-customs_cleared': kept('12', 'Cleared, by customs'),
    // 17 would be a refusal; 187 does not say which authority it is.
    'x-customs_held': lossy('187', 'Waiting, due to an action taken by authorities'),
    // 20 is a delay in transit; ours may also be before that.
    'x-delayed': lossy('20', 'Delayed, in the course of transportation'),
    'x-damaged': kept('218', 'Damaged'),
    'x-lost': kept('49', 'Lost'),
    'x-disposed': kept('69', 'Disposed of'),
    'x-undeliverable': kept('348', 'Not deliverable'),
    'x-returning': kept('323', 'Return in progress'),
    // 320 and 351 would say whose fault it is.
    'x-exception': none,
    'x-expired': lossy('260', 'Tracking information unavailable'),
    'x-*': none,
  },
}

/** The row of a code of a profile. */
export const rowFor = rowsOf(codes, carried)

/** The published form of the table: `21 (Delivery, completed)`. */
export const mappings: Projection['codes'] = mappingsOf(codes, ({ fidelity, code, name }) => ({
  fidelity,
  value: code === undefined ? '' : `${code} (${name})`,
}))
