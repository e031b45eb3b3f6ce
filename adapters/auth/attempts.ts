import { type Attempts, EngineError } from '../../engine/index.ts'

/**
 * After `free` failures there is a wait, doubled by each further failure; in milliseconds. The longest wait allows some
 * three hundred guesses a day, and does not lock an owner out for long when somebody else abuses the address.
 */
const rules = { free: 5, first: 30_000, longest: 300_000, forgotten: 24 * 3_600_000 }

/** Maximum number of remembered keys; the oldest is dropped. Flooding costs the sender a slow hash per key. */
const maxKeys = 100_000

/** Maximum number of waiting checks per key. */
const maxWaiting = 20

interface Failures {
  readonly count: number
  /** Epoch milliseconds. */
  readonly until: number
}

/** Counts failures in the memory of this node, until it stops. */
export function createAttempts(clock: () => number): Attempts {
  const failures = new Map<string, Failures>()
  const lines = new Map<string, { waiting: number; end: Promise<unknown> }>()

  function known(key: string): Failures | undefined {
    const found = failures.get(key)
    return found !== undefined && clock() < found.until + rules.forgotten ? found : undefined
  }

  function admit(key: string) {
    const left = (known(key)?.until ?? 0) - clock()
    if (left > 0) throw new EngineError('too_many_attempts', { seconds: Math.ceil(left / 1000) })
  }

  function fail(key: string) {
    const count = (known(key)?.count ?? 0) + 1
    const wait = count < rules.free ? 0 : Math.min(rules.longest, rules.first * 2 ** (count - rules.free))
    failures.delete(key)
    failures.set(key, { count, until: clock() + wait })
    const [oldest] = failures.keys()
    if (failures.size > maxKeys && oldest !== undefined) failures.delete(oldest)
  }

  async function judged<Found>(key: string, check: () => Promise<Found | undefined>) {
    admit(key)
    const found = await check()
    if (found === undefined) fail(key)
    else failures.delete(key)
    return found
  }

  return {
    attempt: (key, check) => {
      const line = lines.get(key) ?? { waiting: 0, end: Promise.resolve() }
      if (line.waiting >= maxWaiting) return Promise.reject(new EngineError('too_busy'))
      line.waiting++
      lines.set(key, line)
      const answer = line.end.then(() => judged(key, check))
      line.end = answer
        .catch(() => {})
        .finally(() => {
          line.waiting--
          if (line.waiting === 0) lines.delete(key)
        })
      return answer
    },
  }
}
