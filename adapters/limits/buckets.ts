import { networks, type Rate } from '../node/limits.ts'
import { networksOf, remember } from './source.ts'

/** Token buckets by key. */
export interface Buckets {
  /** Takes a token; returns 0, or the milliseconds until there is one. */
  take(key: string): number
  /** Milliseconds until there is a token; 0 if there is one. */
  wait(key: string): number
  /** Takes tokens that there may not be yet. */
  charge(key: string, tokens: number): void
  /** Number of buckets in memory. */
  size(): number
}

/** Milliseconds after which a bucket that was not used is full, even if it was charged with many tokens. */
const longestDebt = 600_000

/** Milliseconds that rounding may add to a wait. */
const tolerance = 0.001

/** The state of a bucket: the instant at which it is full again, in milliseconds. */
interface Bucket {
  fullAt: number
}

/** Maximum number of buckets in memory; those that were not used for longest are forgotten, and so are full again. */
const maxBuckets = 100_000

/**
 * Creates buckets of one rate (the generic cell rate algorithm, ITU-T I.371). `now` returns milliseconds of a clock that
 * never goes back.
 */
export function createBuckets({ count, seconds, burst }: Rate, now: () => number, most = maxBuckets): Buckets {
  const interval = (seconds * 1_000) / count
  const whole = burst * interval
  // Two generations: a use moves a bucket to the younger one, and the older one is dropped as a whole. A bucket that
  // was not used for the time that it takes to fill is full, and need not be remembered.
  let young = new Map<string, Bucket>()
  let old: typeof young = new Map()
  let bornAt = now()

  function bucketOf(key: string, at: number): Bucket {
    if (young.size * 2 >= most || at - bornAt > Math.max(whole, longestDebt)) {
      old = young
      young = new Map()
      bornAt = at
    }
    const known = young.get(key)
    if (known !== undefined) return known
    const bucket = old.get(key) ?? { fullAt: at }
    young.set(key, bucket)
    return bucket
  }

  function waitOf(bucket: Bucket, at: number): number {
    const wait = bucket.fullAt + interval - whole - at
    return wait < tolerance ? 0 : wait
  }

  return {
    take: (key) => {
      const at = now()
      const bucket = bucketOf(key, at)
      const wait = waitOf(bucket, at)
      if (wait === 0) bucket.fullAt = Math.max(bucket.fullAt, at) + interval
      return wait
    },
    wait: (key) => {
      const bucket = young.get(key) ?? old.get(key)
      return bucket === undefined ? 0 : waitOf(bucket, now())
    },
    charge: (key, tokens) => {
      const at = now()
      const bucket = bucketOf(key, at)
      bucket.fullAt = Math.max(bucket.fullAt, at) + tokens * interval
    },
    size: () => young.size + [...old.keys()].filter((key) => !young.has(key)).length,
  }
}

/** Maximum number of sources whose networks are remembered, which need not be computed for each request. */
const maxSources = 10_000

/** Buckets that a source takes from, and what it is called in them. */
type Level = readonly [buckets: Buckets, key: string]

/** Creates buckets of sources and of the networks around them: a source takes its tokens from all of these. */
export function createNetworkBuckets(rate: Rate, now: () => number): Buckets {
  const own = createBuckets(rate, now)
  const wide = new Map<number, Buckets>(
    networks.map(({ times }) => [
      times,
      createBuckets({ ...rate, count: rate.count * times, burst: rate.burst * times }, now),
    ]),
  )
  const known = new Map<string, readonly Level[]>()

  function levelsOf(source: string): readonly Level[] {
    const levels = known.get(source)
    if (levels !== undefined) return levels
    const around = networksOf(source).map(({ name, times }): Level => [wide.get(times) ?? own, name])
    return remember(known, source, [[own, source], ...around], maxSources)
  }

  function wait(source: string): number {
    let longest = 0
    for (const [buckets, key] of levelsOf(source)) longest = Math.max(longest, buckets.wait(key))
    return longest
  }

  return {
    wait,
    take: (source) => {
      const ms = wait(source)
      if (ms === 0) for (const [buckets, key] of levelsOf(source)) buckets.take(key)
      return ms
    },
    charge: (source, tokens) => {
      for (const [buckets, key] of levelsOf(source)) buckets.charge(key, tokens)
    },
    size: () => [own, ...wide.values()].reduce((sum, buckets) => sum + buckets.size(), 0),
  }
}
