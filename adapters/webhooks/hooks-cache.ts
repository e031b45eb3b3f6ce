import type { EventStore, Hooks, Owner, StreamName } from '../../engine/index.ts'

/** A cache of webhook settings by owner. */
export interface HooksCache<Known = Hooks> {
  /** The settings of an owner, at most one second old and never older than the last `changed`. */
  of(owner: Owner): Promise<Known>
  /** Drops the cached settings of an owner. */
  changed(owner: Owner): void
}

/** Dependencies of the cache. */
interface HooksCacheOptions<Known> {
  readonly store: Pick<EventStore, 'last'>
  readonly streamOf: (owner: Owner) => StreamName
  readonly load: (owner: Owner) => Promise<Known>
  /** Monotonic milliseconds. */
  readonly now: () => number
}

interface CachedHooks<Known> {
  readonly hooks: Promise<Known>
  readonly revision: number | undefined
  readonly at: number
}

/** Maximum age in milliseconds: another node may change settings without telling this one. */
const maxAge = 1_000

/** Maximum number of cached owners. */
const maxOwners = 20_000

/** Creates the cache. Every event and every attempt asks for settings. */
export function createHooksCache<Known = Hooks>({
  store,
  streamOf,
  load,
  now,
}: HooksCacheOptions<Known>): HooksCache<Known> {
  const known = new Map<Owner, CachedHooks<Known>>()

  async function lookUp(owner: Owner): Promise<CachedHooks<Known>> {
    const before = known.get(owner)
    if (before !== undefined && now() - before.at < maxAge) return before
    const at = now()
    const revision = (await store.last(streamOf(owner)))?.revision
    const isSame = before !== undefined && before.revision === revision && known.get(owner) === before
    const next: CachedHooks<Known> = isSame ? { ...before, at } : { hooks: load(owner), revision, at }
    if (known.size >= maxOwners) known.clear()
    known.set(owner, next)
    next.hooks.catch(() => known.delete(owner))
    return next
  }

  return {
    of: async (owner) => (await lookUp(owner)).hooks,
    changed: (owner) => void known.delete(owner),
  }
}
