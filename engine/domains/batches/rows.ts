import * as v from 'valibot'
import { callbackEntries, callbackIn } from '../../kernel/callback.ts'
import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Code, Messages } from '../../kernel/messages/index.ts'
import { named, shownAs } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { parse } from '../../kernel/parse.ts'
import { referenceOf, refusedRowAnswer, rowRefusalEntries, rowRefusalOf } from '../../kernel/rows.ts'
import { collect } from '../../store/collect.ts'
import { nextNumbers } from '../../store/sequence.ts'
import type { RowResult } from './events.ts'
import type { OrderDraft } from './ports.ts'

/**
 * An order of a batch, by the schema of a new order. An invalid order is refused alone, without the rest of the
 * batch.
 */
export function rowOrder(newOrder: v.GenericSchema) {
  return shownAs('NewOrder', v.union([newOrder, v.record(v.string(), v.unknown())]))
}

/** The results of orders that were drafted together, and the appends of the valid ones. */
export interface DraftedRows {
  readonly results: readonly RowResult[]
  readonly appends: readonly Append[]
}

/** Errors that refuse one order; any other error fails the whole batch. */
const refusals: readonly Code[] = ['invalid_input', 'customer_not_found', 'tracking_number_taken', 'account_required']

/**
 * Drafts the orders of a batch from place `from` on. Valid orders take ids in order of place, in the same
 * transaction.
 */
export async function draftRows(
  context: Context,
  orders: readonly unknown[],
  source: OrderDraft['source'],
  from = 0,
): Promise<DraftedRows> {
  const numbers = await nextNumbers(context, 'order', orders.length)
  let id = numbers.first
  // Each order sees the tracking numbers of the orders before it.
  const { result: results, appends } = await collect(context, async (collecting) => {
    const results: RowResult[] = []
    for (const [place, input] of orders.entries()) {
      const result = await draftRow(collecting, input, { id, source, index: from + place })
      if (result.result) id++
      results.push(result)
    }
    return results
  })
  const good = id - numbers.first
  const takenIds = { ...numbers.append, events: numbers.append.events.slice(0, good) }
  return { results, appends: good === 0 ? [] : [takenIds, ...appends] }
}

async function draftRow(
  context: Context,
  input: unknown,
  { index, ...draft }: OrderDraft & { readonly index: number },
): Promise<RowResult> {
  const row = { index, ...omitUndefined({ reference: referenceOf(input) }) }
  try {
    const { trackingNumber, appends } = await context.ports.batches.draftOrder(context, input, draft)
    await context.store.appendMany(appends)
    return { ...row, result: true, order_id: draft.id, tracking_number: trackingNumber }
  } catch (error) {
    if (!isEngineError(error) || !refusals.includes(error.code)) throw error
    // The others are answered at once.
    const callback = draft.source === 'async' ? await callbackOf(context, input) : undefined
    return { ...row, result: false, ...rowRefusalOf(error), ...omitUndefined({ callback }) }
  }
}

/** The owner of the callback of a refused order, if it can be notified. */
async function callbackOf(context: Context, input: unknown): Promise<string | undefined> {
  const callback = callbackIn(parse(v.object(callbackEntries), input).value ?? {})
  if (callback === undefined) return undefined
  try {
    const { owner, appends } = await context.ports.batches.registerCallback(context, callback)
    await context.store.appendMany(appends)
    return owner
  } catch (error) {
    if (isEngineError(error, 'invalid_input') || isEngineError(error, 'account_required')) return undefined
    throw error
  }
}

/** The result of an order in answers. */
export const rowAnswer = named(
  'BatchRow',
  v.strictObject({
    index: v.pipe(v.number(), v.description('Place in the batch, from 0.')),
    result: v.boolean(),
    reference: v.exactOptional(v.string()),
    order_id: v.exactOptional(v.number()),
    tracking_number: v.exactOptional(v.string()),
    ...rowRefusalEntries,
  }),
)

/** A result with its messages in a language. */
export function answerOfRow(row: RowResult, messages: Messages): v.InferOutput<typeof rowAnswer> {
  if (row.result) return row
  const { callback: _, ...refused } = row
  return refusedRowAnswer(refused, messages)
}
