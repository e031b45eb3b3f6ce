import { setImmediate } from 'node:timers/promises'
import { problemOf, type ReportDamage, type ReportProgress } from '../../node/damage.ts'
import type { Database } from '../database.ts'
import { isTemporary } from '../failure.ts'
import { problemsIn } from '../file.ts'
import { openToRead, versionOf } from './open.ts'
import { positionOf, sumOf } from './row.ts'

/** The contents of a store file. */
export interface Checked {
  readonly events: number
  /** Events without a checksum, from before checksums existed. */
  readonly unchecked: number
  /** Position of the last event; `undefined` if there is none. */
  readonly position: string | undefined
}

interface SummedRow {
  readonly pos: number
  readonly name: string | null
  readonly rev: number
  readonly id: Uint8Array
  readonly type: string
  readonly data: string
  readonly meta: string
  readonly created: number
  readonly sum: number | null
}

const pageSize = 1000

/**
 * Checks the file of a store: its structure, its references, and the checksum of every event. Throws if it is not a
 * store of this engine, or cannot be read now.
 */
export async function checkFile(
  file: string,
  found: ReportDamage,
  progress: ReportProgress = () => {},
): Promise<Checked> {
  const database = openToRead(file)
  try {
    for (const problem of problemsIn(database, 'integrity_check')) found({ check: 'file', place: file, problem })
    for (const problem of strayRows(database)) found({ check: 'references', ...problem })
    return await checkSums(database, versionOf(database, file) < 2, found, progress)
  } catch (error) {
    // A lock or a failing disk says nothing about what the file holds.
    if (isTemporary(error)) throw new Error(`${file} cannot be checked: ${problemOf(error)}.`, { cause: error })
    found({ check: 'file', place: file, problem: problemOf(error) })
    return { events: 0, unchecked: 0, position: undefined }
  } finally {
    database.close()
  }
}

function strayRows(database: Database): readonly { readonly place: string; readonly problem: string }[] {
  const rows = database.prepare('PRAGMA foreign_key_check').all() as readonly {
    readonly table: string
    readonly rowid: number
    readonly parent: string
  }[]
  return rows.map(({ table, rowid, parent }) => ({
    place: `${table} ${rowid}`,
    problem: `it belongs to a row of ${parent} that is not there`,
  }))
}

async function checkSums(
  database: Database,
  isWithoutSums: boolean,
  found: ReportDamage,
  progress: ReportProgress,
): Promise<Checked> {
  const page = database.prepare(
    `SELECT e.pos, s.name, e.rev, e.id, e.type, e.data, e.meta, e.created, ${isWithoutSums ? 'NULL AS sum' : 'e.sum'}
     FROM events e LEFT JOIN streams s USING (sid) WHERE e.pos > ? ORDER BY e.pos LIMIT ${pageSize}`,
  )
  const { last } = database.prepare('SELECT coalesce(max(pos), 0) AS last FROM events').get() as { last: number }
  const count = { events: 0, unchecked: 0 }
  for (let after = 0; ; ) {
    const rows = page.all(after) as readonly SummedRow[]
    // A damaged page could lead the reader in a circle.
    if (rows.some(({ pos }, index) => pos <= (rows[index - 1]?.pos ?? after))) throw new Error('Positions do not grow.')
    for (const row of rows) {
      count.events++
      if (row.sum === null) count.unchecked++
      else if (sumOf(row.name ?? '', row.rev, row.created, row) !== row.sum)
        found({ check: 'checksum', place: `${row.name} ${row.rev}`, problem: 'the event is not as it was recorded' })
    }
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return { ...count, position: last === 0 ? undefined : positionOf(last) }
    after = lastRow.pos
    progress(after, last)
    await setImmediate()
  }
}
