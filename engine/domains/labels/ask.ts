import { accountOf } from '../../kernel/call.ts'
import type { Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { LabelAsked } from './events.ts'
import { type Label, labelStream, labels } from './label.ts'
import { leaving } from './pickups/labels.ts'
import type { ChosenRate } from './ports.ts'

/** A label that is to be bought, but not recorded yet. */
export async function draftLabel(
  context: Context,
  rate: ChosenRate,
  shipment: Shipment,
  reference: string | undefined,
): Promise<{ readonly id: number; readonly appends: readonly Append[] }> {
  const carrier = await context.ports.labels.carrierOf(context, rate.carrier_account_id)
  const { first: id, append } = await nextNumbers(context, 'label')
  const { from, to, parcels } = shipment
  const bought = { order_id: id, parcels, ...omitUndefined({ reference }), personal: { from, to } }
  const events = asked(context, undefined, { ...bought, carrier, rate })
  return { id, appends: [append, { stream: labelStream(id), events, expected: 'no-stream' }] }
}

/** The events that ask for a label, at first or again after a failed purchase. Each purchase has its own key. */
export function asked(
  context: Context,
  label: Label | undefined,
  {
    carrier,
    rate,
    ...what
  }: Pick<LabelAsked['data'], 'order_id' | 'parcels' | 'reference' | 'personal' | 'carrier'> & {
    readonly rate: ChosenRate
  },
) {
  const { id: by, business } = accountOf(context)
  const { carrier_account_id, service, amount, currency, exchange, reference: rate_reference } = rate
  const data = {
    ...{ at: isoOf(context.clock()), by, business_id: business.id, key: context.randomId() },
    ...{ carrier_account_id, carrier, service, amount, currency, ...omitUndefined({ exchange, rate_reference }) },
    ...what,
  }
  return labels.decide({ type: 'AskLabel', ...data }, label).map(toNewEvent(context))
}

/**
 * Records that a label is to be voided, and takes it out of its pickup; its carrier is asked later. Refuses with
 * `label_status_forbids`, and with `label_in_pickup`.
 */
export async function askVoid(context: Context, id: number): Promise<void> {
  const command = { type: 'LabelVoidAsked', at: isoOf(context.clock()), by: accountOf(context).id } as const
  await execute(context.store, labels, labelStream(id), command, toNewEvent(context), async (label) =>
    label === undefined ? [] : leaving(context, label),
  )
}
