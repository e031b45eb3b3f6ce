import * as v from 'valibot'
import { loadOwn, type Named, ownId } from '../../entity/access.ts'
import type { Account } from '../../kernel/account.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { type Callback, callbackEntries, callbackIn, callbackProblem } from '../../kernel/callback.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { refuseLongRows, tallyOf } from '../../kernel/rows.ts'
import { id, refusingMember } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type Batch, batches, batchStream } from './decider.ts'
import { answerOfRow, rowAnswer, rowOrder } from './rows.ts'

/** The most orders in one batch. */
export const maxLater = 500

/** Accepts orders that the engine creates later; `newOrder` is the schema of each. */
export const bulkCreateOrdersAsync = (newOrder: v.GenericSchema) =>
  operation({
    name: 'bulk_create_orders_async',
    summary: 'Accept up to 500 orders, which are created one after the other. Returns an asyncId at once.',
    scopes: ['orders:write'],
    risk: 'high',
    tag: 'Client',
    roles: ['client_admin', 'client_employee', 'customer'],
    mcp: {
      title: 'Create very many orders',
      destructive: false,
      hint: 'get_async_batch_result returns the result of each order. A refused order does not stop the others.',
    },
    rest: { method: 'POST', path: '/api/v1/client/batchOrderCreateAsync', bodyLimit: 4 * 1024 * 1024 },
    ids: { 'orders.*.customer_id': 'each', 'orders.*.rate_id': 'each', 'orders.*.shop_id': 'each' },
    input: v.pipe(
      v.strictObject({
        orders: v.pipe(v.array(rowOrder(newOrder)), v.minLength(1), v.maxLength(maxLater)),
        ...callbackEntries,
      }),
      refusingMember((input) => callbackProblem(input)),
    ),
    output: v.strictObject({ result: v.literal(true), asyncId: v.number() }),
    errors: ['invalid_input', 'contention'],
    handle: async (context, { orders, ...input }) => {
      refuseLongRows('orders', orders)
      return { result: true, asyncId: await acceptBatch(context, orders, callbackIn(input)) }
    },
  })

/** Accepts orders, and answers the id of their batch. */
export async function acceptBatch(
  context: Context,
  orders: readonly unknown[],
  callback: Callback | undefined,
): Promise<number> {
  const { id: by, role, business } = accountOf(context)
  const customer = role === 'customer' ? { customer_id: by } : {}
  return retryOnConflict(async () => {
    const { first: batch_id, append } = await nextNumbers(context, 'batch')
    const at = isoOf(context.clock())
    const called = callback === undefined ? undefined : await context.ports.batches.registerCallback(context, callback)
    const whose = {
      by,
      ...customer,
      business_id: business.id,
      ...(called === undefined ? {} : { callback: called.owner }),
    }
    const command = { type: 'AcceptBatch', at, ...whose, batch_id, orders } as const
    const events = batches.decide(command, undefined).map(toNewEvent(context))
    const accepted = { stream: batchStream(batch_id), events, expected: 'no-stream' } as const
    await context.store.appendMany([append, accepted, ...(called?.appends ?? [])])
    return batch_id
  })
}

/** Staff see the batches of their business, other accounts their own. */
const batchKind: Named<Batch> = {
  entity: {
    category: 'batch',
    refusals: { missing: 'batch_not_found', param: 'batch' },
    access: {
      belongs: (context, { businessId, by }) => {
        const { id: caller, role, business } = accountOf(context)
        return businessId === business.id && (by === caller || staff.includes(role))
      },
    },
  },
  decider: batches,
}

/** Returns the progress and the results of a batch. */
export const getAsyncBatchResult = operation({
  name: 'get_async_batch_result',
  summary: 'Progress of a batch of orders, and the result of each created or refused order.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Result of a batch of orders', idempotent: true },
  rest: { method: 'GET', path: '/api/v1/client/async/{id}' },
  ids: { id: ownId(batchKind) },
  input: v.strictObject({ id: v.pipe(id, v.description('The asyncId of the batch.')) }),
  output: v.strictObject({
    result: v.literal(true),
    asyncId: v.number(),
    status: v.picklist(['accepted', 'running', 'finished']),
    total: v.number(),
    done: v.pipe(v.number(), v.description('Number of created and refused orders.')),
    created: v.number(),
    failed: v.number(),
    accepted_at: v.string(),
    finished_at: v.exactOptional(v.string()),
    orders: v.pipe(v.array(rowAnswer), v.description('Finished orders, in order of place.')),
  }),
  errors: ['batch_not_found'],
  handle: async (context, { id: batchId }) => {
    const { state } = await loadOwn(context, batchKind, batchId)
    return answerOf(context, accountOf(context), state)
  },
})

function answerOf({ messages }: Context, { business }: Account, batch: Batch) {
  const inZone = (instant: string) => zonedIso(Date.parse(instant), business.timeZone)
  const { id: asyncId, rows: total, results, acceptedAt, finishedAt } = batch
  const begun = results.length === 0 ? 'accepted' : 'running'
  return {
    result: true,
    asyncId,
    status: finishedAt === undefined ? begun : 'finished',
    total,
    done: results.length,
    ...tallyOf(results),
    accepted_at: inZone(acceptedAt),
    ...(finishedAt === undefined ? {} : { finished_at: inZone(finishedAt) }),
    orders: results.map((row) => answerOfRow(row, messages)),
  }
}
