import { EngineError } from '../../engine/index.ts'
import { type CountName, type LimitSettings, type Limits, type RateName, rates as table } from '../node/limits.ts'
import type { Peers } from '../node/peers.ts'
import { type Buckets, createBuckets, createNetworkBuckets } from './buckets.ts'
import { shareCharges, sharePlaces } from './shared.ts'
import { createSources } from './source.ts'

/** Dependencies of the limits. */
interface LimitOptions {
  readonly settings: LimitSettings
  /** Addresses and networks of the proxies whose forwarded addresses are believed. */
  readonly proxies: readonly string[]
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Called with the name of the limit for each refusal. */
  readonly onRefused?: (name: RateName | CountName) => void
  /** Called for each request with a forwarded address that is ignored. */
  readonly onUntrusted?: () => void
  /** The other processes of the server, which count together with this one. */
  readonly peers?: Peers | undefined
}

/** Creates the limits of this process, or of a server of several processes. */
export function createLimits(options: LimitOptions): Limits {
  const { settings, proxies, now, onRefused, onUntrusted = () => {}, peers } = options
  const { sourceOf, isTrusted } = createSources(proxies, onUntrusted)
  const buckets = bucketsOf(settings, now)
  const places = sharePlaces(peers)
  const tell = shareCharges(peers, (name, key, tokens) => buckets[name]?.charge(key, tokens))

  /** Takes a token and tells the others; returns 0, or the milliseconds until there is one. */
  function take(name: RateName, key: string): number {
    const wait = buckets[name]?.take(key)
    if (wait === 0) tell(name, key, 1)
    return wait ?? 0
  }

  /** Refuses if there is no token for so many milliseconds. */
  function refuse(name: RateName, ms: number) {
    if (ms === 0) return
    onRefused?.(name)
    const { burst, seconds, count } = settings.rates[name] ?? { burst: 0, seconds: 0, count: 1 }
    const window = Math.ceil((burst * seconds) / count)
    throw new EngineError('too_many_requests', { limit: name, seconds: Math.ceil(ms / 1_000), quota: burst, window })
  }

  /** Takes one of the places of a key, if there is one. */
  function place(name: CountName, key: string): (() => void) | undefined {
    const most = settings.counts[name]
    if (most !== undefined && places.of(name, key) >= most) {
      onRefused?.(name)
      return undefined
    }
    places.add(name, key, 1)
    return () => places.add(name, key, -1)
  }

  return {
    sourceOf,
    take: (name, key) => refuse(name, take(name, key)),
    tryTake: (name, key) => take(name, key) === 0,
    hasToken: (name, key) => (buckets[name]?.wait(key) ?? 0) === 0,
    requireToken: (name, key) => refuse(name, buckets[name]?.wait(key) ?? 0),
    charge: (name, key, tokens) => {
      const bucket = buckets[name]
      if (bucket === undefined) return
      bucket.charge(key, tokens)
      tell(name, key, tokens)
    },
    occupy: (name, key) => {
      const left = place(name, key)
      if (left === undefined) throw new EngineError('too_many_requests', { limit: name, seconds: 10 })
      return left
    },
    connect: (peer) => {
      if (peer === undefined || isTrusted(peer)) return () => {}
      return place(
        'connections',
        sourceOf(peer, () => undefined),
      )
    },
  }
}

function bucketsOf({ rates }: LimitSettings, now: () => number): Readonly<Partial<Record<RateName, Buckets>>> {
  const all = (Object.keys(rates) as RateName[]).map((name) => {
    const rate = rates[name]
    const create = table[name].by === 'source and networks' ? createNetworkBuckets : createBuckets
    return [name, rate && create(rate, now)] as const
  })
  return Object.fromEntries(all.filter(([, buckets]) => buckets !== undefined))
}
