import { streamOf } from '../../entity/access.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { OrderStatus } from '../../kernel/order-status.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers, passNumbersOf } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { rowOfLabel } from './family.ts'
import { trackingOf } from './follow.ts'
import { type Label, labelKind, labels } from './label.ts'
import { orderStatusAfter } from './progress.ts'
import { label } from './table.ts'

/**
 * Registers a label of an earlier version as an order, as far as its parcels are. Labels had a separate sequence of numbers: if an
 * order has its number, its history goes on in a stream of another one; the old stream says so, and keeps nothing of people. May be
 * repeated.
 */
export async function registerLabel(context: Context, asked: RecordedEvent<EntityEvent>): Promise<void> {
  if (asked.type !== label.moves.ask.event || asked.revision > 0 || asked.data.registered) return
  await passNumbersOf(context, labelKind.sequence, label.category)
  const given = Number(asked.data.order_id)
  const isTaken = await context.ports.labels.isOrder(context, given)
  await retryOnConflict(async () => {
    const stream = streamOf(label, given)
    const history = (await context.store.read(stream)) as readonly RecordedEvent<EntityEvent>[]
    const state = fold(labels, history)
    if (state === undefined || state.registered || state.renumbered_as !== undefined) return
    const expected = history.length - 1
    if (!isTaken) {
      await context.store.appendMany([{ stream, events: await registering(context, state), expected }])
      return
    }
    const { first: order_id, append } = await nextNumbers(context, labelKind.sequence)
    await context.store.appendMany([append, ...(await moving(context, history, order_id))])
  })
}

/** What moves the history of a label to a stream of another number. */
async function moving(
  context: Context,
  history: readonly RecordedEvent<EntityEvent>[],
  order_id: number,
): Promise<readonly Append[]> {
  const former_id = Number(history[0]?.data.order_id)
  const moved = history.map(({ type, data, metadata }, index): NewEvent<EntityEvent> => {
    const now = { ...data, order_id, ...(index === 0 && { former_id }) }
    return { id: context.randomId(), type, data: now, metadata }
  })
  const state = fold(labels, moved) as Label
  const command = {
    move: 'renumber',
    at: isoOf(context.clock()),
    by: null,
    values: { renumbered_as: order_id },
  } as const
  const events = labels.decide(command, fold(labels, history)).map(toNewEvent(context))
  return [
    {
      stream: streamOf(label, order_id),
      events: [...moved, ...(await registering(context, state))],
      expected: 'no-stream',
    },
    { stream: streamOf(label, former_id), events, expected: history.length - 1 },
  ]
}

async function registering(context: Context, state: Label): Promise<readonly NewEvent[]> {
  const values = { registered: true, row: rowOfLabel(state), order_status: await orderStatusOf(context, state) }
  const command = { move: 'register', at: isoOf(context.clock()), by: null, values } as const
  return labels.decide(command, state).map(toNewEvent(context))
}

/** How far the parcels of a label are, by what their carrier reported before labels said so. */
async function orderStatusOf(context: Context, state: Label): Promise<OrderStatus> {
  let { order_status } = state
  const reported: Record<string, string> = {}
  for (const { tracking_number, status_code, occurred_at } of await trackingOf(context, state)) {
    const report = { provider: state.carrier, event_id: '', status_code, occurred_at, position: '', tracking_number }
    if (order_status !== 'CANCELLED') order_status = orderStatusAfter({ ...state, reported: { ...reported } }, report)
    reported[tracking_number] = status_code
  }
  return order_status
}
