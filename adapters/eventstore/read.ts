import type { EventFilter, ReadRange, RecordedEvent } from '../../engine/index.ts'
import { pagesOf } from './calls.ts'
import { isKeepable, placeOf } from './codec.ts'
import type { Feed } from './feed.ts'
import type { Request } from './request.ts'
import { passes as matches } from './span.ts'
import type { Source } from './stretches.ts'

/** The part of the store that reads, for a request or else for itself. */
export interface Reader {
  read(stream: string, range: ReadRange, request: Request | undefined): Promise<readonly RecordedEvent[]>
  last(stream: string, request: Request | undefined): Promise<RecordedEvent | undefined>
  /** Whether a stream ends at a revision, where this node has seen what the request must see. */
  endsAt(stream: string, revision: number, request: Request): boolean
  /** All events in order of position; waits for undecided calls. */
  readAll(after: string | undefined, filter: EventFilter): AsyncGenerator<RecordedEvent>
  /** The events of a stream after a position; waits likewise. */
  readStream(name: string, after: string | undefined, filter: EventFilter): Promise<readonly RecordedEvent[]>
}

/** Events that are read from the end of a stream to know the last, so that those before it are at hand too. */
const atHand = 32

/** Creates the reader, which tells `heads` the ends of streams that it sees. */
export function createReader(source: Source, feed: Feed): Reader {
  return { ...createStreamReader(source), ...createFeedReader(source, feed) }
}

/** What reads a stream for its own sake. */
function createStreamReader({ log, calls, heads, recent }: Source): Pick<Reader, 'read' | 'last' | 'endsAt'> {
  /** From memory where a request finds it there, once this node has seen what was recorded before the request. */
  const read: Reader['read'] = async (name, range, request) => {
    if (!isKeepable(name) || (range.limit ?? 1) <= 0) return []
    const found = request === undefined || range.isPassing ? undefined : recent.find(name, range)
    if (request === undefined || found === undefined) return readNow(name, range, request)
    const current = request.isCurrent(name)
    if (current === true) return found
    await current
    return recent.find(name, range) ?? readNow(name, range, request)
  }

  const last: Reader['last'] = async (name, request) => {
    const range = { backwards: true, limit: 1 }
    if (request === undefined || recent.find(name, range) !== undefined) return (await read(name, range, request))[0]
    return isKeepable(name) ? (await readNow(name, { ...range, limit: atHand }, request))[0] : undefined
  }

  const readNow: Reader['read'] = async (name, range, request) => {
    const { from, limit = Number.POSITIVE_INFINITY, backwards = false } = range
    const stream = log.prefix + name
    const ticket = recent.ticket()
    const isWanted = ({ revision }: RecordedEvent) =>
      from === undefined || (backwards ? revision <= from : revision >= from)
    // The server's revision of an event is never below the engine's.
    const start = backwards || from === undefined ? {} : { from: Math.min(Math.max(0, from), Number.MAX_SAFE_INTEGER) }
    const events: RecordedEvent[] = []
    let isEnd = true
    // One more when reading forwards, because the key of a stream comes before its first event.
    const size = backwards ? limit : limit + 1
    for await (const page of pagesOf(log, calls, stream, { ...start, backwards, limit: size }, calls.outcome)) {
      heads.learn(stream, page)
      events.push(...page.visible.filter(isWanted))
      isEnd = backwards || page.last !== undefined
      if (events.length >= limit) break
    }
    const isKept = isEnd && range.isPassing !== true && remember(name, range, events, ticket)
    request?.hasRead(isKept ? name : undefined)
    return events.slice(0, limit)
  }

  /** Only what reaches the end of the stream; returns whether it is in memory now. */
  function remember(
    name: string,
    { from, limit, backwards = false }: ReadRange,
    events: RecordedEvent[],
    ticket: number,
  ): boolean {
    if (backwards && from !== undefined) return false
    const isWhole = backwards ? limit === undefined || events.length < limit : (from ?? 0) <= 0
    if (!isWhole && events.length === 0) return false
    return recent.learn(name, backwards ? events.toReversed() : events, isWhole, ticket)
  }

  const endsAt: Reader['endsAt'] = (name, revision, request) =>
    recent.last(name) === revision && request.isCurrent(name) === true

  return { read, last, endsAt }
}

/** What reads after a position. */
function createFeedReader({ log, calls }: Source, feed: Feed): Pick<Reader, 'readAll' | 'readStream'> {
  async function* readAll(after: string | undefined, filter: EventFilter) {
    if (after !== undefined) placeOf(after)
    const end = filter.until ?? (await feed.latest()) ?? ''
    if (filter.stream !== undefined) return yield* await readStream(filter.stream, after, filter)
    const reader = await feed.reader(after ?? '', filter)
    try {
      await feed.seen(end)
      while (reader.at < end) {
        yield* await reader.next()
        filter.passed?.(reader.at)
      }
    } finally {
      reader.leave()
    }
  }

  async function readStream(name: string, after: string | undefined, filter: EventFilter) {
    if (!isKeepable(name) || !matches(filter, name)) return []
    const stream = log.prefix + name
    return after === undefined ? firstOf(stream) : laterOf(stream, after)
  }

  async function firstOf(stream: string): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = []
    for await (const { visible } of pagesOf(log, calls, stream, {}, calls.settled)) events.push(...visible)
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

  return { readAll, readStream }
}
