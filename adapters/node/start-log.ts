import type { Log } from './log.ts'

/** A reader that a start waits for, once it has come to the end of the store. */
export interface StartReader {
  readonly reader: string
  /** The position after which it began, null for the beginning of the store, and how far it came. */
  readonly from: string | null
  readonly to: string | null
  /** How many events it took, and in how many parts it looked through all between the two positions. */
  readonly events: number
  readonly parts: number
  readonly ms: number
}

/** Logs at debug level what a start waits for: each reader, and all of them with the one that took longest. */
export function logStart({ debug }: Log, readers: number): (reader: StartReader) => void {
  const done: StartReader[] = []
  return (reader) => {
    debug(reader, 'a reader of the start has caught up')
    if (done.push(reader) < readers) return
    const { reader: longest, ms } = done.reduce((one, other) => (other.ms > one.ms ? other : one))
    debug(
      { readers, longest, ms, sinceStart: Math.round(performance.now()) },
      'all readers of the start have caught up',
    )
  }
}
