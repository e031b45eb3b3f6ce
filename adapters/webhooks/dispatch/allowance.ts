import { EngineError } from '../../../engine/index.ts'

/** So many sends may somebody ask for within so many milliseconds. */
const allowed = { sends: 60, within: 60_000 }

/** Counts what each business asks for by hand, in memory: of this node, and until it stops. */
export interface Allowance {
  /** Refuses with `too_many_sends` what is too much. */
  spend(businessId: number): void
}

interface Spent {
  readonly since: number
  count: number
}

/** Makes an allowance for every business. */
export function createAllowance(clock: () => number): Allowance {
  const spent = new Map<number, Spent>()

  function current(businessId: number, now: number): Spent {
    const found = spent.get(businessId)
    if (found !== undefined && now < found.since + allowed.within) return found
    for (const [id, { since }] of spent) if (now >= since + allowed.within) spent.delete(id)
    const begun = { since: now, count: 0 }
    spent.set(businessId, begun)
    return begun
  }

  return {
    spend: (businessId) => {
      const now = clock()
      const window = current(businessId, now)
      const seconds = Math.ceil((window.since + allowed.within - now) / 1_000)
      if (window.count >= allowed.sends) throw new EngineError('too_many_sends', { seconds })
      window.count++
    },
  }
}
