import type { Context } from '../kernel/context.ts'
import { EngineError, isEngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventStore, LastEvent, ReadRange } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { isoOf } from '../kernel/time.ts'
import { type AppendDecision, appendThrough, decideAppend } from './append.ts'

/**
 * A store that collects appends and records nothing. Collected events can be read back, and appended to another store
 * in one transaction.
 */
export interface CollectingStore extends EventStore {
  /** The collected appends, one for each stream, with the revision that the stream had before. */
  appends(): readonly Append[]
}

/** The events collected for a stream, and the stream's last revision before them. */
interface CollectedStream {
  readonly before: number
  readonly events: RecordedEvent[]
}

/**
 * A collecting store on top of another one. Streams read as if the collected events were recorded; `readAll`,
 * `follow` and read models do not see them. A handler can therefore run as a preview, or together with other appends.
 * When another writer appends to a collected stream, the whole collection is invalid: see `isCollectedConflict`.
 */
export function createCollectingStore(store: EventStore, clock: () => number): CollectingStore {
  const collected = new Map<StreamName, CollectedStream>()

  async function last(stream: StreamName): Promise<LastEvent | undefined> {
    return collected.get(stream)?.events.at(-1) ?? store.last(stream)
  }

  async function read(stream: StreamName, range: ReadRange = {}): Promise<readonly RecordedEvent[]> {
    const known = collected.get(stream)
    if (known === undefined) return store.read(stream, range)
    const recorded = await store.read(stream)
    // The collected events no longer follow the last event, so there is no valid state.
    if (recorded.length !== known.before + 1)
      throw markCollected(wrongExpectedRevision(stream, known.before, recorded.length - 1))
    return partOf([...recorded, ...known.events], range)
  }

  function keep({ stream, events }: Append, decision: AppendDecision): Appended {
    if ('repeated' in decision) return { stream, revision: decision.repeated, position: '' }
    const known = collected.get(stream) ?? { before: decision.at - 1, events: [] }
    collected.set(stream, known)
    const recordedAt = isoOf(clock())
    for (const [index, event] of events.entries())
      known.events.push({ recordedAt, ...event, stream, revision: decision.at + index, position: '' })
    return { stream, revision: known.before + known.events.length, position: '' }
  }

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    try {
      const decisions = await Promise.all(appends.map((append) => decideCollected(append, { last, read })))
      return appends.map((append, index) => keep(append, decisions[index] as AppendDecision))
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

/**
 * Runs work with a collecting store, and returns its result and what it would append. A conflict is thrown as one of the store
 * beneath: the caller may do all of it again.
 */
export async function collect<Result>(
  context: Context,
  work: (context: Context & { readonly store: CollectingStore }) => Promise<Result>,
): Promise<{ readonly result: Result; readonly appends: readonly Append[] }> {
  const store = createCollectingStore(context.store, context.clock)
  try {
    return { result: await work({ ...context, store }), appends: store.appends() }
  } catch (error) {
    throw isCollecting(context.store) ? error : asStoreConflict(error)
  }
}

/** Decides an append; reads the stream only if the expected revision is not simply the current one. */
async function decideCollected(
  append: Append,
  { last, read }: Pick<EventStore, 'last' | 'read'>,
): Promise<AppendDecision> {
  const { stream, expected } = append
  const revision = (await last(stream))?.revision ?? -1
  const isPlain = expected === revision || (expected === 'no-stream' && revision < 0)
  const recorded = isPlain ? [] : await read(stream)
  return decideAppend(append, { revision, idsFrom: (from, limit) => idsOf(recorded.slice(from, from + limit)) })
}

function appendOf([stream, { before, events }]: readonly [StreamName, CollectedStream]): Append {
  const plain = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
  return { stream, events: plain, expected: before < 0 ? 'no-stream' : before }
}

/** All collecting stores. */
const collectors = new WeakSet<EventStore>()

/** Whether a store only collects what is appended to it. */
function isCollecting(store: EventStore): boolean {
  return collectors.has(store)
}

/** Conflicts in a collecting store. All its decisions may be outdated, so only the caller that created it can retry. */
const collectedConflicts = new WeakSet<object>()

function markCollected(error: unknown): unknown {
  if (isEngineError(error, 'wrong_expected_revision')) collectedConflicts.add(error)
  return error
}

/** Whether an error is a conflict in a collecting store. */
export function isCollectedConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && collectedConflicts.has(error)
}

/** The same conflict as an ordinary store conflict, for the caller that created the collecting store. */
function asStoreConflict(error: unknown): unknown {
  if (!isCollectedConflict(error) || !isEngineError(error)) return error
  return new EngineError(error.code, error.params)
}

function idsOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ id }) => id)
}

function partOf(events: readonly RecordedEvent[], { from, limit, backwards }: ReadRange) {
  const selected = backwards
    ? events.filter(({ revision }) => revision <= (from ?? revision)).reverse()
    : events.slice(from)
  return selected.slice(0, limit)
}
