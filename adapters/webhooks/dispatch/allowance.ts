import { EngineError, type Owner } from '../../../engine/index.ts'

/** Sends that one party may request by hand within `within` milliseconds. */
const limit = { sends: 60, within: 60_000 }

/** Limits the sends that a business or partner requests by hand. Counts in the memory of this node, until it stops. */
export interface Allowance {
  /** Counts one send; throws `too_many_sends` when the limit is reached. */
  consume(who: number | Owner): void
}

interface UsageWindow {
  readonly since: number
  count: number
}

/** Creates the limit for all parties; `clock` returns epoch milliseconds. */
export function createAllowance(clock: () => number): Allowance {
  const windows = new Map<number | Owner, UsageWindow>()

  function current(who: number | Owner, now: number): UsageWindow {
    const found = windows.get(who)
    if (found !== undefined && now < found.since + limit.within) return found
    for (const [id, { since }] of windows) if (now >= since + limit.within) windows.delete(id)
    const begun = { since: now, count: 0 }
    windows.set(who, begun)
    return begun
  }

  return {
    consume: (who) => {
      const now = clock()
      const window = current(who, now)
      const seconds = Math.ceil((window.since + limit.within - now) / 1_000)
      if (window.count >= limit.sends) throw new EngineError('too_many_sends', { seconds })
      window.count++
    },
  }
}
