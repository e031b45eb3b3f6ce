import type { Database } from '../database.ts'

/** Watches for commits of other processes until stopped. */
interface Watch {
  stop(): void
}

/** Milliseconds that a commit of another process may go unnoticed. */
const interval = 500

/** What a watch calls. */
interface Watched {
  /** Another connection has committed, or it cannot be determined whether one has. */
  changed(): void
  /** At every look. */
  looked(): void
}

/** Looks every half second whether another connection has committed. Does not keep the process alive. */
export function createWatch(database: Database, { changed, looked }: Watched): Watch {
  const dataVersion = database.prepare('PRAGMA data_version')
  let seen = version()

  function version(): number | undefined {
    try {
      return (dataVersion.get() as { readonly data_version: number }).data_version
    } catch {
      return undefined
    }
  }

  function look() {
    looked()
    const current = version()
    try {
      if (current === undefined || current !== seen) changed()
      seen = current
    } catch {
      // The next check tries again.
    }
  }

  const timer = setInterval(look, interval).unref()
  return { stop: () => clearInterval(timer) }
}
