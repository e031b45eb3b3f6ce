import { type EventStore, modelEvents, type ReadModel, type RecordedEvent } from '../../../engine/index.ts'
import { pause } from '../../http/pause.ts'
import { isBehind, type Reached } from './reach.ts'
import type { Tables } from './tables.ts'

/** Events per transaction, between two pauses. */
const pageSize = 100

/** What is brought up, and to where: a position that the store told as its end, or its present end if absent. */
interface Advanced {
  readonly store: EventStore
  readonly tables: Tables
  readonly model: ReadModel
  readonly until?: string | undefined
  /** Called when a part of the events was looked through. */
  readonly looked?: () => void
}

/**
 * Applies the events after the checkpoint of a generation. Returns whether it reached the end of the store; it does not
 * if another process was faster or `signal` is aborted. `onPage` receives the number of applied events.
 */
export async function advance(
  { store, tables, model, until, looked }: Advanced,
  { generation, checkpoint, reach }: Reached,
  signal: AbortSignal,
  onPage: (events: number) => void = () => {},
): Promise<boolean> {
  // Read first: this end is reached when the feed ends, whether or not the last event is of this category.
  const end = until ?? (await store.latest()) ?? null
  const filter = { until: end ?? undefined, passed: looked }
  let from = checkpoint
  let reached = reach
  let events: RecordedEvent[] = []
  function apply(isEnd: boolean): boolean {
    const last = events.at(-1)?.position ?? reached
    const to = isEnd && isBehind(last, end) ? end : last
    const applied = !signal.aborted && tables.apply(model, generation, { events, from, to, isEnd })
    if (applied) onPage(events.length)
    from = to
    reached = to
    events = []
    return applied
  }
  for await (const event of modelEvents(store, model, reach ?? undefined, filter)) {
    events.push(event)
    if (events.length < pageSize) continue
    if (!apply(false)) return false
    await pause()
  }
  return apply(true)
}
