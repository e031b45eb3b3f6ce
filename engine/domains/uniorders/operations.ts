import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { labelAnswerEntries, labelRequestEntries } from '../../kernel/label-request.ts'
import { named } from '../../kernel/named.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { bookingErrors, bookingSchema, draftUniorder } from './booking.ts'
import {
  loadUniorder,
  recordOf,
  settleUniorder,
  shippingOf,
  uniorderEntries,
  uniorderIdOf,
  uniorderIds,
  uniorderRecord,
} from './uniorder.ts'

const common = { tag: 'Uniorder', roles: [...staff, 'customer'] } as const
const reading = { ...common, scopes: ['uniorder:read'], risk: 'low' } as const
const onUniorder = v.strictObject(uniorderEntries)
const answer = named('UniorderAnswer', v.strictObject({ result: v.literal(true), uniorder: uniorderRecord }))

/** Books a shipment at a rate. */
export const uniorderCreate = operation({
  ...common,
  name: 'uniorder_create',
  summary:
    'Book a shipment at a rate of uniorder_rate, which decides: the business delivers it itself, or a label is bought.',
  scopes: ['uniorder:write'],
  risk: 'medium',
  mcp: {
    title: 'Book a shipment',
    destructive: false,
    hint: 'Send an idempotency key, so that a repeated call does not book again. While a label is LABEL_PENDING, uniorder_get tells it later.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder' },
  ids: { rate_id: 'rule' },
  input: bookingSchema,
  output: answer,
  errors: bookingErrors,
  handle: (context, input) =>
    retryOnConflict(async () => {
      const { uniorder, appends } = await draftUniorder(context, input)
      await context.store.appendMany(appends)
      return answerOf(context, uniorderIdOf(uniorder))
    }),
  settle: settled,
})

/** Returns a uniorder. */
export const uniorderGet = operation({
  ...reading,
  name: 'uniorder_get',
  summary: 'A booked shipment: how it is delivered, its status, tracking numbers and price.',
  mcp: { title: 'Detail of a shipment' },
  rest: { method: 'GET', path: '/api/v1/uniorder/{uniorder_id}' },
  ids: uniorderIds,
  input: onUniorder,
  output: answer,
  errors: ['uniorder_not_found'],
  handle: (context, { uniorder_id }) => answerOf(context, uniorder_id),
})

/** Returns the document that goes on the parcels. */
export const uniorderLabel = operation({
  ...reading,
  name: 'uniorder_label',
  summary: 'The label of a booked shipment in base64: one for each parcel.',
  mcp: { title: 'Label of a shipment' },
  rest: { method: 'GET', path: '/api/v1/uniorder/{uniorder_id}/label' },
  ids: uniorderIds,
  input: v.strictObject({
    ...uniorderEntries,
    ...labelRequestEntries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    uniorder_id: v.string(),
    ...labelAnswerEntries,
  }),
  errors: [
    ...([
      'uniorder_not_found',
      'order_status_forbids',
      'order_forgotten',
      'unprintable_text',
      'labels_unavailable',
    ] as const),
    ...(['label_status_forbids', 'label_forgotten', 'label_document_unreachable'] as const),
    ...(['carrier_account_not_found', 'carrier_refused', 'carrier_timed_out', 'carrier_broken'] as const),
    ...(['carrier_wrong_answer', 'carrier_too_busy', 'size_needs_pdf', 'no_such_place'] as const),
  ],
  handle: async (context, { uniorder_id, ...request }) => {
    const { uniorder } = await loadUniorder(context, uniorder_id)
    const document = await shippingOf(context, uniorder).document(context, uniorder.id, request)
    return { result: true, uniorder_id: uniorderIdOf(uniorder), ...document }
  },
})

/** Returns what became of the parcels. */
export const uniorderTracking = operation({
  ...reading,
  name: 'uniorder_tracking',
  summary: 'What became of the parcels of a booked shipment; the carrier of a label is asked.',
  mcp: { title: 'Tracking of a shipment' },
  rest: { method: 'GET', path: '/api/v1/uniorder/{uniorder_id}/tracking' },
  ids: uniorderIds,
  input: onUniorder,
  output: v.strictObject({
    result: v.literal(true),
    uniorder_id: v.string(),
    status: v.string(),
    parcels: v.array(
      v.strictObject({
        tracking_number: v.string(),
        events: v.pipe(
          v.array(
            v.strictObject({
              status_code: v.string(),
              occurred_at: v.pipe(v.string(), v.description('ISO 8601.')),
              description: v.exactOptional(v.string()),
              locality: v.exactOptional(v.string()),
              country: v.exactOptional(v.string()),
            }),
          ),
          v.description('Oldest first.'),
        ),
        unanswered: v.exactOptional(v.pipe(v.string(), v.description('Why the carrier tells nothing.'))),
      }),
    ),
  }),
  errors: ['uniorder_not_found', 'carrier_account_not_found'],
  handle: async (context, { uniorder_id }) => {
    const { uniorder, booked } = await loadUniorder(context, uniorder_id)
    const parcels = await shippingOf(context, uniorder).track(context, uniorder.id)
    return { result: true, uniorder_id: uniorderIdOf(uniorder), status: booked.status, parcels }
  },
})

/** Cancels a uniorder. */
export const uniorderCancel = operation({
  ...common,
  name: 'uniorder_cancel',
  summary: 'Cancel a booked shipment: an order is cancelled, and the carrier of a label takes it back.',
  scopes: ['uniorder:write'],
  risk: 'high',
  mcp: { title: 'Cancel a shipment', idempotent: true },
  rest: { method: 'POST', path: '/api/v1/uniorder/{uniorder_id}/cancel' },
  ids: uniorderIds,
  input: onUniorder,
  output: answer,
  errors: [
    ...(['uniorder_not_found', 'cancel_refused', 'label_status_forbids', 'label_in_pickup'] as const),
    ...(['carrier_refused', 'contention'] as const),
  ],
  handle: async (context, { uniorder_id }) => {
    const { uniorder } = await loadUniorder(context, uniorder_id)
    await shippingOf(context, uniorder).cancel(context, uniorder.id)
    return answerOf(context, uniorder_id)
  },
  settle: async (context, recorded) => {
    const answer = await settled(context, recorded)
    const { refusal } = uniorderIn(answer)
    if (refusal !== undefined) throw new EngineError('carrier_refused', { reason: refusal.message ?? refusal.code })
    return answer
  },
})

/** Buys the label of a uniorder again. */
export const uniorderPurchaseLabel = operation({
  ...common,
  name: 'uniorder_purchase_label',
  roles: staff,
  summary: 'Buy the label of a shipment in status LABEL_PURCHASE_FAILED: at the same rate, or at a new one.',
  scopes: ['uniorder:write'],
  risk: 'high',
  mcp: {
    title: 'Buy the label of a shipment again',
    destructive: false,
    hint: 'Send an idempotency key, so that a repeated call does not buy again.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder/{uniorder_id}/purchase-label' },
  ids: { ...uniorderIds, rate_id: 'rule' },
  input: v.strictObject({
    ...uniorderEntries,
    rate_id: v.exactOptional(
      v.pipe(word(12_000), v.description('A new rate of a carrier; the one before where absent.')),
    ),
  }),
  output: answer,
  errors: [
    ...(['uniorder_not_found', 'not_a_label', 'label_status_forbids', 'label_forgotten'] as const),
    ...bookingErrors,
  ],
  handle: async (context, { uniorder_id, rate_id }) => {
    const { uniorder } = await loadUniorder(context, uniorder_id)
    if (uniorder.way !== 'label') throw new EngineError('not_a_label', { uniorder: uniorder_id })
    await context.ports.uniorders.buyLabelAgain(context, uniorder.id, rate_id)
    return answerOf(context, uniorder_id)
  },
  settle: settled,
})

async function answerOf(context: Context, uniorder_id: string): Promise<Answer> {
  return { result: true, uniorder: await recordOf(context, uniorder_id) }
}

function uniorderIn({ uniorder }: Answer) {
  return uniorder as v.InferOutput<typeof uniorderRecord>
}

/** Has the carrier of a label asked now, and answers the uniorder as it is then. */
async function settled(context: Context, recorded: Answer): Promise<Answer> {
  const { uniorder_id } = uniorderIn(recorded)
  await settleUniorder(context, uniorder_id)
  return answerOf(context, uniorder_id)
}
