/** A record to be written. */
export interface Proposed {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

/** The position of a record: first `commit` decides, then `prepare`. */
export interface Position {
  readonly commit: bigint
  readonly prepare: bigint
}

/** What was recorded: `revision` counts in its stream, `created` is in milliseconds since 1970. */
export interface Recorded extends Proposed, Position {
  readonly stream: string
  readonly revision: bigint
  readonly created: number
}

/** Everything that was ever written, in order of commit; it outlives the server, as files on a disk do. */
export interface Log {
  readonly records: Recorded[]
  readonly streams: Map<string, Recorded[]>
  /** Where in `records` an id was written last. */
  readonly indexOfId: Map<string, number>
  /** Are called after each write. */
  readonly watchers: Set<() => void>
}

/** Revision of a tombstone: the greatest possible, so that no event can follow. */
export const endOfStream = 2n ** 63n - 1n

const systemRecordsPerEvents = 50

/** The log of a fresh server, which contains a record of the server itself. */
export function createLog(now: number): Log {
  const log: Log = { records: [], streams: new Map(), indexOfId: new Map(), watchers: new Set() }
  writeStatistics(log, now)
  return log
}

/**
 * Writes events at the end of a stream, all or none, and returns the last. They share one commit position, like the
 * events of a transaction, so a client that only keeps the commit as its checkpoint loses events. Sometimes the server
 * adds its own.
 */
export function write(log: Log, stream: string, events: readonly Proposed[], now: number, revision?: bigint): Recorded {
  const before = log.records.length
  const first = revision ?? lastRevision(log, stream) + 1n
  const prepares = places(log, events)
  const commit = prepares.at(-1) ?? 0n
  events.forEach((event, index) => {
    const prepare = prepares[index] ?? commit
    record(log, { ...event, stream, revision: first + BigInt(index), commit, prepare, created: now })
  })
  const last = log.records.at(-1)
  if (last === undefined || log.records.length === before) throw new Error('A write has events.')
  if (crosses(before, log.records.length)) writeStatistics(log, now)
  for (const watcher of [...log.watchers]) watcher()
  return last
}

/** Revision of the last record of a stream, visible or not; -1 where none was ever written. */
export function lastRevision(log: Log, stream: string): bigint {
  return log.streams.get(stream)?.at(-1)?.revision ?? -1n
}

/** Index of the first record after a position (or at it, if `inclusive`); the number of records if there is none. */
export function indexAfter({ records }: Log, position: Position, inclusive = false): number {
  let [low, high] = [0, records.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compare(records[middle] as Recorded, position)
    if (order > 0 || (inclusive && order === 0)) high = middle
    else low = middle + 1
  }
  return low
}

/** Puts so many events of other applications into the log, and the server's own between them. */
export function writeForeign(log: Log, count: number, now: number): void {
  const [data, metadata] = [Buffer.from('{"of":"another application"}'), Buffer.alloc(0)]
  for (let written = 0; written < count; written += foreignAtOnce) {
    const events = Array.from({ length: Math.min(foreignAtOnce, count - written) }, (_, index) => ({
      ...{ id: `00000000-0000-4000-9000-${(log.records.length + index).toString(16).padStart(12, '0')}` },
      ...{ type: 'SomethingElse', contentType: 'application/json', data, metadata },
    }))
    write(log, `other-${written / foreignAtOnce}`, events, now)
  }
}

const foreignAtOnce = 500

/** Text as it is in a log, with which a test fills one. */
export interface StoredText extends Pick<Proposed, 'id' | 'type'> {
  readonly stream: string
  readonly data: string
  readonly metadata: string
}

/** Puts events at the ends of their streams, as a client has written them to others. */
export function writeTexts(log: Log, events: readonly StoredText[], now: number): void {
  for (const { stream, id, type, data, metadata } of events) {
    const bytes = { data: Buffer.from(data), metadata: Buffer.from(metadata) }
    write(log, stream, [{ id, type, contentType: 'application/json', ...bytes }], now)
  }
}

/** Puts the log back to its first records; later places and revisions are given out again. */
export function truncate(log: Log, length: number): void {
  const kept = log.records.slice(0, length)
  log.records.length = 0
  log.streams.clear()
  log.indexOfId.clear()
  for (const recorded of kept) record(log, recorded)
}

/** Whether a record is before a position (-1), at it (0) or after it (1). */
function compare(one: Position, other: Position): number {
  if (one.commit !== other.commit) return one.commit < other.commit ? -1 : 1
  return one.prepare === other.prepare ? 0 : one.prepare < other.prepare ? -1 : 1
}

function record(log: Log, recorded: Recorded): void {
  log.indexOfId.set(recorded.id, log.records.length)
  log.records.push(recorded)
  const stream = log.streams.get(recorded.stream)
  if (stream === undefined) log.streams.set(recorded.stream, [recorded])
  else stream.push(recorded)
}

/** Places are offsets in bytes: they grow, with gaps. */
function places(log: Log, events: readonly Proposed[]): readonly bigint[] {
  let end = log.records.at(-1)?.prepare ?? 0n
  return events.map((event) => {
    end += BigInt(100 + event.data.length + event.metadata.length)
    return end
  })
}

function crosses(before: number, after: number): boolean {
  return Math.floor(before / systemRecordsPerEvents) !== Math.floor(after / systemRecordsPerEvents)
}

function writeStatistics(log: Log, now: number): void {
  const id = `00000000-0000-4000-8000-${log.records.length.toString(16).padStart(12, '0')}`
  const data = Buffer.from(`{"records":${log.records.length}}`)
  const event = { id, type: '$statsCollected', contentType: 'application/json', data, metadata: Buffer.alloc(0) }
  const stream = '$stats-127.0.0.1:2113'
  const [commit = 0n] = places(log, [event])
  record(log, { ...event, stream, revision: lastRevision(log, stream) + 1n, commit, prepare: commit, created: now })
}
