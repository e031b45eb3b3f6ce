import type { Database } from '../database.ts'

/** Watches for commits of other processes until stopped. */
export interface Watch {
  stop(): void
}

/** Milliseconds that a commit of another process may go unnoticed. */
const interval = 500

/**
 * Calls `changed` after another connection has committed, or if that cannot be determined. Does not keep the process
 * alive.
 */
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
      // The next check tries again.
    }
  }

  const timer = setInterval(look, interval).unref()
  return { stop: () => clearInterval(timer) }
}
