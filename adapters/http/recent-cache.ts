/** A cache of recently used values by name. */
export interface RecentCache<Value> {
  get(name: string): Value | undefined
  /** Caches a value of this size in bytes, replacing an earlier one. */
  set(name: string, value: Value, size: number): void
  /** Bytes of all values. */
  bytes(): number
}

/** Limits: `bytes` in total; an unused value lives at least `ms` milliseconds and at most twice as long. */
interface CacheBounds {
  readonly bytes: number
  readonly ms: number
}

interface CacheEntry<Value> {
  readonly value: Value
  readonly size: number
}

/** Creates a cache within limits. */
export function createRecentCache<Value>({ bytes, ms }: CacheBounds): RecentCache<Value> {
  // Two generations: a hit moves the value to the younger one, and the older one is dropped as a whole. So no order
  // has to be maintained.
  let young = new Map<string, CacheEntry<Value>>()
  let old: typeof young = new Map()
  let size = 0
  let oldSize = 0
  let timer: NodeJS.Timeout | undefined

  function turn() {
    clearTimeout(timer)
    old = young
    oldSize = size
    young = new Map()
    size = 0
    timer = old.size === 0 ? undefined : setTimeout(turn, ms).unref()
  }

  function keep(name: string, kept: CacheEntry<Value>) {
    oldSize -= old.get(name)?.size ?? 0
    old.delete(name)
    size += kept.size - (young.get(name)?.size ?? 0)
    young.set(name, kept)
    timer ??= setTimeout(turn, ms).unref()
    if (size > bytes / 2) turn()
  }

  return {
    get: (name) => {
      const kept = young.get(name)
      if (kept !== undefined) return kept.value
      const older = old.get(name)
      if (older !== undefined) keep(name, older)
      return older?.value
    },
    set: (name, value, size) => keep(name, { value, size }),
    bytes: () => size + oldSize,
  }
}
