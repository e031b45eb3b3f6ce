import type { RecordedEvent } from '../kernel/event.ts'
import type { EventFilter, EventStore } from '../kernel/event-store.ts'
import { categoryOf } from '../kernel/stream.ts'

/** One page of the feed. `next` is how far the reader has looked, which may be beyond the last matching event. */
export interface FeedPage {
  readonly events: readonly RecordedEvent[]
  readonly next: string | undefined
}

/** Reads at most `limit` matching events after a position, in order of position. */
export type ReadPage = (after: string | undefined, filter: EventFilter, limit: number) => Promise<FeedPage>

/** The read side of a store whose feed has pages, and the call that wakes its followers. */
export interface Feed extends Pick<EventStore, 'readAll' | 'follow'> {
  /** Tells followers that these streams have new events; without names, any stream may have. */
  announce(streams?: Iterable<string>): void
  /** Whether there are followers. */
  hasFollowers(): boolean
  /** Ends every follower. */
  close(): void
}

interface Follower {
  readonly filter: EventFilter
  /** There may be new events since the last read. */
  stale: boolean
  wake: () => void
}

const pageSize = 500

function tell({ passed }: EventFilter, position: string | undefined): void {
  if (position !== undefined) passed?.(position)
}

/** Implements `readAll` and `follow` by a page reader. Followers do not poll: they sleep until they are woken. */
export function createFeed(readPage: ReadPage): Feed {
  const followers = new Set<Follower>()
  let closed = false

  async function* readAll(after?: string, filter: EventFilter = {}): AsyncGenerator<RecordedEvent> {
    let position = after
    for (;;) {
      const page = await readPage(position, filter, pageSize)
      yield* page.events
      tell(filter, page.next)
      if (page.events.length < pageSize) return
      position = page.next
    }
  }

  async function* follow(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    const follower: Follower = { filter, stale: true, wake: () => {} }
    const ended = () => closed || signal.aborted
    const onAbort = () => follower.wake()
    signal.addEventListener('abort', onAbort)
    followers.add(follower)
    try {
      for (let position = after; !ended(); ) {
        follower.stale = false
        const page = await readPage(position, filter, pageSize).catch((error: unknown) => {
          if (!ended()) throw error
        })
        if (page === undefined) return
        for (const event of page.events) {
          if (ended()) return
          yield event
        }
        position = page.next
        tell(filter, position)
        if (page.events.length < pageSize) await sleep(follower, ended)
      }
    } finally {
      followers.delete(follower)
      signal.removeEventListener('abort', onAbort)
    }
  }

  function announce(streams?: Iterable<string>) {
    if (followers.size === 0) return
    const names = streams instanceof Set ? (streams as ReadonlySet<string>) : streams && new Set(streams)
    const categories = categoriesOf(names ?? [])
    for (const follower of followers) {
      if (names !== undefined && !concerns(follower.filter, names, categories)) continue
      follower.stale = true
      follower.wake()
    }
  }

  function close() {
    closed = true
    announce()
  }

  return { readAll, follow, announce, hasFollowers: () => followers.size > 0, close }
}

/** Whether the events of a stream match the filter. */
export function matchesFilter(filter: EventFilter, stream: string): boolean {
  if (filter.stream !== undefined && filter.stream !== stream) return false
  return filter.category === undefined || filter.category === categoryOf(stream)
}

function categoriesOf(streams: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const stream of streams) found.add(categoryOf(stream))
  return found
}

/** Whether a filter may match some of these streams. A long call has thousands of them, but of few categories. */
function concerns(
  { stream, category }: EventFilter,
  names: ReadonlySet<string>,
  categories: ReadonlySet<string>,
): boolean {
  if (stream !== undefined) return names.has(stream)
  return category === undefined || categories.has(category)
}

/** Waits until the follower is woken; returns at once if there may be new events. */
function sleep(follower: Follower, ended: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    follower.wake = resolve
    if (follower.stale || ended()) resolve()
  })
}
