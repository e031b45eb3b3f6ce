import type { NewEvent, RecordedEvent } from './event.ts'
import type { Keys } from './keys.ts'
import type { Leases } from './lease.ts'
import type { StreamName } from './stream.ts'

/** What the writer believes about the stream: its last revision, or one of three weaker beliefs. */
export type ExpectedRevision = number | 'no-stream' | 'stream-exists' | 'any'

/** Events for one stream; they are recorded together or not at all. */
export interface Append {
  readonly stream: StreamName
  readonly events: readonly NewEvent[]
  readonly expected: ExpectedRevision
}

/** Where the last event of an append stands; a repeated append gives the place of the first. */
export interface Appended {
  readonly stream: StreamName
  readonly revision: number
  readonly position: string
}

/** Part of a stream: `from` a revision (inclusive), at most `limit` events, `backwards` from the end or from `from`. */
export interface ReadRange {
  readonly from?: number
  readonly limit?: number
  readonly backwards?: boolean
}

/** What tells the state of a stream from every other: two histories may come to the same revision. */
export type LastEvent = Pick<RecordedEvent, 'revision' | 'id'>

/** Which events of the whole store are wanted: one stream, or one category; absent means all. */
export interface EventFilter {
  readonly stream?: StreamName
  readonly category?: string
}

/**
 * The append-only source of truth. Every implementation passes `conformance/store.ts`.
 *
 * - A resolved append is durable. It is refused with `wrong_expected_revision` when the stream is not where
 *   the writer believes, unless its events already stand there with the same ids: then it is a repetition, and
 *   answers as the first time. A repetition in part is a conflict.
 * - `appendMany` is one transaction over many streams, each named once.
 * - Positions grow in order of commit, so that a reader who resumes after a position misses nothing.
 * - What is kept is what JSON keeps of `data` and `metadata`; ids are lower-case UUIDs. A closed store refuses every call
 *   with `store_unavailable`.
 */
export interface EventStore {
  append(stream: StreamName, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>
  appendMany(appends: readonly Append[]): Promise<readonly Appended[]>
  /** Events of one stream in order of revision (or the reverse); empty where the stream does not exist. */
  read(stream: StreamName, range?: ReadRange): Promise<readonly RecordedEvent[]>
  /** The last event of one stream, for which none is read where that can be helped; nothing where it does not exist. */
  last(stream: StreamName): Promise<LastEvent | undefined>
  /** Everything after position `after`, in order of position: at least all that stood there when the reader began. */
  readAll(after?: string, filter?: EventFilter): AsyncIterable<RecordedEvent>
  /** As `readAll`, and then every later event as it is committed, until `signal` is aborted or the store is closed. */
  follow(after: string | undefined, filter: EventFilter, signal: AbortSignal): AsyncIterable<RecordedEvent>
  /**
   * Position that a reader of this process has to have reached to see what stands: the last event of all in an embedded
   * store; in a distributed one, at least what stood when this was first asked, and the last of its own appends. Nothing
   * where there is none; a distributed store may count what is none of the engine's.
   */
  latest(): Promise<string | undefined>
  close(): Promise<void>
}

/** An event store, and what else all nodes share and is no fact. */
export interface Storage extends EventStore {
  readonly leases: Leases
  readonly keys: Keys
}
