import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Append,
  type Appended,
  createPauses,
  decideAppends,
  EngineError,
  isEngineError,
  type StreamHead,
  type StreamName,
} from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { inTransaction } from '../transaction.ts'
import type { Heads, StreamEnd } from './heads.ts'
import { columnsOf, type EventColumns, idOf, isKeepable, positionOf, sumOf } from './row.ts'

/** The part of the store that writes. */
export interface Writer {
  /** Records the appends of a call, all or none, together with the other calls of this turn of the event loop. */
  append(appends: readonly Append[]): Promise<readonly Appended[]>
  /** Commits the pending calls now, and refuses those that come later. */
  close(): void
}

interface Prepared extends Append {
  readonly columns: readonly EventColumns[]
}

interface Head extends StreamHead {
  /** Row of the stream, if it exists. */
  readonly sid: number | undefined
}

interface Call {
  readonly appends: readonly Prepared[]
  readonly resolve: (answer: readonly Appended[]) => void
  readonly reject: (error: unknown) => void
}

/** Dependencies of the writer, besides its connection. */
export interface WriterParts {
  readonly heads: Heads
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Called at the start of each transaction; may throw. */
  begun(): void
  /** Called after each commit with the streams that have grown. */
  committed(streams: Iterable<string>): void
}

/** Creates the writer. */
export function createWriter(database: Database, { heads, clock, begun, committed }: WriterParts): Writer {
  const { record } = createRecorder(database, heads, clock)
  let waiting: Call[] = []
  let isClosed = false

  async function append(appends: readonly Append[]): Promise<readonly Appended[]> {
    const isLong = appends.reduce((count, { events }) => count + events.length, 0) > eventsPerStep
    const prepared = isLong ? await preparedInSteps(appends) : appends.map(prepare)
    if (isClosed) throw new EngineError('store_unavailable')
    return new Promise((resolve, reject) => {
      waiting.push({ appends: prepared, resolve, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
  }

  /**
   * One transaction, and so one fsync, for the whole group. A refused call does not affect the others; a failure ends
   * all.
   */
  function flush() {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    const grown = new Set<string>()
    try {
      const settle = inTransaction(database, 'IMMEDIATE', () => {
        begun()
        heads.refresh()
        return group.map((call) => settlementOf(call, grown))
      })
      for (const settleCall of settle) settleCall()
    } catch (error) {
      heads.clear()
      for (const call of group) call.reject(failureOf(error))
      return
    }
    committed(grown)
  }

  /** Records a call and returns a function that reports the result once it is durable. */
  function settlementOf(call: Call, grown: Set<string>): () => void {
    try {
      const answer = record(call.appends, grown)
      return () => call.resolve(answer)
    } catch (error) {
      if (!isEngineError(error)) throw error
      return () => call.reject(error)
    }
  }

  function close() {
    isClosed = true
    flush()
  }

  return { append, close }
}

/** Prepares the columns before the lock is taken. */
function prepare(append: Append): Prepared {
  refuseUnkeepable(append)
  return { ...append, columns: append.events.map(columnsOf) }
}

const eventsPerStep = 500

/** Prepares a long call. The caller must not change its events until the append has ended. */
async function preparedInSteps(appends: readonly Append[]): Promise<readonly Prepared[]> {
  const pauses = createPauses(nextTurn, eventsPerStep)
  const prepared: Prepared[] = []
  for (const append of appends) {
    refuseUnkeepable(append)
    const columns: EventColumns[] = []
    for (const event of append.events) {
      columns.push(columnsOf(event))
      const pause = pauses.next()
      if (pause !== undefined) await pause
    }
    prepared.push({ ...append, columns })
  }
  return prepared
}

function refuseUnkeepable({ stream }: Append): void {
  if (!isKeepable(stream)) throw new EngineError('internal', { request: 'a stream name that is not plain text' })
}

/** Decides and inserts, inside the caller's transaction, because another process may write to the same file. */
function createRecorder(database: Database, heads: Heads, clock: () => number) {
  const head = database.prepare(
    'SELECT sid, coalesce((SELECT max(rev) FROM events e WHERE e.sid = s.sid), -1) AS revision FROM streams s WHERE name = ?',
  )
  const ids = database.prepare(
    'SELECT lower(hex(id)) AS id FROM events WHERE sid = ? AND rev >= ? ORDER BY rev LIMIT ? + 0',
  )
  const place = database.prepare('SELECT pos FROM events WHERE sid = ? AND rev = ?')
  const insertStream = database.prepare('INSERT INTO streams (name) VALUES (?)')
  const insertEvent = database.prepare(
    'INSERT INTO events (sid, rev, id, type, data, meta, created, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )

  function endOf(stream: StreamName): Pick<Head, 'sid' | 'revision'> {
    const row = head.get(stream) as Pick<StreamEnd, 'sid' | 'revision'> | undefined
    return row ?? { sid: undefined, revision: -1 }
  }

  function headOf(stream: StreamName): Head {
    const { sid, revision } = heads.find(stream) ?? endOf(stream)
    const idsFrom = (from: number, limit: number) =>
      sid === undefined ? [] : ids.all(sid, from, limit).map((found) => idOf((found as { readonly id: string }).id))
    return { sid, revision, idsFrom }
  }

  function insert(append: Prepared, known: number | undefined, at: number, now: number): Appended {
    const sid = known ?? Number(insertStream.run(append.stream).lastInsertRowid)
    let revision = at - 1
    let pos = 0
    for (const columns of append.columns) {
      revision += 1
      const { id, type, data, meta, recorded = now } = columns
      const sum = sumOf(append.stream, revision, recorded, columns)
      pos = Number(insertEvent.run(sid, revision, id, type, data, meta, recorded, sum).lastInsertRowid)
    }
    const last = append.events.at(-1)
    if (last !== undefined) heads.keep(append.stream, { sid, revision, id: last.id })
    return { stream: append.stream, revision, position: positionOf(pos) }
  }

  function record(appends: readonly Prepared[], grown: Set<string>): readonly Appended[] {
    const decided = decideAppends(appends, headOf)
    const now = Math.trunc(clock())
    return decided.map(({ append, head: { sid }, decision }) => {
      if ('at' in decision) {
        grown.add(append.stream)
        return insert(append, sid, decision.at, now)
      }
      const { pos } = place.get(sid as number, decision.repeated) as { readonly pos: number }
      return { stream: append.stream, revision: decision.repeated, position: positionOf(pos) }
    })
  }

  return { record }
}
