import type { RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventFilter, EventStore, ReadRange } from '../kernel/event-store.ts'
import { isoOf } from '../kernel/time.ts'
import { judge } from './append.ts'
import { createFeed, type FeedPage, passes } from './follow.ts'

/** The reference store: everything in memory, nothing kept. `clock` gives epoch milliseconds. */
export function createMemoryStore(clock: () => number): EventStore {
  const log: RecordedEvent[] = []
  const streams = new Map<string, RecordedEvent[]>()
  const feed = createFeed(async (after, filter, limit) => page(log, after, filter, limit))

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    const verdicts = appends.map((append) => judge(append, headOf(streams.get(append.stream) ?? [])))
    const recordedAt = isoOf(clock())
    const answers = appends.map((append, index) => {
      const stream = streams.get(append.stream) ?? []
      const verdict = verdicts[index]
      if (verdict === undefined || 'at' in verdict) record(append, stream, recordedAt)
      const last = verdict !== undefined && 'repeated' in verdict ? stream[verdict.repeated] : stream.at(-1)
      return { stream: append.stream, revision: last?.revision ?? -1, position: last?.position ?? '' }
    })
    feed.announce(appends.map((append) => append.stream))
    return answers
  }

  function record(append: Append, stream: RecordedEvent[], recordedAt: string) {
    streams.set(append.stream, stream)
    for (const event of append.events) {
      const place = { stream: append.stream, revision: stream.length, position: positionOf(log.length), recordedAt }
      const recorded: RecordedEvent = structuredClone({ ...event, ...place })
      stream.push(recorded)
      log.push(recorded)
    }
  }

  return {
    append: async (stream, events, expected) => {
      const [appended] = await appendMany([{ stream, events, expected }])
      return appended as Appended
    },
    appendMany,
    read: async (stream, range = {}) => slice(streams.get(stream) ?? [], range),
    readAll: feed.readAll,
    follow: feed.follow,
    close: async () => feed.close(),
  }
}

function headOf(stream: readonly RecordedEvent[]) {
  return {
    revision: stream.length - 1,
    idsFrom: (from: number, limit: number) => stream.slice(from, from + limit).map((event) => event.id),
    find: (id: string) => stream.find((event) => event.id === id)?.revision,
  }
}

function slice(stream: readonly RecordedEvent[], range: ReadRange): readonly RecordedEvent[] {
  const limit = range.limit ?? stream.length
  if (range.backwards !== true) return stream.slice(range.from ?? 0, (range.from ?? 0) + limit)
  const end = (range.from ?? stream.length - 1) + 1
  return stream.slice(Math.max(0, end - limit), end).reverse()
}

function page(log: readonly RecordedEvent[], after: string | undefined, filter: EventFilter, limit: number): FeedPage {
  const start = after === undefined ? 0 : Number(after) + 1
  const events: RecordedEvent[] = []
  for (let index = start; index < log.length; index++) {
    const event = log[index] as RecordedEvent
    if (!passes(filter, event.stream)) continue
    events.push(event)
    if (events.length === limit) return { events, next: event.position }
  }
  return { events, next: log.at(-1)?.position }
}

function positionOf(index: number): string {
  return String(index).padStart(16, '0')
}

