import type { RecordedEvent } from './event.ts'
import type { StreamName } from './stream.ts'

/** What a stream was folded to, as of one of its events. */
export interface Snapshot {
  /** The last event that was folded. */
  readonly last: Pick<RecordedEvent, 'revision' | 'id'>
  /** Comes back as JSON would bring it back. */
  readonly state: unknown
}

/** A snapshot that is to be kept. */
export interface NewSnapshot extends Snapshot {
  /** How many events it was folded from. */
  readonly events: number
  /** Whether personal data is in it. Such a snapshot is kept sealed, or not at all. */
  isPersonal(): boolean
}

/**
 * Snapshots of streams: a cache. Each may be gone at any time, and none is current by itself: a reader compares its last
 * event with the stream. `fold` says how the states were folded; snapshots of another fold are never returned.
 */
export interface Snapshots {
  find(stream: StreamName, fold: string): Promise<Snapshot | undefined>
  /** Keeps a snapshot later, if there is time and room. The caller must not change its state any more. */
  keep(stream: StreamName, fold: string, snapshot: NewSnapshot): void
  drop(stream: StreamName): void
}

/** A snapshot as a node keeps it: nothing personal is in plain text. */
export interface SnapshotRow {
  readonly fold: string
  readonly revision: number
  /** Id of the last event that was folded. */
  readonly id: string
  readonly isSealed: boolean
  readonly body: string
}

/** Keeps one row for each stream. None of the calls throws: whatever fails, there is no row. */
export interface SnapshotRows {
  find(stream: string): SnapshotRow | undefined
  /** Makes and keeps a row later, or never. `size` is about the number of events in it. */
  keep(stream: string, size: number, make: () => Promise<SnapshotRow | undefined>): void
  drop(stream: string): void
}
