import * as v from 'valibot'
import { customerFor } from '../../entity/access.ts'
import { recordAnswer } from '../../entity/reading.ts'
import { bookedEntries, type Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { id, refusingMember, word } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { askVoid, draftLabel } from './ask.ts'
import { trackingOf } from './follow.ts'
import { labelId, loadLabel } from './label.ts'
import { labelIdIn, onLabel } from './named.ts'
import type { ChosenRate } from './ports.ts'
import { labelRecordOf } from './record.ts'
import { chosenRate, strategies } from './strategies.ts'
import { label, labelReaders } from './table.ts'
import { workOnLabel } from './work.ts'

const common = { scopes: ['labels:write'], roles: labelReaders, tag: 'LabelService' } as const
const path = '/api/v1/labelservice'

/** Codes that a rate may be refused with. */
const rateErrors = [
  ...(['rate_invalid', 'rate_expired', 'rate_used', 'rate_differs', 'rate_currency_differs'] as const),
  'customs_required',
] as const

const answer = recordAnswer(label)

/** A label, and how its parcels are. */
const detail = v.strictObject({
  ...answer.entries,
  tracking: v.exactOptional(
    v.pipe(
      v.array(
        named(
          'LabelTracking',
          v.strictObject({
            tracking_number: v.string(),
            status_code: v.pipe(v.string(), v.description('The latest that the carrier told of the parcel.')),
            occurred_at: v.pipe(v.string(), v.description('ISO 8601.')),
          }),
        ),
      ),
      v.description('The parcels of which the carrier has told. Their timelines say all.'),
    ),
  ),
})

/** Buys a label at a rate. */
export const createShippingLabel = operation({
  ...common,
  name: 'create_shipping_label',
  summary: 'Buy the label of a shipment at a rate. Answers its tracking numbers, or LABEL_PURCHASE_FAILED and why.',
  risk: 'medium',
  mcp: {
    title: 'Buy a label',
    destructive: false,
    hint: 'Send an idempotency key, so that a repeated call does not buy again. While the status is LABEL_PENDING, get_shipping_detail tells it later.',
  },
  rest: { method: 'POST', path: `${path}/createShippingLabel` },
  ids: { rate_id: 'rule' },
  input: v.strictObject({
    rate_id: v.pipe(word(12_000), v.description('A rate of compare_all_carriers, get_shipping_rate or uniorder_rate.')),
    ...bookedEntries,
  }),
  output: answer,
  errors: [...rateErrors, 'carrier_account_not_found', 'contention'],
  handle: async (context, { rate_id, reference, ...shipment }) => {
    const rate = context.ports.labels.rateFor(context, rate_id, shipment)
    return { result: true, ...(await askLabel(context, rate, shipment, { reference, rateId: rate_id })) }
  },
  settle: (context, { order_id }) => settled(context, Number(order_id)),
})

/** Quotes all carriers and buys a label of one. */
export const quoteAndShip = operation({
  ...common,
  name: 'quote_and_ship',
  summary: 'Ask every carrier for rates, choose one of them by a strategy, and buy its label.',
  risk: 'medium',
  mcp: {
    title: 'Quote and buy a label',
    destructive: false,
    hint: 'Send an idempotency key, so that a repeated call does not buy again.',
  },
  rest: { method: 'POST', path: `${path}/quoteAndShip` },
  ids: { 'preferred.*': 'rule', customer_id: 'rule' },
  input: v.pipe(
    v.strictObject({
      strategy: v.exactOptional(
        v.pipe(
          v.picklist(strategies),
          v.description(
            'cheapest where absent. best_value weighs the price against the days; preferred_carrier takes the cheapest rate of the first account of preferred that has one.',
          ),
        ),
      ),
      preferred: v.exactOptional(
        v.pipe(
          v.array(id),
          v.minLength(1),
          v.maxLength(20),
          v.description('The carrier_account_id of those that may carry it, the most preferred first.'),
        ),
      ),
      customer_id: v.exactOptional(
        v.pipe(id, v.description('The customer that is to pay. Only staff may give it; a customer buys for itself.')),
      ),
      wait_ms: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(100), v.maxValue(30_000))),
      ...bookedEntries,
    }),
    refusingMember(({ strategy, preferred }) =>
      (strategy === 'preferred_carrier') === (preferred !== undefined)
        ? undefined
        : ['preferred', 'preferred_carriers'],
    ),
  ),
  output: answer,
  errors: ['no_shipping_rate', 'customs_required', 'carrier_account_not_found', 'customer_not_found', 'contention'],
  handle: async (context, { strategy = 'cheapest', preferred, customer_id, wait_ms: wait, reference, ...shipment }) => {
    const customerId = await customerFor(context, customer_id)
    const { offered, unanswered } = await context.ports.labels.compare(context, shipment, { customerId, wait })
    const first = chosenRate(strategy, offered, preferred)
    if (first === undefined) {
      const reason = unanswered.map(({ carrier_name, message }) => `${carrier_name}: ${message}`).join(' ')
      throw new EngineError('no_shipping_rate', { reason })
    }
    return { result: true, ...(await askLabel(context, first, shipment, { reference })) }
  },
  settle: (context, { order_id }) => settled(context, Number(order_id)),
})

function askLabel(context: Context, rate: ChosenRate, shipment: Shipment, named: Parameters<typeof draftLabel>[3]) {
  return retryOnConflict(async () => {
    const { id, appends } = await draftLabel(context, rate, shipment, named)
    await context.store.appendMany(appends)
    return labelRecordOf(context, (await loadLabel(context, id)).state)
  })
}

/** Has the carrier asked now, and answers the label as it is then. */
async function settled(context: Context, id: number): Promise<Answer> {
  await workOnLabel(context, id)
  return { result: true, ...labelRecordOf(context, (await loadLabel(context, id)).state) }
}

/** Returns a label. */
export const getShippingDetail = operation({
  ...common,
  name: 'get_shipping_detail',
  summary: 'A label order: its status, tracking numbers, price, where its document is, and how its parcels are.',
  risk: 'high',
  writes: false,
  mcp: { title: 'Detail of a label', destructive: false, idempotent: true },
  rest: { method: 'POST', path: `${path}/getShippingDetail` },
  ids: { order_id: labelId },
  input: onLabel,
  output: detail,
  errors: ['label_not_found'],
  handle: async (context, input) => {
    const { state } = await loadLabel(context, await labelIdIn(context, input))
    const tracking = await trackingOf(context, state)
    return { result: true, ...labelRecordOf(context, state), ...(tracking.length > 0 && { tracking }) }
  },
})

/** Voids a label. */
export const cancelShippingLabel = operation({
  ...common,
  name: 'cancel_shipping_label',
  summary:
    'Void the label of a label order, and take it out of its pickup; one that could not be bought is cancelled. Refused once the carrier has the parcel or the manifest.',
  risk: 'high',
  mcp: { title: 'Void a label', idempotent: true },
  rest: { method: 'POST', path: `${path}/cancelShippingLabel` },
  ids: { order_id: labelId },
  input: onLabel,
  output: answer,
  errors: ['label_not_found', 'label_status_forbids', 'label_in_pickup', 'carrier_refused', 'contention'],
  handle: async (context, input) => {
    const { order_id } = (await loadLabel(context, await labelIdIn(context, input))).state
    await askVoid(context, order_id)
    return { result: true, ...labelRecordOf(context, (await loadLabel(context, order_id)).state) }
  },
  settle: async (context, { order_id }) => {
    await workOnLabel(context, Number(order_id))
    const record = labelRecordOf(context, (await loadLabel(context, Number(order_id))).state)
    const { status, refusal } = record
    if (status === 'LABEL_PURCHASED' && refusal !== undefined)
      throw new EngineError('carrier_refused', { reason: refusal.message ?? refusal.code })
    return { result: true, ...record }
  },
})
