import type { Database } from './database.ts'

/** Looks out for the commits of other processes. */
export interface Watch {
  start(): void
  stop(): void
}

/** How long the commit of another process may go unnoticed, in milliseconds. */
const interval = 500

/** Calls `changed` after another connection has committed, and where that cannot be told. Does not keep the process alive. */
export function createWatch(database: Database, changed: () => void): Watch {
  const dataVersion = database.prepare('PRAGMA data_version')
  let timer: NodeJS.Timeout | undefined
  let seen: number | undefined

  function version(): number | undefined {
    try {
      return (dataVersion.get() as { readonly data_version: number }).data_version
    } catch {
      return undefined
    }
  }

  function look() {
    const current = version()
    if (current === undefined || current !== seen) changed()
    seen = current
  }

  return {
    start: () => {
      if (timer !== undefined) return
      seen = version()
      timer = setInterval(look, interval).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}
