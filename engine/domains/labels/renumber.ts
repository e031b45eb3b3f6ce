import { streamOf } from '../../entity/access.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers, passNumbersOf } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { labelKind, labels } from './label.ts'
import { label } from './table.ts'

/**
 * Gives a label another `order_id` if an order has the one that it was asked for under, as labels had a sequence of their own once. Its
 * history goes on in a stream of the new number; the old one says so, and keeps nothing of people. May be repeated.
 */
export async function renumberLabel(context: Context, asked: RecordedEvent<EntityEvent>): Promise<void> {
  if (asked.type !== label.moves.ask.event || asked.revision > 0) return
  await passNumbersOf(context, labelKind.sequence, label.category)
  const former_id = Number(asked.data.order_id)
  if (!(await context.ports.labels.isOrder(context, former_id))) return
  await retryOnConflict(async () => {
    const stream = streamOf(label, former_id)
    const history = (await context.store.read(stream)) as readonly RecordedEvent<EntityEvent>[]
    const state = fold(labels, history)
    const { first: order_id, append } = await nextNumbers(context, labelKind.sequence)
    const command = {
      move: 'renumber',
      at: isoOf(context.clock()),
      by: null,
      values: { renumbered_as: order_id },
    } as const
    if (state === undefined || state.renumbered_as !== undefined) return
    const moved = history.map(({ type, data }, index): Event => {
      return { type, data: { ...data, order_id, ...(index === 0 && { former_id }) } }
    })
    await context.store.appendMany([
      append,
      { stream: streamOf(label, order_id), events: moved.map(toNewEvent(context)), expected: 'no-stream' },
      { stream, events: labels.decide(command, state).map(toNewEvent(context)), expected: history.length - 1 },
    ])
  })
}
