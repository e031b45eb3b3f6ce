import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { untilUncontended } from '../../store/execute.ts'
import { decideOn, findLoaded, givenBy } from './load.ts'

/** Erases what an order tells of people, for good. */
export const forgetOrder = operation({
  name: 'forget_order',
  summary:
    'Erase for good what an order tells of people: its facts stay, and the key of the rest is thrown away. Its timeline is forgotten by otep_forget.',
  scopes: ['otep:erase'],
  risk: 'high',
  tag: 'Client',
  input: v.strictObject({
    order_id: id,
    dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only say whether there is something to erase.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    tracking_number: v.pipe(v.string(), v.description('By which the timeline of the order is found.')),
    state: v.pipe(
      v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
      v.description('not_forgotten after a dry run alone.'),
    ),
  }),
  errors: ['order_not_found', 'contention', 'erasure_unfinished'],
  handle: (context, { order_id, dry_run = false }) =>
    untilUncontended(async () => {
      const loaded = await findLoaded(context, order_id)
      if (loaded === undefined) throw new EngineError('order_not_found', { order: order_id })
      const { isForgotten, trackingNumber } = loaded.order
      const answer = { result: true, order_id, tracking_number: trackingNumber }
      if (isForgotten) return { ...answer, state: 'already_forgotten' }
      if (dry_run) return { ...answer, state: 'not_forgotten' }
      const { appends } = decideOn(context, loaded, { type: 'EraseOrder', ...givenBy(context) })
      await context.store.appendMany(appends)
      return { ...answer, state: 'forgotten' }
    }),
})
