import { type Attempts, EngineError } from '../../engine/index.ts'
import { type Limits, localSource, noLimits } from '../node/limits.ts'

/**
 * After `free` failures there is a wait, doubled by each further failure; in milliseconds. The longest wait allows some
 * three hundred guesses a day from one source.
 */
const rules = { free: 5, first: 30_000, longest: 300_000, forgotten: 24 * 3_600_000 }

/** Milliseconds that a source is remembered from which an account has signed in. */
const rememberedFor = 30 * 86_400_000

/** Maximum number of remembered keys; the oldest is dropped. Flooding costs the sender a slow hash per key. */
const maxKeys = 100_000

/** Maximum number of waiting checks per key. */
const maxWaiting = 20

interface Failures {
  readonly count: number
  /** On the clock of the attempts. */
  readonly until: number
}

/**
 * Counts failures in the memory of this process, until it stops. An account that has signed in from a source before is
 * not slowed down by failures of other accounts from there, and its checks learn that it is known. `now` returns
 * milliseconds of a clock that never goes back: a wait is as long as it says, whatever happens to the time of day.
 */
export function createAttempts(now: () => number, limits: Limits = noLimits): Pick<Attempts, 'attempt'> {
  const failures = new Map<string, Failures>()
  /** When the last sign-in was, by account and source. */
  const signedIn = new Map<string, number>()
  const lines = new Map<string, { waiting: number; end: Promise<unknown> }>()

  function known(key: string): Failures | undefined {
    const found = failures.get(key)
    return found !== undefined && now() < found.until + rules.forgotten ? found : undefined
  }

  function admit(key: string) {
    const left = (known(key)?.until ?? 0) - now()
    if (left > 0) throw new EngineError('too_many_attempts', { seconds: Math.ceil(left / 1000) })
  }

  function fail(key: string) {
    const count = (known(key)?.count ?? 0) + 1
    const wait = count < rules.free ? 0 : Math.min(rules.longest, rules.first * 2 ** (count - rules.free))
    remember(failures, key, { count, until: now() + wait })
  }

  async function judged<Found>(key: string, source: string, check: () => Promise<Found | undefined>) {
    admit(key)
    const found = await check()
    if (found === undefined) {
      fail(key)
      limits.charge('failed_sign_ins', source, 1)
    } else {
      failures.delete(key)
      remember(signedIn, key, now())
    }
    return found
  }

  function hasSignedIn(key: string): boolean {
    return now() < (signedIn.get(key) ?? Number.NEGATIVE_INFINITY) + rememberedFor
  }

  return {
    attempt: async (account, source = localSource, check) => {
      const key = `${account}\0${source}`
      limits.take('sign_in', key)
      if (!hasSignedIn(key)) limits.requireToken('failed_sign_ins', source)
      const line = lines.get(key) ?? { waiting: 0, end: Promise.resolve() }
      if (line.waiting >= maxWaiting) throw new EngineError('too_busy')
      line.waiting++
      lines.set(key, line)
      const answer = line.end.then(() => judged(key, source, () => check(hasSignedIn(key) ? account : undefined)))
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

/** Remembers a value as the latest one, and forgets the oldest one if there are too many. */
function remember<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key)
  values.set(key, value)
  const [oldest] = values.keys()
  if (values.size > maxKeys && oldest !== undefined) values.delete(oldest)
}
