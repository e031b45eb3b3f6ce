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

interface KeyCounts {
  readonly rows: number
  readonly left: number
}

/**
 * Runs `look` on the keys of a file without changing it; a file of an earlier schema version has none. Throws if all keys are
 * destroyed, which erasures never do: the proof of the secret is one.
 */
export async function lookAtKeys(file: string, look: (keys: Keys) => Promise<void>): Promise<void> {
  const database = openToRead(file)
  try {
    if (versionOf(database, file) < 2) return
    const { rows, left } = database.prepare('SELECT COUNT(*) AS rows, COUNT(key) AS left FROM keys').get() as KeyCounts
    if (rows > 0 && left === 0)
      throw new Error(`All keys in ${file} are gone. Nothing was changed; take another backup.`)
    await look(createKeys(database, createWriteTurns()))
  } finally {
    database.close()
  }
}
