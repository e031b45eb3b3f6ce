import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { chooseDriver, copyDatabase, type Database } from '../database.ts'
import { explained } from '../failure.ts'
import { busyTimeout, makePrivate, pragmaOf, problemsIn } from '../file.ts'
import { inLongTransaction } from '../transaction.ts'
import { deliveriesSchema } from './open.ts'

/** Bytes of a deliveries file in one row of a backup. */
const partSize = 1024 * 1024

/** The parts of the deliveries file in a backup of the store, which no engine reads as long as it is a backup. */
const parts = `
CREATE TABLE deliveries_parts (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`

/** Copies a deliveries file as of this moment to a new file, while servers go on; returns the number of deliveries. */
export async function copyDeliveries(file: string, target: string): Promise<number> {
  return explained(
    (reason) => `The deliveries in ${file} could not be copied: ${reason}.`,
    async () => {
      makePrivate(target)
      const database = opened(file)
      try {
        // Inside the transaction the copy does not restart whenever somebody writes.
        await inLongTransaction(database, 'DEFERRED', async () => {
          database.prepare('SELECT count(*) FROM deliveries').get()
          await copyDatabase(database, target, { rate: 1000, progress: () => {} })
        })
      } finally {
        database.close()
      }
      return wholeIn(target)
    },
  )
}

/** Puts a copy of a deliveries file into a backup of the store. */
export async function packDeliveries(copy: string, backup: string): Promise<void> {
  const database = opened(backup)
  const descriptor = openSync(copy, 'r')
  try {
    await inLongTransaction(database, 'IMMEDIATE', async () => {
      database.exec(parts)
      const insert = database.prepare('INSERT INTO deliveries_parts (bytes) VALUES (?)')
      const bytes = new Uint8Array(partSize)
      for (let size = readSync(descriptor, bytes); size > 0; size = readSync(descriptor, bytes)) {
        insert.run(bytes.subarray(0, size))
        await setImmediate()
      }
    })
  } finally {
    closeSync(descriptor)
    database.close()
  }
}

/** Whether a backup of the store holds deliveries. */
export function holdsDeliveries(backup: string): boolean {
  const database = opened(backup)
  try {
    return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'deliveries_parts'").get() !== undefined
  } finally {
    database.close()
  }
}

/**
 * Writes the deliveries in a backup, which holds some, to a new file; returns their number. Throws if they are damaged,
 * or of a later version.
 */
export async function unpackDeliveries(backup: string, target: string): Promise<number> {
  makePrivate(target)
  const database = opened(backup)
  const descriptor = openSync(target, 'r+')
  try {
    const next = database.prepare('SELECT part, bytes FROM deliveries_parts WHERE part > ? ORDER BY part LIMIT 1')
    for (let row = next.get(0) as Part | undefined; row !== undefined; row = next.get(row.part) as typeof row) {
      writeSync(descriptor, row.bytes)
      await setImmediate()
    }
  } finally {
    closeSync(descriptor)
    database.close()
  }
  return wholeIn(target)
}

interface Part {
  readonly part: number
  readonly bytes: Uint8Array
}

/** The number of deliveries in a file that no server uses; throws if it is damaged, or of a later version. */
function wholeIn(file: string): number {
  const database = opened(file)
  try {
    const { application, version } = deliveriesSchema
    if (pragmaOf(database, 'application_id') !== application)
      throw new Error('What the backup has of deliveries is not of this engine.')
    if (pragmaOf(database, 'user_version') > version)
      throw new Error('The deliveries are of a later version of this engine.')
    database.exec('PRAGMA journal_mode = DELETE')
    const [problem] = problemsIn(database, 'quick_check')
    if (problem !== undefined) throw new Error(`The copy of the deliveries is not whole: ${problem}.`)
    return (database.prepare('SELECT count(*) AS count FROM deliveries').get() as { readonly count: number }).count
  } finally {
    database.close()
  }
}

function opened(file: string): Database {
  const database = new (chooseDriver())(file)
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  return database
}
