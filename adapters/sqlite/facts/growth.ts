import type { Growth } from '../../../engine/index.ts'
import { type Database, type Query, queryOn } from '../database.ts'
import { inTransaction } from '../transaction.ts'
import { createHeads, maxGrown } from './heads.ts'
import type { Life } from './life.ts'

/** Which streams have grown, and when by the count. */
interface GrowthLog {
  /** Notes that these streams have grown, or that any may have. */
  note(streams: ReadonlySet<string> | undefined): void
  count(): number
  hasGrown(streams: readonly string[], since: number): boolean
}

/** Maximum number of streams that are noted. */
const maxNoted = 20_000

/** Creates an empty log. What is forgotten counts as grown. */
function createGrowthLog(): GrowthLog {
  const grownAt = new Map<string, number>()
  let count = 0
  /** What was read before this count may be outdated: it is no longer noted what has grown since. */
  let oldest = 0

  function note(streams: ReadonlySet<string> | undefined) {
    if (streams?.size === 0) return
    count++
    // After a call with very many, the ends of all are looked up again anyway.
    if (streams === undefined || streams.size > maxGrown) {
      grownAt.clear()
      oldest = count
      return
    }
    for (const stream of streams) {
      grownAt.delete(stream)
      grownAt.set(stream, count)
    }
    for (const [stream, at] of grownAt) {
      if (grownAt.size <= maxNoted) break
      grownAt.delete(stream)
      oldest = at
    }
  }

  return {
    note,
    count: () => count,
    hasGrown: (streams, since) =>
      since < count && (since < oldest || streams.some((stream) => (grownAt.get(stream) ?? 0) > since)),
  }
}

/** The ends of streams, and their growth. `noteGrowth` is called with the streams to which this connection has added. */
export function createGrowth(database: Database, { gate, isSame }: Pick<Life, 'gate' | 'isSame'>) {
  const log = createGrowthLog()
  const revisionsIn = createRevisionsIn(database)
  let isChecked = true
  const heads = createHeads(database, (streams) => {
    isChecked = false
    log.note(streams)
  })
  const growth: Growth = {
    count: (now) => {
      if (gate.isShut()) return undefined
      try {
        if (now === undefined) heads.refreshOnce()
        else heads.refresh()
        // The commit of another process may be a restore.
        isChecked ||= isSame()
        return isChecked ? log.count() : undefined
      } catch {
        return undefined
      }
    },
    hasGrown: log.hasGrown,
    revisions: revisionsIn,
    atOnce: (lookUp) => inTransaction(database, 'DEFERRED', lookUp),
  }
  const noteGrowth = (streams: ReadonlySet<string>) => {
    log.note(streams)
    try {
      heads.skipOwn()
    } catch {
      // The commit is valid; its ends are looked up again.
    }
  }
  return { heads, growth, noteGrowth }
}

const revision = '(SELECT max(rev) FROM events WHERE sid = (SELECT sid FROM streams WHERE name = ?))'

/** The revisions of streams in one statement, because each statement locks the file. */
function createRevisionsIn(database: Database): Growth['revisions'] {
  const queries = new Map<number, Query<readonly (number | null)[]>>()
  return (streams) => {
    if (streams.length === 0) return []
    const query = queries.get(streams.length) ?? queryOn(database, `SELECT ${streams.map(() => revision).join()}`)
    queries.set(streams.length, query)
    return query(...streams)[0]?.map((found) => found ?? -1) ?? []
  }
}
