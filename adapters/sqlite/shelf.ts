import { EngineError, type RecordedEvent, type StreamName } from '../../engine/index.ts'
import type { Shelf } from '../node/shelf.ts'
import { chooseDriver, type Database, queryOn } from './database.ts'

/**
 * A database without a name is private, and gone with its connection or its process: SQLite keeps it in memory up to the size
 * of its cache (in KiB), and beyond that in a file that has no name any more.
 */
const schema = `
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -32768;
CREATE TABLE events (id INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL);
BEGIN`

/** Events, or names of streams, that are read at a time. */
const pageSize = 500

type Row = readonly [id: number, revision: number, body: string]

/** Creates an empty shelf. It throws `store_unavailable` where temporary files have no room. */
export function createShelf(): Shelf {
  const database = new (chooseDriver())('')
  database.exec(schema)
  const insert = database.prepare('INSERT INTO events (stream, revision, body) VALUES (?, ?, ?)')
  return {
    put: (event) => void attempt(() => insert.run(event.stream, event.revision, JSON.stringify(event))),
    sort: () => attempt(() => sort(database)),
    ...createReader(database),
    close: () => database.close(),
  }
}

function sort(database: Database): number {
  database.exec('COMMIT; CREATE INDEX by_stream ON events (stream, revision)')
  const { count } = database.prepare('SELECT count(DISTINCT stream) AS count FROM events').get() as { count: number }
  return count
}

function createReader(database: Database): Pick<Shelf, 'streams' | 'pages' | 'read' | 'last'> {
  const namesAfter = queryOn<readonly [StreamName]>(
    database,
    'SELECT DISTINCT stream FROM events WHERE stream > ? ORDER BY stream LIMIT ?',
  )
  const rowsAfter = queryOn<Row>(
    database,
    `SELECT id, revision, body FROM events WHERE stream = ? AND (revision, id) > (?, ?) ORDER BY revision, id LIMIT ?`,
  )
  const lastOf = queryOn<readonly [body: string]>(
    database,
    'SELECT body FROM events WHERE stream = ? ORDER BY revision DESC, id DESC LIMIT 1',
  )

  function* streams() {
    for (let after = ''; ; ) {
      const names = attempt(() => namesAfter(after, pageSize))
      for (const [name] of names) yield name
      if (names.length < pageSize) return
      after = names.at(-1)?.[0] ?? after
    }
  }

  function* pages(stream: StreamName) {
    for (let [revision, id] = [-1, 0]; ; ) {
      const rows = attempt(() => rowsAfter(stream, revision, id, pageSize))
      yield rows.map(([, , body]) => eventOf(body))
      if (rows.length < pageSize) return
      ;[id, revision] = rows.at(-1) as Row
    }
  }

  const read: Shelf['read'] = (stream, from, limit) =>
    attempt(() => rowsAfter(stream, from - 1, Number.MAX_SAFE_INTEGER, limit)).map(([, , body]) => eventOf(body))
  const last: Shelf['last'] = (stream) => attempt(() => lastOf(stream)).map(([body]) => eventOf(body))[0]
  return { streams, pages, read, last }
}

function eventOf(body: string): RecordedEvent {
  return JSON.parse(body) as RecordedEvent
}

/** Nothing is wrong with the events if they cannot be put aside. */
function attempt<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const failure = new EngineError('store_unavailable')
    failure.cause = new Error(`Events cannot be put into temporary files: ${(error as Error).message}.`, {
      cause: error,
    })
    throw failure
  }
}
