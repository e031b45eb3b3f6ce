import * as v from 'valibot'
import { isExperimental, type Profile, type TimelineEvent } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, fidelitySchema, mappingsOf, rowsOf } from '../shared/codes.ts'
import { cached } from '../shared/template/index.ts'

/** The business steps of CBV 2.0 (section 7.1). */
export const bizSteps = [
  ...['accepting', 'arriving', 'assembling', 'collecting', 'commissioning', 'consigning', 'creating_class_instance'],
  ...['cycle_counting', 'decommissioning', 'departing', 'destroying', 'disassembling', 'dispensing', 'encoding'],
  ...['entering_exiting', 'holding', 'inspecting', 'installing', 'killing', 'loading', 'other', 'packing', 'picking'],
  ...['receiving', 'removing', 'repackaging', 'repairing', 'replacing', 'reserving', 'retail_selling', 'sampling'],
  ...['sensor_reporting', 'shipping', 'staging_outbound', 'stock_taking', 'stocking', 'storing', 'transporting'],
  ...['unloading', 'unpacking', 'void_shipping'],
] as const

/** The dispositions that the table uses (CBV 2.0, Dispositions). */
export const dispositions = [
  ...['active', 'conformant', 'damaged', 'disposed', 'in_progress', 'in_transit', 'returned', 'unknown'],
] as const

/** How an event affects the existence of its objects (EPCIS 2.0, Action). */
export const actions = ['ADD', 'OBSERVE', 'DELETE'] as const

/** A code in the vocabulary of CBV. */
export const rowSchema = v.strictObject({
  fidelity: fidelitySchema,
  action: v.picklist(actions),
  bizStep: v.picklist(bizSteps),
  /** Undefined if the step is sufficient: CBV advises against an `in_progress` that adds nothing. */
  disposition: v.exactOptional(v.picklist(dispositions)),
  /** The place is the one where it was meant to go, and so the destination too (CBV 2.0, Source/Destination Types). */
  atDestination: v.exactOptional(v.literal(true)),
  /** The item leaves the place, which the step alone does not say. */
  leaves: v.exactOptional(v.literal(true)),
})

/** A code in the vocabulary of CBV. */
type Row = Readonly<v.InferOutput<typeof rowSchema>>

/** What an event says of its step: the row of its code, or the words of the event that it was made of. */
export interface Step extends Pick<Row, 'action' | 'atDestination' | 'leaves'> {
  readonly bizStep?: string | undefined
  readonly disposition?: string | undefined
}

/** CBV has no word for it; `other` says so and does not mislead. */
const none = { fidelity: 'none', action: 'OBSERVE', bizStep: 'other' } as const satisfies Row

/**
 * `shipping`, `receiving` and `consigning` do not occur: CBV excludes them from processes that also report the steps
 * they summarise (`departing`; `arriving`, `accepting`). `collecting` (for disposal) and `picking` (for an order) do
 * not occur either.
 */
const table: CodeTable<Row> = {
  parcel: {
    information_submitted: { fidelity: '~', action: 'ADD', bizStep: 'commissioning', disposition: 'active' },
    booking_confirmed: none,
    awaiting_pickup: { fidelity: '=', action: 'OBSERVE', bizStep: 'staging_outbound' },
    // The driver departs, not the parcel.
    out_for_pickup: none,
    picked_up: { fidelity: '~', action: 'OBSERVE', bizStep: 'accepting', disposition: 'in_progress' },
    pickup_failed: none,
    pickup_rescheduled: none,
    received: { fidelity: '~', action: 'OBSERVE', bizStep: 'arriving', disposition: 'in_progress' },
    arrival_scan: { fidelity: '=', action: 'OBSERVE', bizStep: 'arriving', disposition: 'in_transit' },
    in_transit: { fidelity: '=', action: 'OBSERVE', bizStep: 'transporting', disposition: 'in_transit' },
    package_outbound: { fidelity: '=', action: 'OBSERVE', bizStep: 'departing', disposition: 'in_transit' },
    // `holding` would mean that the parcel is put aside for review, `void_shipping` that it has never left.
    removed_from_route: none,
    route_cancelled: none,
    out_for_delivery: { fidelity: '~', action: 'OBSERVE', bizStep: 'transporting', disposition: 'in_transit' },
    // CBV's own example of `accepting`: somebody signs for the boxes that a parcel carrier drops off.
    delivered: { fidelity: '~', action: 'OBSERVE', bizStep: 'accepting', atDestination: true },
    delivery_failed: none,
    delivery_rescheduled: none,
    return_to_sender: { fidelity: '~', action: 'OBSERVE', bizStep: 'transporting', disposition: 'returned' },
    rejected_by_recipient: none,
    cancelled: none,
  },
  storage: {
    deposit_expected: none,
    // CBV uses the same word for storing and for taking out of storage.
    stored: { fidelity: '~', action: 'OBSERVE', bizStep: 'storing' },
    overdue: none,
    exception_opened: none,
    exception_resolved: none,
    // Somebody takes possession, and the item is no longer there.
    collected: { fidelity: '~', action: 'OBSERVE', bizStep: 'accepting', leaves: true },
    // `removing` takes a part out of a whole; `storing` would repeat that it is stored.
    removed: { ...none, leaves: true },
    deposit_cancelled: none,
  },
  unregistered: {
    'x-available_for_pickup': none,
    'x-customs_started': { fidelity: '~', action: 'OBSERVE', bizStep: 'inspecting' },
    'x-customs_cleared': { fidelity: '~', action: 'OBSERVE', bizStep: 'inspecting', disposition: 'conformant' },
    'x-customs_held': { fidelity: '~', action: 'OBSERVE', bizStep: 'holding' },
    'x-delayed': none,
    'x-damaged': { fidelity: '=', action: 'OBSERVE', bizStep: 'other', disposition: 'damaged' },
    'x-lost': { fidelity: '~', action: 'OBSERVE', bizStep: 'other', disposition: 'unknown' },
    'x-disposed': { fidelity: '~', action: 'OBSERVE', bizStep: 'other', disposition: 'disposed' },
    'x-undeliverable': none,
    'x-returning': { fidelity: '~', action: 'OBSERVE', bizStep: 'transporting', disposition: 'returned' },
    'x-exception': none,
    // The disposition `expired` refers to a product's expiration date.
    'x-expired': none,
    'x-*': none,
  },
}

/** Steps at which the existence of an object begins or ends have a special action (EPCIS 2.0, Action). */
export const actionOf: Readonly<Record<string, Row['action']>> = {
  commissioning: 'ADD',
  creating_class_instance: 'ADD',
  decommissioning: 'DELETE',
  destroying: 'DELETE',
}

/** `x-inspecting` and similar codes were read from steps without a code, and are written as the same steps again. */
const steps: ReadonlyMap<string, Row> = new Map(
  bizSteps.map((bizStep) => [`x-${bizStep}`, { fidelity: '=', action: actionOf[bizStep] ?? 'OBSERVE', bizStep }]),
)

const carried: CarriedRows<Row> = { format: 'epcis', schema: rowSchema }

const registered = rowsOf(table, carried)

/** A code of a profile in the vocabulary of CBV. */
export function rowFor(profile: Profile, code: string): Row {
  return (isExperimental(code) ? steps.get(code) : undefined) ?? registered(profile, code)
}

/** Steps with the words of source events; equal ones are one object, so that their texts can be cached. */
const worded = cached(
  ({ action, bizStep, disposition, ...row }: Step): Step => ({
    action,
    ...(bizStep !== undefined && { bizStep }),
    ...(disposition !== undefined && { disposition }),
    ...(row.atDestination && { atDestination: true }),
    ...(row.leaves && { leaves: true }),
  }),
  { keyOf: (step) => JSON.stringify(step), isSame: () => true },
)

/** The step of an event: in the words of its source event, if it has one, or those for its code. */
export function stepOf(profile: Profile, { status_code, source }: Pick<TimelineEvent, 'status_code' | 'source'>): Step {
  const row = rowFor(profile, status_code)
  const words = source?.event
  if (words === undefined) return row
  const { biz_step: bizStep, disposition } = words
  const action = actions.find((one) => one === words.action) ?? 'OBSERVE'
  return worded({ ...row, action, bizStep, disposition })
}

/** The published form of the table: `arriving / in_transit`. */
export const codes = mappingsOf(
  table,
  ({ fidelity, bizStep, disposition }) => ({
    fidelity,
    value: fidelity === 'none' ? '' : disposition === undefined ? bizStep : `${bizStep} / ${disposition}`,
  }),
  carried,
)
