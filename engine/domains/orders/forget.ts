import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { commandStamp, decideOn, findLoaded, type LoadedOrder } from './load.ts'

/** Erases the personal data of an order for good. */
export const forgetOrder = operation({
  name: 'forget_order',
  summary:
    'Erase the personal data of an order for good: its events stay, and the key of the personal data is destroyed. The personal data of its timeline is erased a moment later.',
  scopes: ['otep:erase'],
  risk: 'high',
  tag: 'Client',
  ids: { order_id: 'rule' },
  input: v.strictObject({
    order_id: id,
    dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only say whether there is something to erase.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    orders: v.pipe(
      v.array(v.strictObject({ order_id: v.number(), tracking_number: v.string() })),
      v.description(
        'The order, and those that it took the place of or that took its place: they tell of the same people.',
      ),
    ),
    state: v.pipe(
      v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
      v.description('not_forgotten after a dry run alone.'),
    ),
  }),
  errors: ['order_not_found', 'contention', 'erasure_unfinished'],
  handle: (context, { order_id, dry_run = false }) =>
    retryOnConflict(async () => {
      const related = await relatedTo(context, order_id)
      const orders = related.map(({ state: { order_id, tracking_number } }) => ({ order_id, tracking_number }))
      const left = related.filter(({ state }) => !state.isErased)
      const answer = { result: true, order_id, orders }
      if (left.length === 0) return { ...answer, state: 'already_forgotten' }
      if (dry_run) return { ...answer, state: 'not_forgotten' }
      const stamp = commandStamp(context)
      const erasures = left.flatMap((loaded) => decideOn(context, loaded, { type: 'EraseOrder', ...stamp }).appends)
      await context.store.appendMany(erasures)
      return { ...answer, state: 'forgotten' }
    }),
})

/** An order, and all that it was rerouted from and to, in no order. */
async function relatedTo(context: Context, id: number): Promise<readonly LoadedOrder[]> {
  const found = new Map<number, LoadedOrder>()
  const wanted = [id]
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (found.has(next)) continue
    const loaded = await findLoaded(context, next)
    if (loaded === undefined) throw new EngineError('order_not_found', { order: next })
    found.set(next, loaded)
    const { replaces, replaced_by: replacedBy } = loaded.state
    wanted.push(...[replaces, replacedBy].filter((other) => other !== undefined))
  }
  return [...found.values()]
}
