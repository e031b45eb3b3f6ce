import { setImmediate } from 'node:timers/promises'
import { problemOf, type ReportDamage, type ReportProgress } from '../../node/damage.ts'
import type { Sealer } from '../../node/deliveries.ts'
import { chooseDriver, type Database } from '../database.ts'
import { isTemporary } from '../failure.ts'
import { busyTimeout, problemsIn } from '../file.ts'
import { inLongTransaction } from '../transaction.ts'
import { held, refuseOther } from './open.ts'

/** Rows that are read at a time. */
const pageSize = 500

/** What must never be in the file: the check, and a query for the place of each row, with what is wrong there. */
const invariants: readonly (readonly [since: number, query: string])[] = [
  [
    1,
    `SELECT 'body ' || body AS place, 'it is used ' || coalesce(used, 0) || ' times and says ' || uses AS problem
     FROM bodies LEFT JOIN (
       SELECT body, count(*) AS used
       FROM (SELECT body FROM deliveries UNION ALL SELECT native FROM deliveries WHERE native IS NOT NULL) GROUP BY body
     ) USING (body) WHERE uses IS NOT used`,
  ],
  [
    1,
    `SELECT 'delivery ' || id AS place, 'its body is not there' AS problem FROM deliveries
     WHERE body NOT IN (SELECT body FROM bodies) OR native NOT IN (SELECT body FROM bodies)`,
  ],
  [
    1,
    `SELECT 'attempt ' || number || ' of row ' || delivery AS place, 'its delivery is not there' AS problem FROM attempts
     WHERE delivery NOT IN (SELECT number FROM deliveries)`,
  ],
  [
    1,
    `SELECT 'delivery ' || id AS place, 'an attempt is later than its last one' AS problem FROM deliveries d
     WHERE (SELECT max(number) FROM attempts WHERE delivery = d.number) > attempts`,
  ],
  [
    2,
    `SELECT 'delivery ' || id AS place, 'it waits for the end of one that is not there' AS problem FROM deliveries d
     WHERE state = 'waiting' AND due = ${held} AND NOT EXISTS (
       SELECT 1 FROM deliveries INDEXED BY deliveries_in_order
       WHERE state = 'waiting' AND in_order = 1 AND endpoint = d.endpoint AND subject = d.subject AND number < d.number
     )`,
  ],
  [
    9,
    `SELECT 'delivery ' || id AS place, 'its row says that its first attempt delivered it, which is not so' AS problem
     FROM deliveries d WHERE first_attempt IS NOT NULL
       AND (state <> 'delivered' OR attempts <> 1 OR EXISTS (SELECT 1 FROM attempts WHERE delivery = d.number))`,
  ],
]

/**
 * Checks a deliveries file, while servers go on: its structure, what its rows say of each other, and that everything
 * sealed opens with the secret. Returns the number of deliveries. Throws if the file cannot be read now.
 */
export async function checkDeliveries(
  file: string,
  box: Sealer,
  found: ReportDamage,
  progress: ReportProgress = () => {},
): Promise<number> {
  const report = (place: string, problem: string) => found({ check: 'deliveries', place, problem })
  const database = new (chooseDriver())(file)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA query_only = ON`)
    const version = refuseOther(database, file)
    if (version === 0) return 0
    return await inLongTransaction(database, 'DEFERRED', async () => {
      for (const problem of problemsIn(database, 'integrity_check')) report(file, problem)
      for (const [since, query] of invariants)
        if (version >= since)
          for (const row of database.prepare(query).all() as readonly Found[]) report(row.place, row.problem)
      await openAll(database, version, { box, report, progress })
      return (database.prepare('SELECT count(*) AS count FROM deliveries').get() as { readonly count: number }).count
    })
  } catch (error) {
    // A lock or a failing disk says nothing about what the file holds.
    if (isTemporary(error)) throw new Error(`${file} cannot be checked: ${problemOf(error)}.`, { cause: error })
    report(file, problemOf(error))
    return 0
  } finally {
    database.close()
  }
}

interface Found {
  readonly place: string
  readonly problem: string
}

/** A part of the file that is sealed: a query for a page of rows of a table after a number, and what must hold for a row. */
interface SealedPart {
  readonly since: number
  readonly place: string
  readonly table: 'bodies' | 'deliveries' | 'attempts'
  readonly query: string
}

const sealed: readonly SealedPart[] = [
  {
    ...{ since: 1, place: 'bodies', table: 'bodies' },
    query: 'SELECT body AS number, hash, bytes FROM bodies WHERE body > ? ORDER BY body LIMIT ? + 0',
  },
  {
    ...{ since: 1, place: 'deliveries', table: 'deliveries' },
    query: 'SELECT number, NULL AS hash, url AS bytes FROM deliveries WHERE number > ? ORDER BY number LIMIT ? + 0',
  },
  {
    ...{ since: 1, place: 'attempts', table: 'attempts' },
    query:
      'SELECT rowid AS number, NULL AS hash, response_body AS bytes FROM attempts WHERE rowid > ? ORDER BY rowid LIMIT ? + 0',
  },
  {
    ...{ since: 9, place: 'answers to deliveries', table: 'deliveries' },
    query: `SELECT number, NULL AS hash, first_answer AS bytes FROM deliveries
      WHERE number > ? AND first_attempt IS NOT NULL ORDER BY number LIMIT ? + 0`,
  },
]

interface SealedRow {
  readonly number: number
  readonly hash: Uint8Array | null
  readonly bytes: Uint8Array
}

interface Opening {
  readonly box: Sealer
  readonly report: (place: string, problem: string) => void
  readonly progress: ReportProgress
}

async function openAll(database: Database, version: number, { box, report, progress }: Opening): Promise<void> {
  for (const { place, table, query } of sealed.filter(({ since }) => version >= since)) {
    const page = database.prepare(query)
    const { last } = database.prepare(`SELECT coalesce(max(rowid), 0) AS last FROM ${table}`).get() as { last: number }
    for (let after = 0; after < last; ) {
      const rows = page.all(after, pageSize) as readonly SealedRow[]
      for (const row of rows) {
        const problem = problemOfSealed(row, box)
        if (problem !== undefined) report(`${place} ${row.number}`, problem)
      }
      after = rows.at(-1)?.number ?? last
      progress(after, last)
      await setImmediate()
    }
  }
}

function problemOfSealed({ hash, bytes }: SealedRow, box: Sealer): string | undefined {
  let opened: Uint8Array
  try {
    opened = box.open(bytes)
  } catch {
    return 'it cannot be opened with the secret of this store'
  }
  if (hash !== null && Buffer.compare(box.name(opened), hash) !== 0) return 'it is not what it was saved as'
  return undefined
}
