import { EngineError, type Owner } from '../../../engine/index.ts'

/** So many sends may somebody ask for within so many milliseconds. */
const allowed = { sends: 60, within: 60_000 }

/** Counts what each business, or partner of one, asks for by hand, in memory: of this node, and until it stops. */
export interface Allowance {
  /** Refuses with `too_many_sends` what is too much. */
  spend(who: number | Owner): void
}

interface Spent {
  readonly since: number
  count: number
}

/** Makes an allowance for everybody. */
export function createAllowance(clock: () => number): Allowance {
  const spent = new Map<number | Owner, Spent>()

  function current(who: number | Owner, now: number): Spent {
    const found = spent.get(who)
    if (found !== undefined && now < found.since + allowed.within) return found
    for (const [id, { since }] of spent) if (now >= since + allowed.within) spent.delete(id)
    const begun = { since: now, count: 0 }
    spent.set(who, begun)
    return begun
  }

  return {
    spend: (who) => {
      const now = clock()
      const window = current(who, now)
      const seconds = Math.ceil((window.since + allowed.within - now) / 1_000)
      if (window.count >= allowed.sends) throw new EngineError('too_many_sends', { seconds })
      window.count++
    },
  }
}
