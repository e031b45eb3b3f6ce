import type { Database } from '../database.ts'

/** Looks out for the commits of other processes, until it is stopped. */
export interface Watch {
  stop(): void
}

/** How long the commit of another process may go unnoticed, in milliseconds. */
const interval = 500

/** Calls `changed` after another connection has committed, and where that cannot be told. Does not keep the process alive. */
export function createWatch(database: Database, changed: () => void): Watch {
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
    const current = version()
    try {
      if (current === undefined || current !== seen) changed()
      seen = current
    } catch {
      // It is looked at again next time.
    }
  }

  const timer = setInterval(look, interval).unref()
  return { stop: () => clearInterval(timer) }
}
