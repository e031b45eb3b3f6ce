import { setTimeout } from 'node:timers/promises'
import { EngineError, type Keys, type Leases } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { busyTimeout } from '../file.ts'
import { createGroupedWrites, type WriteTurns } from './write-turns.ts'

/** The leases, one row each. Those that are renewed together are written together. */
export function createLeases(database: Database, grouped: WriteTurns['short']): Leases {
  const select = database.prepare('SELECT holder, term, checkpoint FROM leases WHERE name = ?')
  const upsert = database.prepare(
    `INSERT INTO leases (name, holder, term, checkpoint)
     SELECT ?1, ?2, ?3, ?4 WHERE ?3 = 1 OR EXISTS (SELECT 1 FROM leases WHERE name = ?1)
     ON CONFLICT (name) DO UPDATE SET holder = ?2, term = ?3, checkpoint = ?4 WHERE term = ?3 - 1 RETURNING term`,
  )
  return {
    read: async (name) => {
      const row = select.get(name) as { holder: string; term: number; checkpoint: string | null } | undefined
      if (row === undefined) return undefined
      const { checkpoint, ...lease } = row
      return checkpoint === null ? lease : { ...lease, checkpoint }
    },
    write: (name, { holder, term, checkpoint }) =>
      grouped(() => upsert.all(name, holder, term, checkpoint ?? null).length > 0),
  }
}

/** The keys, one row per subject. The row of a deleted key stays, and the log is emptied of the key. */
export function createKeys(
  database: Database,
  turns: WriteTurns,
  grouped = createGroupedWrites(database, turns),
): Keys & Required<Pick<Keys, 'readNow'>> {
  const select = database.prepare('SELECT key FROM keys WHERE subject = ?')
  const insert = database.prepare('INSERT INTO keys (subject, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const remove = database.prepare(
    'INSERT INTO keys (subject, key) VALUES (?, NULL) ON CONFLICT (subject) DO UPDATE SET key = NULL',
  )
  const read = (subject: string) =>
    (select.get(subject) as { readonly key: string | null } | undefined)?.key ?? undefined

  return {
    read: async (subject) => read(subject),
    readNow: read,
    add: async (subject, key) =>
      read(subject) ??
      grouped(() => {
        insert.run(subject, key)
        return read(subject)
      }),
    remove: async (subject) => {
      await turns.short(() => remove.run(subject))
      await emptyLog(database)
    },
  }
}

/** Attempts to empty the log, and milliseconds in between: two seconds in total. */
const emptyingAttempts = { count: 40, wait: 50 }

/** Empties the log, which may contain a deleted key; throws `erasure_unfinished` if other readers keep using it. */
async function emptyLog(database: Database): Promise<void> {
  for (let count = 0; count < emptyingAttempts.count; count++) {
    if (isEmptied(database)) return
    await setTimeout(emptyingAttempts.wait)
  }
  throw new EngineError('erasure_unfinished')
}

/** Tries once without waiting for locks, which would block this process. */
function isEmptied(database: Database): boolean {
  database.exec('PRAGMA busy_timeout = 0')
  try {
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number }
    return busy === 0
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  }
}
