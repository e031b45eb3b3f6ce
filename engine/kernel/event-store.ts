import type { NewEvent, RecordedEvent } from './event.ts'
import type { Growth } from './growth.ts'
import type { Journals } from './journal.ts'
import type { Keys } from './keys.ts'
import type { Leases } from './lease.ts'
import type { Held } from './memory.ts'
import type { Snapshots } from './snapshots.ts'
import type { StreamName } from './stream.ts'

/** The revision of a stream that a writer expects: its last revision, or one of three weaker expectations. */
export type ExpectedRevision = number | 'no-stream' | 'stream-exists' | 'any'

/** Events for one stream, recorded together or not at all. */
export interface Append {
  readonly stream: StreamName
  readonly events: readonly NewEvent[]
  readonly expected: ExpectedRevision
  /**
   * The key of the stream's personal data, if it is new: a store that `addsKeys` adds it in the same transaction. It refuses
   * the append with `wrong_expected_revision` if the stream has or had another key. It may keep the key of a refused call.
   */
  readonly key?: string
}

/** The place of the last event of an append; a repeated append returns the place of the first one. */
export interface Appended {
  readonly stream: StreamName
  readonly revision: number
  readonly position: string
}

/**
 * Part of a stream: from revision `from` (inclusive), at most `limit` events; `backwards` from the end or from
 * `from`.
 */
export interface ReadRange {
  readonly from?: number
  readonly limit?: number
  readonly backwards?: boolean
  /** Which of the events are needed in their current version and with their personal data, as in `EventFilter`. */
  readonly opens?: EventFilter['opens']
  /** Whether the events are one part after the other of a long stream, so that a store need not keep them at hand. */
  readonly isPassing?: boolean
}

/** Identifies the state of a stream. The id is needed too, because two histories can reach the same revision. */
export type LastEvent = Pick<RecordedEvent, 'revision' | 'id'>

/** Selects events of the whole store: one stream or one category; all if absent. */
export interface EventFilter {
  readonly stream?: StreamName
  readonly category?: string
  /**
   * Which events are needed in their current version and with their personal data; all if absent. The others come as they
   * are stored, which is much faster.
   */
  readonly opens?: ((event: RecordedEvent) => boolean) | undefined
  /**
   * A position that `latest` returned: `readAll` need not look for later events. A store that can tell its end at once may
   * ignore it.
   */
  readonly until?: string | undefined
  /**
   * Called now and then by `readAll` and `follow` with how far they have looked, once what matches before has been handed
   * on: a reader may go on after that position another time. So it costs no second look at much that does not match.
   */
  readonly passed?: ((position: string) => void) | undefined
}

/**
 * The append-only source of truth. Every implementation passes `conformance/suites/store.ts`.
 *
 * - A resolved append is durable. It is refused with `wrong_expected_revision` if the stream is not at the expected
 *   revision, unless its events are already there with the same ids: then it is a repetition, and returns the first
 *   result. A partial repetition is a conflict.
 * - `appendMany` is one transaction over many streams, each named once.
 * - Positions grow in commit order, so a reader that resumes after a position misses nothing.
 * - `data` and `metadata` are stored as JSON; ids are lower-case UUIDs. A closed store refuses every call with
 *   `store_unavailable`.
 */
export interface EventStore {
  append(stream: StreamName, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>
  appendMany(appends: readonly Append[]): Promise<readonly Appended[]>
  /** Events of one stream in order of revision (or reversed); empty if the stream does not exist. */
  read(stream: StreamName, range?: ReadRange): Promise<readonly RecordedEvent[]>
  /** The last event of a stream, without reading events where possible; undefined if the stream does not exist. */
  last(stream: StreamName): Promise<LastEvent | undefined>
  /**
   * The revision of the last event of a stream, if this process knows it without waiting: at least as `read` would tell it
   * now. Undefined where only `last` can tell; a store that cannot tell at all does without.
   */
  readonly knownRevision?: ((stream: StreamName) => number | undefined) | undefined
  /**
   * Whether a stream ends at a revision, if this process knows it without waiting: `read` would now find nothing after it.
   * False where only `read` can tell; absent where `knownRevision` always can, or where nothing is known without `read`.
   */
  readonly endsAt?: ((stream: StreamName, revision: number) => boolean) | undefined
  /** Every event after position `after`, in order of position: at least all that were recorded when the read began. */
  readAll(after?: string, filter?: EventFilter): AsyncIterable<RecordedEvent>
  /**
   * Like `readAll`, and then every later event as it is committed, until `signal` is aborted or the store is closed.
   */
  follow(after: string | undefined, filter: EventFilter, signal: AbortSignal): AsyncIterable<RecordedEvent>
  /**
   * The position that a reader must reach to have every event that was recorded before the call, by any process. It is
   * that of the last event, or a later one. Undefined if the store is empty.
   */
  latest(): Promise<string | undefined>
  close(): Promise<void>
  /** Whether `appendMany` adds the keys of appends; if not, keys are durable before anything that they sealed. */
  readonly addsKeys?: true
  /**
   * Events of one stream that were read as they are stored, in their current version and with their personal data. The
   * engine adds it to every store.
   */
  readonly opened?:
    | ((stream: StreamName, events: readonly RecordedEvent[]) => Promise<readonly RecordedEvent[]>)
    | undefined
  /** Folded states of streams. The engine adds them to every store; a store has none itself. */
  readonly snapshots?: Snapshots | undefined
  /** Room in memory for folded states. As `snapshots`. */
  readonly roomForStates?: RoomForStates | undefined
  /**
   * A view of the store for one request. Its reads have at least what was recorded before it was made, by any process, and
   * after a write through it at least what was recorded before the next read. A read of the store itself has what was
   * recorded before that read. Absent where this costs nothing.
   */
  readonly forRequest?: (() => EventStore) | undefined
  /** The store of which this is a view. What is remembered of its streams belongs to it. */
  readonly origin?: EventStore | undefined
}

/** Room for folded states, which all stores that were made of one share: so many bytes of timelines, and of identifiers. */
export interface RoomForStates {
  readonly bytes: number
}

/** A store with other methods, which its views have, too; it is the origin of these. */
export function wrapStore<Store extends EventStore>(
  store: Store,
  wrap: (store: EventStore) => Partial<EventStore>,
): Store {
  const { forRequest } = store
  const viewed = (view: EventStore): EventStore => ({ ...view, ...wrap(view), origin: wrapped })
  const wrapped = { ...store, ...wrap(store), ...(forRequest && { forRequest: () => viewed(forRequest()) }) }
  return wrapped
}

/** An event store, plus the other state that all nodes share. */
export interface Storage extends EventStore {
  readonly leases: Leases
  readonly keys: Keys
  /** Journals of the processes; absent if those of a store share their files. */
  readonly journals?: Journals
  /** The number of events found damaged since the store was opened; absent if the store keeps no checksums. */
  damaged?(): number
  /** What this process keeps of the events in memory; absent if nothing of that grows with them. */
  held?(): readonly Held[]
  /** Names the history in the store, which changes when an older state is put back; absent if the store cannot tell. */
  readonly history?: string
  /**
   * Names the history for good: the same at every node, and after an older state was put back. Undefined as long as the
   * store has none and takes no writes; absent if histories of this store have no such name.
   */
  identity?(): Promise<string | undefined>
  /** Tells without waiting which streams have grown; absent if the store is not in this process. */
  readonly growth?: Growth
  /**
   * While the store is lost, so that every call is refused: resolves when it is back, or closed. Undefined while it is there.
   * A store that has this reports its outages by itself; absent if the store is not elsewhere.
   */
  readonly lost?: () => Promise<void> | undefined
}
