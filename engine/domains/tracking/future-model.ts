import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveNumber } from '../../kernel/id.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isAhead, tolerance } from './ahead.ts'
import { tracking } from './commands.ts'
import type { EventName, TrackingEvent } from './events.ts'

/** An event that was reported ahead of its time. */
interface FutureRow extends Row {
  readonly id: number
  /** The stream of its timeline. */
  readonly stream: string
  readonly provider: string
  readonly event: string
  /** When it begins to count: ISO 8601, UTC. */
  readonly due_at: string
}

/** Events that were reported ahead of their time, until that comes or they are withdrawn. */
export const futureModel = {
  name: 'future_events',
  version: 2,
  category: 'tracking',
  columns: { id: 'integer', stream: 'text', provider: 'text', event: 'text', due_at: 'text' },
  key: ['id'],
  indexes: [['due_at'], ['stream']],
  opens: () => false,
  rows: (event) => rowsOf(event as RecordedEvent<TrackingEvent>),
  gone: (event) => goneBy(event as RecordedEvent<TrackingEvent>),
} as const satisfies ReadModel

/** What was recorded before events could lie ahead was sent at once. */
function rowsOf({ type, data, stream, recordedAt }: RecordedEvent<TrackingEvent>): readonly FutureRow[] {
  if (type !== 'TrackingEventRecorded' || !wasAhead({ data, recordedAt })) return []
  const { provider, event } = data
  const { event_id, occurred_at } = event
  const due_at = isoOf(instantOf(occurred_at) - tolerance)
  return [{ id: idOf(stream, { provider, event_id }), stream, provider, event: event_id, due_at }]
}

/** Whether an event was recorded ahead of its time. */
export function wasAhead({ data, recordedAt }: Pick<RecordedEvent<TrackingEvent>, 'data' | 'recordedAt'>): boolean {
  if (!('event' in data) || !('ahead' in data)) return false
  return isAhead(instantOf(data.event.occurred_at), Date.parse(data.moved ?? recordedAt))
}

/** Those of a timeline that is split follow once more where they are now. */
function goneBy({ type, data, stream }: RecordedEvent<TrackingEvent>): readonly Row[] {
  if (type === 'TimelineSplit') return [{ stream }]
  if (type !== 'TrackingEventWithdrawn' && type !== 'TrackingEventBecameDue') return []
  return [{ id: idOf(stream, data) }]
}

function idOf(stream: string, { provider, event_id }: EventName): number {
  return deriveNumber('future event', stream, provider, event_id)
}

/** The events whose time comes before an instant. */
export const dueEvents = dueIn(futureModel, 'due_at')

/** So many are recorded at once. */
const mostAtOnce = 1_000

/**
 * Records that the time of an event has come, and of all others of its timeline whose time has come, because a long timeline would
 * be read again for each. Does nothing if it has not, if the event was withdrawn, or the second time.
 */
export async function becomeDue(context: Context, id: number): Promise<void> {
  const [row] = (await context.models.rows(futureModel, { id })) as readonly FutureRow[]
  if (row === undefined) return
  const { stream } = row
  const now = context.clock()
  const due = { where: { stream }, between: { due_at: [undefined, isoOf(now)] } } as const
  const { rows } = await context.models.page(futureModel, { ...due, limit: mostAtOnce, uncounted: true })
  const events = (rows as readonly FutureRow[]).map(({ provider, event }) => ({ provider, event_id: event }))
  const command = { type: 'BecomeDue', now, events } as const
  await execute(context.store, tracking, stream as StreamName, command, toNewEvent(context))
}
