import type { RecordedEvent, StreamName } from '../../engine/index.ts'

/** Events as they came from a store, put aside to be read by stream, in little memory however many they are. */
export interface Shelf {
  put(event: RecordedEvent): void
  /** Puts them in order of their streams, once all are there; returns the number of streams. */
  sort(): number
  /** The streams, in order of their names. */
  streams(): Iterable<StreamName>
  /** The events of a stream, in order of revision. */
  pages(stream: StreamName): Iterable<readonly RecordedEvent[]>
  /** At most so many events of a stream from a revision on. */
  read(stream: StreamName, from: number, limit: number): readonly RecordedEvent[]
  /** The last event of a stream; undefined if none was put. */
  last(stream: StreamName): RecordedEvent | undefined
  close(): void
}
