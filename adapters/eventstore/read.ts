import { categoryOf, type EventFilter, type FeedPage, type ReadRange, type RecordedEvent } from '../../engine/index.ts'
import { type Calls, pageSize, pagesOf } from './calls.ts'
import { isKeepable, nameOf, placeOf, type StoredEvent } from './codec.ts'
import type { Heads } from './heads.ts'
import type { Log } from './log.ts'

/** The part of the store that reads. */
export interface Reader {
  read(stream: string, range: ReadRange): Promise<readonly RecordedEvent[]>
  /** All events in order of position; waits for undecided calls. */
  readAll(after: string | undefined, filter: EventFilter): AsyncGenerator<RecordedEvent>
  /** A page of the feed of one stream; waits likewise. */
  readPage(after: string | undefined, filter: EventFilter, limit: number): Promise<FeedPage>
}

/** Creates the reader, which tells `heads` the ends of streams that it sees. */
export function createReader(log: Log, calls: Calls, heads: Heads): Reader {
  async function read(name: string, range: ReadRange): Promise<readonly RecordedEvent[]> {
    const { from, limit = Number.POSITIVE_INFINITY, backwards = false } = range
    if (!isKeepable(name) || limit <= 0) return []
    const stream = log.prefix + name
    const isWanted = ({ revision }: RecordedEvent) =>
      from === undefined || (backwards ? revision <= from : revision >= from)
    // The server's revision of an event is never below the engine's.
    const start = backwards || from === undefined ? {} : { from: Math.min(Math.max(0, from), Number.MAX_SAFE_INTEGER) }
    const events: RecordedEvent[] = []
    for await (const page of pagesOf(log, calls, stream, { ...start, backwards, limit }, calls.outcome)) {
      heads.learn(stream, page)
      events.push(...page.visible.filter(isWanted))
      if (events.length >= limit) break
    }
    return events.slice(0, limit)
  }

  async function* readAll(after: string | undefined, filter: EventFilter) {
    if (after !== undefined) placeOf(after)
    const end = await log.end()
    const isWanted = ({ stream }: StoredEvent) => passes(filter, nameOf(stream, log.prefix))
    for (let position = after; end !== undefined && (position === undefined || position < end); ) {
      const page: readonly StoredEvent[] = await log.readAll(position, pageSize)
      yield* await calls.visible(page.filter(isWanted), calls.settled)
      if (page.length === 0) return
      position = page.at(-1)?.position
    }
  }

  async function readPage(after: string | undefined, filter: EventFilter, limit: number): Promise<FeedPage> {
    if (!passes(filter, filter.stream)) return { events: [], next: after }
    const stream = `${log.prefix}${filter.stream}`
    const page = (after === undefined ? await firstOf(stream, limit) : await laterOf(stream, after)).slice(0, limit)
    return { events: page, next: page.at(-1)?.position ?? after }
  }

  async function firstOf(stream: string, limit: number): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = []
    for await (const { visible } of pagesOf(log, calls, stream, {}, calls.settled)) {
      events.push(...visible)
      if (events.length >= limit) break
    }
    return events
  }

  /** Reads from the end, because a stream cannot be read from a position. */
  async function laterOf(stream: string, after: string): Promise<readonly RecordedEvent[]> {
    placeOf(after)
    const events: RecordedEvent[] = []
    for await (const page of pagesOf(log, calls, stream, { backwards: true, limit: 20 }, calls.settled)) {
      events.push(...page.visible.filter(({ position }) => position > after))
      if (page.standing.some(({ position }) => position <= after)) break
    }
    return events.toReversed()
  }

  return { read, readAll, readPage }
}

/** Whether the filter accepts a stream; foreign streams never pass. */
export function passes(filter: EventFilter, name: string | undefined): boolean {
  if (name === undefined || !isKeepable(name)) return false
  if (filter.stream !== undefined && filter.stream !== name) return false
  return filter.category === undefined || filter.category === categoryOf(name)
}
