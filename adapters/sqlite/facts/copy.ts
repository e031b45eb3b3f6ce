import type { Keys, Storage } from '../../../engine/index.ts'
import { createKeys } from './beside.ts'
import { storeOn } from './index.ts'
import { openToRead, versionOf } from './open.ts'

/** The store in a file that stays as it is, as in a backup: every write is refused. Throws where the file is of an earlier version. */
export function createReadOnlyStore(file: string, clock: () => number): Storage {
  const database = openToRead(file)
  try {
    if (versionOf(database, file) < 2)
      throw new Error(`${file} is of an earlier version. Put it into a store of its own to look further into it.`)
    return storeOn(database, clock)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Runs `look` on the keys in a file that stays as it is; a file of an earlier version has none. */
export async function lookAtKeys(file: string, look: (keys: Keys) => Promise<void>): Promise<void> {
  const database = openToRead(file)
  try {
    if (versionOf(database, file) >= 2) await look(createKeys(database))
  } finally {
    database.close()
  }
}
