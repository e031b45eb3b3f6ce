import { streamOf } from '../../entity/access.ts'
import { commandStamp } from '../../entity/operations.ts'
import { accountOf } from '../../kernel/call.ts'
import type { CarrierScan } from '../../kernel/carrier-scan.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { recordedAmount } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Shipping, TrackedParcel } from '../../kernel/uniorder.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { askVoid, chosen, draftLabel, shippedValues } from './ask.ts'
import { documentOf } from './download.ts'
import { isNumberOf, scansOf, trackDeadline } from './follow.ts'
import { followedNumber } from './followed.ts'
import { findLabel, type Label, labels, loadLabel, shipmentOf } from './label.ts'
import { labelRefunds } from './pay.ts'
import type { ChosenRate, LabelScan } from './ports.ts'
import { labelRecordOf } from './record.ts'
import { label, labelReaders } from './table.ts'
import { usingRate } from './used-rates.ts'
import { workOnLabel } from './work.ts'

/** Labels as a way to ship. Staff see those of the business, a customer those that it has bought. */
export const labelShipping: Shipping = {
  draft: async (context, { rateId, shipment, reference }) => {
    requireReader(context)
    return draftLabel(context, context.ports.labels.rateFor(context, rateId, shipment), shipment, { reference, rateId })
  },
  find: async (context, id) => {
    const label = mayRead(context) ? await findLabel(context, id) : undefined
    if (label === undefined) return undefined
    const { status, tracking_numbers, carrier, service, created_at, ...record } = labelRecordOf(context, label)
    const { reference, currency, total_price, refusal } = record
    const optional = omitUndefined({ reference, currency, total_price, refusal })
    return { order_id: label.order_id, status, tracking_numbers, carrier, service, created_at, ...optional }
  },
  document: async (context, id, request) => documentOf(context, (await loadLabel(context, id)).state, request),
  track: async (context, id) => {
    const { state } = await loadLabel(context, id)
    return Promise.all((state.label?.tracking_numbers ?? []).map((number) => tracked(context, state, number)))
  },
  cancel: askVoid,
  settle: workOnLabel,
}

/**
 * Asks for a label again after its purchase failed: at another rate if one is given. Refuses with `label_status_forbids`, with
 * `label_forgotten`, and with the codes of a rate.
 */
export function buyLabelAgain(context: Context, id: number, rateId: string | undefined): Promise<void> {
  return retryOnConflict(async () => {
    const { state, revision } = await loadLabel(context, id)
    const { order_id, reference, customer_id } = state
    const shipment = state.isErased ? undefined : shipmentOf(state)
    if (shipment === undefined) throw new EngineError('label_forgotten', { label: order_id })
    const rate = rateId === undefined ? rateOf(state) : context.ports.labels.rateFor(context, rateId, shipment)
    // A label stays with whom it is for.
    if (rate.customer_id !== customer_id) throw new EngineError('rate_invalid')
    const values = { ...(await chosen(context, rate)), ...shippedValues(context, shipment), reference, order_id }
    const command = { move: 'ask_again', ...commandStamp(context), values } as const
    const events = labels.decide(command, state).map(toNewEvent(context))
    const used = rateId === undefined ? [] : await usingRate(context, rateId, order_id)
    const refunds = await labelRefunds(context, state, events)
    const asked = { stream: streamOf(label, order_id), events, expected: revision }
    await context.store.appendMany([asked, ...used, ...refunds])
  })
}

/** The rate that a label was to be bought at. */
function rateOf({
  carrier_account_id,
  service,
  amount: recorded,
  currency,
  exchange,
  rate_reference: reference,
  customer_id,
  sell_price,
}: Label): ChosenRate {
  const amount = recordedAmount(recorded, currency)
  const optional = omitUndefined({ exchange, reference, customer_id, sell_price })
  return { carrier_account_id, service, amount, currency, ...optional }
}

/** What the carrier tells now, beside what the timeline of the parcel has. */
async function tracked(context: Context, label: Label, tracking_number: string): Promise<TrackedParcel> {
  const { ask, reasonOf, scansOf: kept } = context.ports.labels
  const followed = await followedNumber(context, tracking_number)
  const isFollowed = followed !== undefined && isNumberOf(followed, label)
  const [outcome, known] = await Promise.all([
    ask(context, label.carrier_account_id, 'track', { tracking_number }, trackDeadline),
    isFollowed ? kept(context, tracking_number) : [],
  ])
  const answered = outcome.kind === 'answered'
  const told = answered ? outcome.answer.events : []
  const events = isFollowed ? together(known, scansOf(tracking_number, told)) : told
  const reason = answered ? undefined : reasonOf(context, outcome).message
  return { tracking_number, events: events.map(shownOf), ...omitUndefined({ unanswered: reason }) }
}

/** Events of two lists, each once, oldest first. */
function together(one: readonly LabelScan[], other: readonly LabelScan[]): readonly LabelScan[] {
  const all = new Map([...other, ...one].map((scan) => [scan.event_id, scan]))
  return [...all.values()].sort((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
}

function shownOf({ status_code, occurred_at, description, locality, country }: CarrierScan) {
  return { status_code, occurred_at, ...omitUndefined({ description, locality, country }) }
}

function mayRead(context: Pick<Context, 'caller'>): boolean {
  return labelReaders.includes(accountOf(context).role)
}

function requireReader(context: Pick<Context, 'caller'>): void {
  if (mayRead(context)) return
  throw new EngineError('wrong_account', { received: accountOf(context).role, expected: labelReaders.join(', ') })
}
