import type { EventStore, Hooks, Owner, StreamName } from '../../../engine/index.ts'

/** The settings of owners, as far as they are known here. */
export interface HooksBook {
  /** The settings of an owner, at most a second old, and no older than what was said to have changed. */
  of(owner: Owner): Promise<Hooks>
  /** The settings of an owner have changed. */
  changed(owner: Owner): void
}

/** What a book of settings is made of. */
export interface HooksOptions {
  readonly store: Pick<EventStore, 'last'>
  readonly streamOf: (owner: Owner) => StreamName
  readonly load: (owner: Owner) => Promise<Hooks>
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
}

interface Known {
  readonly hooks: Promise<Hooks>
  readonly revision: number | undefined
  readonly at: number
}

/** So long is believed what was looked at, in milliseconds: another node may change it, which is not told here. */
const belief = 1_000

/** So many owners are known at most. */
const most = 20_000

/** Keeps the settings of owners folded, as every notice and every attempt asks for them. */
export function createHooksBook({ store, streamOf, load, now }: HooksOptions): HooksBook {
  const known = new Map<Owner, Known>()

  async function look(owner: Owner): Promise<Known> {
    const before = known.get(owner)
    if (before !== undefined && now() - before.at < belief) return before
    const at = now()
    const revision = (await store.last(streamOf(owner)))?.revision
    const isSame = before !== undefined && before.revision === revision && known.get(owner) === before
    const next: Known = isSame ? { ...before, at } : { hooks: load(owner), revision, at }
    if (known.size >= most) known.clear()
    known.set(owner, next)
    next.hooks.catch(() => known.delete(owner))
    return next
  }

  return {
    of: async (owner) => (await look(owner)).hooks,
    changed: (owner) => void known.delete(owner),
  }
}
