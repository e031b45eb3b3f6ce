import * as v from 'valibot'
import { type CarriedRows, type CodeTable, fidelitySchema, mappingsOf, rowsOf } from '../shared/codes.ts'

/** AfterShip's tags (Tracking API 2026-07, delivery statuses). */
export const tags = [
  'Pending',
  'InfoReceived',
  'InTransit',
  'OutForDelivery',
  'AttemptFail',
  'Delivered',
  'AvailableForPickup',
  'Exception',
  'Expired',
] as const

/** One of the nine tags. */
export type Tag = (typeof tags)[number]

const stateSchema = v.strictObject({ tag: v.picklist(tags), subtag: v.string(), subtag_message: v.string() })

/** A tag with its subtag and the name of the subtag (delivery sub-statuses). */
export type State = Readonly<v.InferOutput<typeof stateSchema>>

/** A code in AfterShip's words. Without a state the checkpoint has no tag, and only its words tell. */
export const rowSchema = v.strictObject({
  fidelity: fidelitySchema,
  state: v.exactOptional(stateSchema),
  /** Code in `checkpoints[].events`, where the subtag alone would say less. */
  event: v.exactOptional(v.string()),
})

/** A code in AfterShip's words. */
export type AftershipRow = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<AftershipRow> = { format: 'aftership', schema: rowSchema }

function stateOf(tag: Tag, number: string, message: string): State {
  return { tag, subtag: `${tag}_${number}`, subtag_message: message }
}

function kept(state: State, event?: string): AftershipRow {
  return { fidelity: '=', state, ...(event !== undefined && { event }) }
}

function lossy(state: State, event?: string): AftershipRow {
  return { ...kept(state, event), fidelity: '~' }
}

const announced = stateOf('InfoReceived', '001', 'Info received')
const accepted = stateOf('InTransit', '002', 'Acceptance scan')
const attempted = stateOf('AttemptFail', '001', 'Failed attempt')
const available = stateOf('AvailableForPickup', '001', 'Available for pickup')
const exception = stateOf('Exception', '001', 'Exception')
const misrouted = stateOf('Exception', '016', 'Delayed (processing issue)')

/** The state without any events. */
export const pending = stateOf('Pending', '001', 'No information yet')

/** The state of each code. */
export const codes: CodeTable<AftershipRow> = {
  parcel: {
    information_submitted: lossy(announced),
    booking_confirmed: lossy(announced),
    awaiting_pickup: lossy(announced),
    out_for_pickup: lossy(announced),
    picked_up: kept(accepted, 'picked_up'),
    pickup_failed: lossy(exception, 'carrier_pickup_failed'),
    pickup_rescheduled: lossy(announced),
    received: lossy(accepted),
    arrival_scan: kept(stateOf('InTransit', '003', 'Arrival scan')),
    in_transit: kept(stateOf('InTransit', '001', 'In transit')),
    package_outbound: kept(stateOf('InTransit', '007', 'Departure scan')),
    removed_from_route: lossy(misrouted),
    route_cancelled: lossy(misrouted),
    out_for_delivery: kept(stateOf('OutForDelivery', '001', 'Out for delivery')),
    delivered: kept(stateOf('Delivered', '001', 'Delivered')),
    delivery_failed: kept(attempted, 'delivery_attempt_failed'),
    delivery_rescheduled: lossy(attempted, 'redelivery_scheduled'),
    return_to_sender: kept(stateOf('Exception', '011', 'Returned to sender'), 'returned_to_sender'),
    rejected_by_recipient: kept(stateOf('Exception', '003', 'Customer refused delivery'), 'rejected_by_customer'),
    cancelled: kept(stateOf('Exception', '020', 'Shipment cancelled'), 'canceled'),
  },
  storage: {
    deposit_expected: lossy(announced),
    stored: lossy(available),
    overdue: lossy(stateOf('Exception', '008', 'Pick up missed')),
    exception_opened: lossy(exception),
    exception_resolved: { fidelity: 'none' },
    // The next courier may have collected the item, not the recipient.
    collected: lossy(stateOf('Delivered', '002', 'Picked up by the customer')),
    removed: lossy(exception),
    deposit_cancelled: lossy(exception),
  },
  unregistered: {
    'x-available_for_pickup': kept(available),
    'x-customs_started': kept(stateOf('InTransit', '006', 'Customs clearance started')),
    'x-customs_cleared': kept(stateOf('InTransit', '005', 'Customs clearance completed')),
    'x-customs_held': kept(stateOf('Exception', '004', 'Delayed (customs clearance)'), 'held_by_customs'),
    'x-delayed': lossy(stateOf('Exception', '005', 'Delayed (external factors)')),
    'x-damaged': kept(stateOf('Exception', '012', 'Shipment damaged'), 'shipment_damaged'),
    'x-lost': kept(stateOf('Exception', '013', 'Shipment lost'), 'shipment_lost'),
    'x-disposed': kept(stateOf('Exception', '021', 'Shipment disposed')),
    'x-undeliverable': lossy(exception),
    'x-returning': kept(stateOf('Exception', '010', 'Returning to sender')),
    'x-exception': kept(exception),
    'x-expired': kept(stateOf('Expired', '001', 'Expired')),
    'x-*': { fidelity: 'none' },
  },
}

/** The state of a code of a profile. */
export const rowFor = rowsOf(codes, carried)

/** The published form of the table: `InTransit_002, picked_up`. */
export const mappings = mappingsOf(
  codes,
  ({ fidelity, state, event }) => ({
    fidelity,
    value: [state?.subtag, event].filter((word) => word !== undefined).join(', '),
  }),
  carried,
)

/** The address of a code (OTEP, versioning): `otep:parcel:picked_up`. */
export function addressOf(profile: string, code: string): string {
  return `otep:${profile}:${code}`
}

/** The code at an address; undefined for any other text. */
export function codeAt(text: unknown): { readonly profile: string; readonly code: string } | undefined {
  const [, profile, code] = (typeof text === 'string' ? /^otep:([^:]+):(.+)$/s.exec(text) : null) ?? []
  return profile === undefined || code === undefined ? undefined : { profile, code }
}
