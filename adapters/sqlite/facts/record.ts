import {
  type Append,
  type Appended,
  decideAppend,
  type NewEvent,
  refuseRepeatedStreams,
  type StreamHead,
  type StreamName,
  wrongExpectedRevision,
} from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import type { Heads, StreamEnd } from './heads.ts'
import { type EventColumns, idOf, positionOf, sumOf } from './row.ts'

/** An append with the columns of its events. */
export interface Prepared {
  readonly append: Append
  readonly columns: readonly EventColumns[]
}

interface Head extends StreamHead {
  /** Row of the stream, if it exists. */
  readonly sid: number | undefined
}

/** Streams that are decided, or events that are inserted, in one step: a step for each would cost as much as deciding. */
const unitsPerStep = 25

/** Records the appends of a call in steps. */
type RecordCall = (appends: readonly Prepared[], grown: Set<string>) => Generator<void, readonly Appended[]>

/**
 * Decides and inserts, inside the caller's transaction, because another process may write to the same file. Everything
 * is decided before anything is inserted.
 */
export function createRecorder(
  database: Database,
  heads: Pick<Heads, 'find' | 'keep'>,
  clock: () => number,
): RecordCall {
  const headOf = createHeadLookUp(database, heads)
  const keys = createKeyInserts(database)
  const place = database.prepare('SELECT pos FROM events WHERE sid = ? AND rev = ?')
  let units = 0
  const isEndOfStep = () => ++units % unitsPerStep === 0
  const insert = createInserts(database)

  return function* record(calls, grown) {
    refuseRepeatedStreams(calls.map(({ append }) => append))
    const decided = []
    for (const { append, columns } of calls) {
      const head = headOf(append.stream)
      const decision = decideAppend(append, head)
      if ('at' in decision) keys.refuseOther(append)
      decided.push({ append, columns, sid: head.sid, decision })
      if (isEndOfStep()) yield
    }
    const now = Math.trunc(clock())
    const appended: Appended[] = []
    for (const { append, columns, sid: known, decision } of decided) {
      const { stream, events } = append
      if ('repeated' in decision) {
        const { pos } = place.get(known as number, decision.repeated) as { readonly pos: number }
        appended.push({ stream, revision: decision.repeated, position: positionOf(pos) })
        continue
      }
      grown.add(stream)
      keys.insert(append)
      const sid = known ?? insert.stream(stream)
      const revision = decision.at + columns.length - 1
      let pos = 0
      for (let at = 0; at < columns.length; at++) {
        pos = insert.event(stream, sid, decision.at + at, columns[at] as EventColumns, now)
        if (isEndOfStep()) yield
      }
      heads.keep(stream, { sid, revision, id: (events.at(-1) as NewEvent).id })
      appended.push({ stream, revision, position: positionOf(pos) })
    }
    return appended
  }
}

/** Inserts streams and events, and returns their rows. */
function createInserts(database: Database) {
  const insertStream = database.prepare('INSERT INTO streams (name) VALUES (?)')
  const insertEvent = database.prepare(
    'INSERT INTO events (sid, rev, id, type, data, meta, created, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return {
    stream: (name: string) => Number(insertStream.run(name).lastInsertRowid),
    event: (stream: string, sid: number, revision: number, columns: EventColumns, now: number) => {
      const { id, type, data, meta, recorded = now } = columns
      const sum = sumOf(stream, revision, recorded, columns)
      return Number(insertEvent.run(sid, revision, id, type, data, meta, recorded, sum).lastInsertRowid)
    },
  }
}

/** Stores the keys that come with the first events of streams. */
function createKeyInserts(database: Database) {
  const keyOf = database.prepare('SELECT key FROM keys WHERE subject = ?')
  const insertKey = database.prepare('INSERT INTO keys (subject, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return {
    /** Throws if the stream has another key, or had one that was destroyed. */
    refuseOther({ stream, expected, key }: Append) {
      const row = key === undefined ? undefined : (keyOf.get(stream) as { readonly key: string | null } | undefined)
      if (row !== undefined && row.key !== key) throw wrongExpectedRevision(stream, expected, -1)
    },
    insert({ stream, key }: Append) {
      if (key !== undefined) insertKey.run(stream, key)
    },
  }
}

/** Looks up the head of a stream, which may be known. */
function createHeadLookUp(database: Database, heads: Pick<Heads, 'find'>): (stream: StreamName) => Head {
  const head = database.prepare(
    'SELECT sid, coalesce((SELECT max(rev) FROM events e WHERE e.sid = s.sid), -1) AS revision FROM streams s WHERE name = ?',
  )
  const ids = database.prepare(
    'SELECT lower(hex(id)) AS id FROM events WHERE sid = ? AND rev >= ? ORDER BY rev LIMIT ? + 0',
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

  return headOf
}
