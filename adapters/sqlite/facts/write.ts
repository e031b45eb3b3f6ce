import {
  type Append,
  type Appended,
  atOnce,
  createPauses,
  EngineError,
  isEngineError,
  type NewEvent,
  type Pauses,
} from '../../../engine/index.ts'
import { pause } from '../../http/pause.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { inLongTransaction, inTransaction } from '../transaction.ts'
import type { Heads } from './heads.ts'
import { createRecorder, type Prepared } from './record.ts'
import { columnsOf, type EventColumns, isKeepable } from './row.ts'
import type { WriteTurns } from './write-turns.ts'

/** The part of the store that writes. */
interface Writer {
  /** Records the appends of a call, all or none, together with the other calls of this turn of the event loop. */
  append(appends: readonly Append[]): Promise<readonly Appended[]>
  /** Commits the pending calls, and refuses those that come later. */
  close(): Promise<void>
}

/** The appends of a call, and the number of their events. */
interface Counted {
  readonly appends: readonly Prepared[]
  readonly count: number
}

interface Call extends Counted {
  readonly resolve: (answer: readonly Appended[]) => void
  readonly reject: (error: unknown) => void
}

/** Dependencies of the writer, besides its connection. */
export interface WriterParts {
  readonly heads: Heads
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly turns: WriteTurns
  /** Opens another connection to the file, for calls that are recorded in steps; those are recorded at once if absent. */
  readonly openAnother: (() => Database) | undefined
  /** Called at the start of each transaction; may throw. */
  begun(): void
  /** Called after each commit with the streams that have grown, and the number of its events. */
  committed(streams: ReadonlySet<string>, events: number): void
}

/** Creates the writer. */
export function createWriter(database: Database, parts: WriterParts): Writer {
  const { heads, clock, turns, openAnother, begun, committed } = parts
  const record = createRecorder(database, heads, clock)
  let waiting: Call[] = []
  let isClosed = false

  async function append(appends: readonly Append[]): Promise<readonly Appended[]> {
    const count = appends.reduce((sum, { events }) => sum + events.length, 0)
    const prepared = count > eventsPerStep ? await preparedInSteps(appends) : appends.map(prepare)
    const counted = { appends: prepared, count }
    if (openAnother !== undefined && count > maxAtOnce) return turns.long(() => recordAlone(openAnother, counted))
    refuseIfClosed()
    return new Promise((resolve, reject) => {
      waiting.push({ ...counted, resolve, reject })
      if (waiting.length === 1) setImmediate(() => turns.short(flush))
    })
  }

  function refuseIfClosed() {
    if (isClosed) throw new EngineError('store_unavailable')
  }

  async function recordAlone(open: () => Database, call: Counted) {
    refuseIfClosed()
    return recordInSteps(open(), call, parts)
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
        return group.map((call) => settlementOf(call, () => atOnce(record(call.appends, grown))))
      })
      for (const settleCall of settle) settleCall()
    } catch (error) {
      heads.clear()
      for (const call of group) call.reject(failureOf(error))
      return
    }
    const events = group.reduce((sum, { count }) => sum + count, 0)
    committed(grown, events)
  }

  async function close() {
    isClosed = true
    await turns.short(flush)
  }

  return { append, close }
}

/** Records a call and returns a function that reports the result once it is durable. */
function settlementOf({ resolve, reject }: Call, record: () => readonly Appended[]): () => void {
  try {
    const answer = record()
    return () => resolve(answer)
  } catch (error) {
    if (!isEngineError(error)) throw error
    return () => reject(error)
  }
}

/**
 * Records a long call in a separate transaction, with pauses. The transaction has its own connection, which is then closed, so
 * that nobody reads what is not committed yet.
 */
async function recordInSteps(
  own: Database,
  { appends, count }: Counted,
  { heads, clock, begun, committed }: WriterParts,
): Promise<readonly Appended[]> {
  const grown = new Set<string>()
  try {
    // Pages that do not fit are written to the log along the way, and so not all of them at the end.
    own.exec('PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 0')
    const answer = await inLongTransaction(own, 'IMMEDIATE', () => {
      begun()
      heads.refresh()
      const record = createRecorder(own, { find: heads.find, keep: () => {} }, clock)
      return inPauses(record(appends, grown), createPauses(pause, stepsPerPause))
    })
    heads.clear()
    committed(grown, count)
    return answer
  } catch (error) {
    throw failureOf(error)
  } finally {
    own.close()
  }
}

/** Prepares the columns before the lock is taken. */
function prepare(append: Append): Prepared {
  refuseUnkeepable(append)
  return { append, columns: append.events.map(columnsOf) }
}

/** Events that are prepared in one step. */
const eventsPerStep = 50

/** Events of a call that are recorded in one step; longer calls take several. */
const maxAtOnce = 2_000

/** Steps of a long call, of 25 rows each, between two pauses. */
const stepsPerPause = 2

/** Runs work in steps, and pauses after some of them. */
async function inPauses<Result>(work: Generator<void, Result>, pauses: Pauses): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await pauses.next()
  }
}

/** Prepares a long call. The caller must not change its events until the append has ended. */
async function preparedInSteps(appends: readonly Append[]): Promise<readonly Prepared[]> {
  const pauses = createPauses(pause, eventsPerStep)
  const prepared: Prepared[] = []
  for (const append of appends) {
    refuseUnkeepable(append)
    const columns = new Array<EventColumns>(append.events.length)
    for (let at = 0; at < columns.length; at++) {
      columns[at] = columnsOf(append.events[at] as NewEvent)
      const paused = pauses.next()
      if (paused !== undefined) await paused
    }
    prepared.push({ append, columns })
  }
  return prepared
}

function refuseUnkeepable({ stream }: Append): void {
  if (!isKeepable(stream)) throw new EngineError('internal', { request: 'a stream name that is not plain text' })
}
