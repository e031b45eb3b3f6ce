import type { Database } from '../database.ts'
import type { Damages } from './damages.ts'
import type { Heads } from './heads.ts'
import { createReader, type Reader } from './read.ts'

/** The readers of a store. */
interface Readers extends Reader {
  /** Closes what was opened for them. */
  close(): void
}

/** Connections to the file of a store: one, and how others are opened, if they can be. */
interface Connections {
  readonly database: Database
  readonly openAnother: (() => Database) | undefined
}

/**
 * Prepares a reader. Reads in passing have a separate connection with a small cache, because a long timeline would take
 * all of the cache that others have. It is opened for the first of these reads.
 */
export function createReaders({ database, openAnother }: Connections, heads: Heads, damages: Damages): Readers {
  const reader = createReader(database, heads, damages)
  let own: Database | undefined
  let passing: Reader | undefined

  function open(openOwn: () => Database): Reader {
    own = openOwn()
    own.exec('PRAGMA cache_size = -2048; PRAGMA query_only = ON')
    return createReader(own, heads, damages)
  }

  return {
    ...reader,
    read: (stream, range) => {
      if (range.isPassing !== true || openAnother === undefined) return reader.read(stream, range)
      passing ??= open(openAnother)
      return passing.read(stream, range)
    },
    close: () => own?.close(),
  }
}
