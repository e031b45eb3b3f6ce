import { EngineError, isEngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventStore, LastEvent, ReadRange } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { isoOf } from '../kernel/time.ts'
import { type AppendDecision, appendThrough, decideAppend } from './append.ts'

/** A store that takes everything and records nothing: what it took can be read from it, and be recorded elsewhere as one. */
export interface CollectingStore extends EventStore {
  /** What was taken, each stream once, with the belief that held when it was taken. */
  appends(): readonly Append[]
}

/** What was taken to a stream, and the revision that it had before. */
interface CollectedStream {
  readonly before: number
  readonly events: RecordedEvent[]
}

/**
 * A store on top of another one. Streams read as if what was taken stood in them; `readAll`, `follow` and read models see
 * nothing of it. So a handler can be run to see what it would do, or to do it together with something else. Once somebody
 * else has written to a stream that was taken to, the whole collection is over: see `isOvertaken`.
 */
export function createCollectingStore(store: EventStore, clock: () => number): CollectingStore {
  const collected = new Map<StreamName, CollectedStream>()

  async function last(stream: StreamName): Promise<LastEvent | undefined> {
    return collected.get(stream)?.events.at(-1) ?? store.last(stream)
  }

  async function read(stream: StreamName, range: ReadRange = {}): Promise<readonly RecordedEvent[]> {
    const known = collected.get(stream)
    if (known === undefined) return store.read(stream, range)
    const standing = await store.read(stream)
    // What was taken is not the next any more, so that no state follows from both.
    if (standing.length !== known.before + 1)
      throw markCollected(wrongExpectedRevision(stream, known.before, standing.length - 1))
    return partOf([...standing, ...known.events], range)
  }

  function collect({ stream, events }: Append, verdict: AppendDecision): Appended {
    if ('repeated' in verdict) return { stream, revision: verdict.repeated, position: '' }
    const known = collected.get(stream) ?? { before: verdict.at - 1, events: [] }
    collected.set(stream, known)
    const recordedAt = isoOf(clock())
    for (const [index, event] of events.entries())
      known.events.push({ recordedAt, ...event, stream, revision: verdict.at + index, position: '' })
    return { stream, revision: known.before + known.events.length, position: '' }
  }

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    try {
      const verdicts = await Promise.all(appends.map((append) => decideCollected(append, { last, read })))
      return appends.map((append, index) => collect(append, verdicts[index] as AppendDecision))
    } catch (error) {
      throw markCollected(error)
    }
  }

  const { readAll, follow, latest } = store
  const close = async () => {}
  const appends = () => [...collected].map(appendOf)
  const collector = {
    append: appendThrough(appendMany),
    appendMany,
    read,
    last,
    readAll,
    follow,
    latest,
    close,
    appends,
  }
  collectors.add(collector)
  return collector
}

/** Judges an append; the stream is read only where its belief is not simply right. */
async function decideCollected(
  append: Append,
  { last, read }: Pick<EventStore, 'last' | 'read'>,
): Promise<AppendDecision> {
  const { stream, expected } = append
  const revision = (await last(stream))?.revision ?? -1
  const isPlain = expected === revision || (expected === 'no-stream' && revision < 0)
  const standing = isPlain ? [] : await read(stream)
  return decideAppend(append, { revision, idsFrom: (from, limit) => idsOf(standing.slice(from, from + limit)) })
}

function appendOf([stream, { before, events }]: readonly [StreamName, CollectedStream]): Append {
  const plain = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
  return { stream, events: plain, expected: before < 0 ? 'no-stream' : before }
}

/** Stores that collect. */
const collectors = new WeakSet<EventStore>()

/** Whether a store only collects what is appended to it. */
export function isCollecting(store: EventStore): boolean {
  return collectors.has(store)
}

/** Conflicts in what is collected: all of it was decided on what is no longer so, and only whoever began it can begin again. */
const collectedConflicts = new WeakSet<object>()

function markCollected(error: unknown): unknown {
  if (isEngineError(error, 'wrong_expected_revision')) collectedConflicts.add(error)
  return error
}

/** Whether an error is such a conflict. */
export function isCollectedConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && collectedConflicts.has(error)
}

/** The same conflict as one with the store itself, for whoever began to collect. */
export function asStoreConflict(error: unknown): unknown {
  if (!isCollectedConflict(error) || !isEngineError(error)) return error
  return new EngineError(error.code, error.params)
}

function idsOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ id }) => id)
}

function partOf(events: readonly RecordedEvent[], { from, limit, backwards = false }: ReadRange) {
  const wanted = backwards
    ? events.filter(({ revision }) => revision <= (from ?? revision)).reverse()
    : events.slice(from ?? 0)
  return wanted.slice(0, limit)
}
