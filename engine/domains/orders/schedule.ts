import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isRefusal } from '../../kernel/errors.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { numberKey, searchKey } from '../../kernel/number-key.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { day, word } from '../../kernel/schemas.ts'
import { timeWindow } from '../../kernel/time-window.ts'
import { commandStamp, runOrder, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import type { TimeWindow } from './schema.ts'

/** One order that is to be done at another time. */
interface Update {
  readonly ref: string
  readonly time_window: TimeWindow
  readonly schedule_date?: string
}

/** Changes when orders are to be done, many at once. */
export const updateTimeWindowByRefs = operation({
  name: 'update_time_window_by_refs',
  summary: 'Change the time windows, and if wanted the days, of up to 100 orders named by external references.',
  scopes: ['orders:write'],
  risk: 'medium',
  roles: ['client_admin', 'client_employee', 'customer'],
  tag: 'Client',
  mcp: {
    title: 'Update time windows',
    destructive: true,
    idempotent: true,
    hint: 'What fails does not stop the others.',
  },
  rest: { method: 'POST', path: '/api/v1/orders/time-windows' },
  ids: { 'updates.*.ref': 'each' },
  input: v.strictObject({
    updates: v.pipe(
      v.array(
        v.strictObject({
          ref: v.pipe(word(100), v.description('The reference or the external tracking number of an order.')),
          time_window: timeWindow,
          schedule_date: v.exactOptional(day),
        }),
      ),
      v.minLength(1),
      v.maxLength(100),
    ),
  }),
  output: v.strictObject({
    result: v.pipe(v.boolean(), v.description('Whether at least one order was found and may be changed.')),
    updated: v.number(),
    failed: v.number(),
    results: v.array(
      v.strictObject({
        ref: v.string(),
        result: v.boolean(),
        order_id: v.exactOptional(v.number()),
        code: v.exactOptional(v.string()),
        message: v.exactOptional(v.string()),
      }),
    ),
  }),
  errors: ['order_not_found', 'order_status_forbids', 'unknown_reference', 'ambiguous_reference', 'contention'],
  handle: async (context, { updates }) => {
    const results = []
    for (const update of updates) results.push(await updated(context, update))
    const count = results.filter(({ result }) => result).length
    return { result: count > 0, updated: count, failed: results.length - count, results }
  },
})

async function updated(context: Context, { ref, time_window, schedule_date }: Update) {
  try {
    const order_id = await orderReferredTo(context, ref)
    const command = {
      type: 'Reschedule',
      ...commandStamp(context),
      time_window,
      ...omitUndefined({ schedule_date }),
    } as const
    await runOrder(context, order_id, command)
    return { ref, result: true, order_id }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ref, result: false, code: error.code, message: messageOf(error.code, error.params, context.messages) }
  }
}

/** The only order with a reference. Orders that were replaced by another one do not count. */
async function orderReferredTo(context: Context, ref: string): Promise<number> {
  const where = { ...visibleWhere(context), family: localDelivery, replaced_by: null }
  const rowsBy = async (cell: Row, limit: number) =>
    (await context.models.page(orderModel, { where: { ...where, ...cell }, limit })).rows
  // A search is generous with dashes; a change is not.
  const referred = await rowsBy({ reference_key: searchKey(ref) }, maxAmong)
  const same = referred.filter(({ reference }) => numberKey(String(reference)) === numberKey(ref)).slice(0, 2)
  const numbered = await rowsBy({ external_key: numberKey(ref) }, 2)
  const ids = new Set([...same, ...numbered].map(({ order_id }) => Number(order_id)))
  const [id] = ids
  if (id === undefined) throw new EngineError('unknown_reference')
  if (ids.size > 1) throw new EngineError('ambiguous_reference', { count: ids.size })
  return id
}
