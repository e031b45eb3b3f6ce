import * as v from 'valibot'
import { load } from '../../entity/access.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { labelKind, labelStream, labels } from './label.ts'

/** Erases the personal data of a label for good. */
export const forgetLabel = operation({
  name: 'forget_label',
  summary:
    'Erase the personal data of a label order for good: its events stay, and the key of the personal data is destroyed. The carrier keeps what it has.',
  scopes: ['otep:erase'],
  risk: 'high',
  tag: 'LabelService',
  ids: { order_id: 'rule' },
  input: v.strictObject({
    order_id: id,
    dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only say whether there is something to erase.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    state: v.pipe(
      v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
      v.description('not_forgotten after a dry run alone.'),
    ),
  }),
  errors: ['label_not_found', 'label_status_forbids', 'contention', 'erasure_unfinished'],
  handle: async (context, { order_id, dry_run = false }) => {
    const label = await load(context, labelKind, order_id)
    if (label === undefined) throw new EngineError('label_not_found', { label: order_id })
    if (label.state.isForgotten) return { result: true, order_id, state: 'already_forgotten' }
    if (dry_run) return { result: true, order_id, state: 'not_forgotten' }
    const command = { type: 'LabelForgotten', at: isoOf(context.clock()) } as const
    await execute(context.store, labels, labelStream(order_id), command, toNewEvent(context))
    return { result: true, order_id, state: 'forgotten' }
  },
})
