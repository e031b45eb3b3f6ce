import { streamOf } from '../../entity/access.ts'
import { commandStamp, drafted } from '../../entity/operations.ts'
import { accountOf } from '../../kernel/call.ts'
import { ownFleetName, type Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { requireContents, requireCustoms } from '../../kernel/customs-findings.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { bareParcels } from '../../kernel/parcel.ts'
import { execute } from '../../store/execute.ts'
import { passNumbersOf } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { trackingOf } from './follow.ts'
import { type Label, labelKind, labels } from './label.ts'
import { labelRefunds } from './pay.ts'
import { leaving } from './pickups/labels.ts'
import type { ChosenRate } from './ports.ts'
import { label } from './table.ts'
import { usingRate } from './used-rates.ts'

/** What is given beside the rate and the shipment. */
interface Naming {
  readonly reference?: string | undefined
  readonly rateId?: string
}

/**
 * A label that is to be bought at a rate, but not recorded yet. A rate that has an id is used once (`rate_used`). Refuses with
 * `invalid_input`, and `customs_required` at each member that customs need; the drivers of the business see to that themselves.
 */
export async function draftLabel(
  context: Context,
  rate: ChosenRate,
  shipment: Shipment,
  { reference, rateId }: Naming,
): Promise<{ readonly id: number; readonly appends: readonly Append[] }> {
  const asked = await chosen(context, rate)
  if (asked.carrier === ownFleetName) requireContents(shipment)
  else requireCustoms(shipment)
  // A node of an earlier version may still sell labels with other numbers.
  await passNumbersOf(context, labelKind.sequence, label.category)
  const named = { reference, registered: true }
  const values = { ...asked, ...shippedValues(context, shipment), ...named }
  const { id, appends } = await drafted(context, labelKind, values)
  return { id, appends: rateId === undefined ? appends : [...appends, ...(await usingRate(context, rateId, id))] }
}

/** What a label records of its shipment: what is in it, with the people, because both are personal. */
export function shippedValues(context: Context, shipment: Shipment) {
  const { from, to, parcels, customs } = shipment
  const terms = context.ports.labels.termsOf(context, shipment)
  const hasContents = parcels.some(({ items }) => items !== undefined)
  const contents = hasContents ? parcels.map(({ items = [] }) => items) : undefined
  return { from, to, parcels: bareParcels(parcels), terms, ...omitUndefined({ contents, customs }) }
}

/** A rate that a label is to be bought at. Each purchase has its own key. */
export async function chosen(context: Context, { reference: rate_reference, ...rate }: ChosenRate) {
  const carrier = await context.ports.labels.carrierOf(context, rate.carrier_account_id)
  const { id: business_id } = accountOf(context).business
  return { ...rate, rate_reference, carrier, business_id, key: context.randomId() }
}

/**
 * Records that a label is to be voided, and takes it out of its pickup; its carrier is asked later. Refuses with
 * `label_status_forbids`, also once a parcel of it is delivered or all are back, and with `label_in_pickup`.
 */
export async function askVoid(context: Context, id: number): Promise<void> {
  const command = { move: 'ask_void', ...commandStamp(context) } as const
  await execute(context.store, labels, streamOf(label, id), command, toNewEvent(context), async (state, events) => {
    if (state === undefined) return []
    await requireUndelivered(context, state)
    return [...(await leaving(context, state)), ...(await labelRefunds(context, state, events))]
  })
}

/** What the carrier scans after the end of a parcel does not undo it. */
async function requireUndelivered(context: Context, state: Label): Promise<void> {
  const { order_id: label, order_status, reported = {} } = state
  if (order_status === 'RETURNED') throw new EngineError('label_status_forbids', { label, status: 'return_to_sender' })
  const latest = (await trackingOf(context, state)).map(({ status_code }) => status_code)
  if ([...latest, ...Object.values(reported)].includes('delivered'))
    throw new EngineError('label_status_forbids', { label, status: 'delivered' })
}
