/** Limits of a cache of promises: how many are kept, and for how long, if they succeed and if they fail (milliseconds). */
interface KeptBounds {
  readonly most: number
  readonly kept: number
  readonly failed: number
}

/** The value of a key: what is kept, or else what `make` begins now. */
type Keep<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>

/**
 * Keeps what was made for the latest keys. Callers of the same key share one making; a failure is kept for a moment. `now`
 * returns milliseconds of a clock that never goes back.
 */
export function createKeptPromises<Value>(
  { most, kept, failed }: KeptBounds,
  now: () => number = () => performance.now(),
): Keep<Value> {
  const known = new Map<string, { readonly value: Promise<Value>; until: number }>()

  return (key, make) => {
    const found = known.get(key)
    if (found !== undefined && now() < found.until) return found.value
    const made = { value: make(), until: now() + kept }
    made.value.catch(() => {
      made.until = now() + failed
    })
    known.delete(key)
    known.set(key, made)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return made.value
  }
}
