import { realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { StreamName } from '../../../engine/index.ts'
import type { ReportProgress } from '../../node/damage.ts'
import type { Database } from '../database.ts'
import { explained } from '../failure.ts'
import { inLongTransaction } from '../transaction.ts'
import { type Checked, checkFile } from './check.ts'
import { openDatabase } from './open.ts'

/** The contents of the store after a restore. */
interface Restored extends Checked {
  /** Streams whose key was deleted; the erasure may be later than the backup and must then be recorded again. */
  readonly forgotten: readonly StreamName[]
}

/** Options of a restore. */
interface Restoring {
  /** Whether a store with events is replaced. */
  readonly force: boolean
  /** The check is the first half of the progress. */
  readonly progress?: ReportProgress
}

/**
 * The store keeps its deleted keys (as NULL) and the vault's marks of erased subjects, and deletes the keys of marked
 * subjects, in case a crash came between mark and deletion. All other keys come from the backup.
 */
const keepThrownAway = `
UPDATE main.keys SET key = NULL WHERE 'forgotten:' || subject IN (SELECT subject FROM main.keys);
DELETE FROM main.keys WHERE key IS NOT NULL AND subject NOT LIKE 'forgotten:%';
`

/** Events per step; progress is reported in between. */
const stepSize = 20_000

/**
 * Replaces the contents of the store in `file` with a backup, in one transaction: after a crash at any moment, either
 * the old or the new contents are there. Running servers notice. Deleted keys stay deleted. Throws if the backup is
 * damaged, or if the store has events and `force` is not set.
 */
export async function restore(
  backup: string,
  file: string,
  { force, progress = () => {} }: Restoring,
): Promise<Restored> {
  const checked = await whole(backup, (done, total) => progress(done, 2 * total))
  const failed = (reason: string) =>
    `The restore failed: ${reason}. ${file} holds what it held before, or the whole backup.`
  const forgotten = await explained(failed, () => replaceAll(backup, file, force, progress))
  return { ...checked, forgotten }
}

async function replaceAll(
  backup: string,
  file: string,
  force: boolean,
  progress: ReportProgress,
): Promise<readonly StreamName[]> {
  const database = openDatabase(file)
  try {
    if (realpathSync(backup) === realpathSync(file)) throw new Error(`${backup} is the store itself.`)
    // References were checked in the backup; here they would be checked row by row.
    database.exec('PRAGMA foreign_keys = OFF')
    database.prepare('ATTACH ? AS backup').run(backup)
    await inLongTransaction(database, 'IMMEDIATE', async () => {
      if (!force && database.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined)
        throw new Error(`${file} has events, and they would be gone. --force replaces them.`)
      await replace(database, (done, total) => progress(total + done, 2 * total))
    })
    return forgottenIn(database)
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
