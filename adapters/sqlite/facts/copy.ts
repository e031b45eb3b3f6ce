import type { Keys, Storage } from '../../../engine/index.ts'
import { storeOn } from './index.ts'
import { createKeys } from './keys-and-leases.ts'
import { openToRead, prepared, versionOf } from './open.ts'
import { createWriteTurns } from './write-turns.ts'

/** A read-only store in a file, such as a backup. Throws if the file has an earlier schema version. */
export function createReadOnlyStore(file: string, clock: () => number): Storage {
  const database = openToRead(file)
  return prepared(database, file, () => {
    if (versionOf(database, file) < 2)
      throw new Error(`${file} is of an earlier version. Put it into a store of its own to look further into it.`)
    return storeOn(database, clock)
  })
}

/** Runs `look` on the keys of a file without changing it; a file of an earlier schema version has none. */
export async function lookAtKeys(file: string, look: (keys: Keys) => Promise<void>): Promise<void> {
  const database = openToRead(file)
  try {
    if (versionOf(database, file) >= 2) await look(createKeys(database, createWriteTurns()))
  } finally {
    database.close()
  }
}
