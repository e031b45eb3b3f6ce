import { realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { StreamName } from '../../../engine/index.ts'
import type { ReportProgress } from '../../node/damage.ts'
import type { Database } from '../database.ts'
import { inLongTransaction } from '../transaction.ts'
import { type Checked, checkFile } from './check.ts'
import { openDatabase } from './open.ts'

/** What stands in the store after a restore. */
export interface Restored extends Checked {
  /** Streams whose key was thrown away; their erasure may be later than the backup, and is then to be recorded again. */
  readonly forgotten: readonly StreamName[]
}

/** How a restore goes about. */
export interface Restoring {
  /** Whether a store that has events is replaced, and not kept. */
  readonly force: boolean
  /** The check is the first half of the way. */
  readonly progress?: ReportProgress
}

/**
 * Of the keys the store keeps those thrown away (of which NULL is left), the vault's marks of what was forgotten, and, after
 * a crash between mark and key, throws away what is marked. All others come from the backup.
 */
const keepThrownAway = `
UPDATE main.keys SET key = NULL WHERE 'forgotten:' || subject IN (SELECT subject FROM main.keys);
DELETE FROM main.keys WHERE key IS NOT NULL AND subject NOT LIKE 'forgotten:%';
`

/** Events of a step: between two, the progress is told. */
const stepSize = 20_000

/**
 * Puts the contents of a backup into the place of those of the store in `file`, in one transaction: at any moment, and
 * after a kill at any moment, the old or the new stands. Servers that run on the file notice. Keys that were thrown away
 * in the store stay so. Throws where the backup is damaged, or where the store has events and `force` is not given.
 */
export async function restore(
  backup: string,
  file: string,
  { force, progress = () => {} }: Restoring,
): Promise<Restored> {
  const checked = await whole(backup, (done, total) => progress(done, 2 * total))
  const database = openDatabase(file)
  try {
    if (realpathSync(backup) === realpathSync(file)) throw new Error(`${backup} is the store itself.`)
    // References were checked in the backup; here they would be looked up row by row.
    database.exec('PRAGMA foreign_keys = OFF')
    database.prepare('ATTACH ? AS backup').run(backup)
    await inLongTransaction(database, 'IMMEDIATE', async () => {
      if (!force && database.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined)
        throw new Error(`${file} has events, and they would be gone. --force replaces them.`)
      await replace(database, (done, total) => progress(total + done, 2 * total))
    })
    return { ...checked, forgotten: forgottenIn(database) }
  } finally {
    database.close()
  }
}

function forgottenIn(database: Database): readonly StreamName[] {
  const rows = database
    .prepare('SELECT name FROM main.streams JOIN main.keys ON subject = name WHERE key IS NULL')
    .all() as readonly { readonly name: StreamName }[]
  return rows.map(({ name }) => name)
}

async function whole(backup: string, progress: ReportProgress): Promise<Checked> {
  const problems: string[] = []
  const checked = await checkFile(backup, ({ place, problem }) => problems.push(`${place}: ${problem}`), progress)
  if (problems.length > 0)
    throw new Error(
      `${backup} is damaged, and the store stays as it is. ${problems.length} found, first ${problems[0]}`,
    )
  return checked
}

async function replace(database: Database, progress: ReportProgress): Promise<void> {
  const { user_version: version } = database.prepare('PRAGMA backup.user_version').get() as { user_version: number }
  const hasBeside = version >= 2
  for (const table of ['events', 'streams', 'leases']) database.exec(`DELETE FROM main.${table}`)
  database.exec(keepThrownAway)
  database.exec('INSERT INTO main.streams (sid, name) SELECT sid, name FROM backup.streams ORDER BY sid')
  if (hasBeside) {
    database.exec('INSERT INTO main.leases SELECT name, holder, term, checkpoint FROM backup.leases')
    database.exec('INSERT OR IGNORE INTO main.keys SELECT subject, key FROM backup.keys')
  }
  const columns = 'pos, sid, rev, id, type, data, meta, created'
  const step = database.prepare(
    `INSERT INTO main.events (${columns}, sum) SELECT ${columns}, ${hasBeside ? 'sum' : 'NULL'}
     FROM backup.events WHERE pos > ? AND pos <= ? ORDER BY pos`,
  )
  const { last } = database.prepare('SELECT coalesce(max(pos), 0) AS last FROM backup.events').get() as { last: number }
  for (let after = 0; after < last; after += stepSize) {
    step.run(after, after + stepSize)
    progress(Math.min(after + stepSize, last), last)
    await setImmediate()
  }
  database.exec('UPDATE main.history SET id = lower(hex(randomblob(16)))')
}
