import { isEngineError, type Storage, wrapStore } from '../../engine/index.ts'

/** A store, and whether its last write was refused because it takes none. */
interface WatchedWrites {
  readonly store: Storage
  areRefused(): boolean
}

/**
 * Watches the writes to a store. Policies renew their leases every few seconds, so the state is current even while
 * nobody calls the server.
 */
export function watchWrites(store: Storage): WatchedWrites {
  let areRefused = false

  async function watched<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write
      areRefused = false
      return result
    } catch (error) {
      areRefused = isEngineError(error, 'store_unavailable')
      throw error
    }
  }

  return {
    store: {
      ...wrapStore(store, ({ append, appendMany }) => ({
        append: (stream, events, expected) => watched(append(stream, events, expected)),
        appendMany: (appends) => watched(appendMany(appends)),
      })),
      leases: { ...store.leases, write: (name, lease) => watched(store.leases.write(name, lease)) },
    },
    areRefused: () => areRefused,
  }
}
