import { EngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { NewEvent, RecordedEvent } from '../kernel/event.ts'
import type { Append, Appended, EventFilter, LastEvent, ReadRange, Storage } from '../kernel/event-store.ts'
import type { Keys } from '../kernel/keys.ts'
import type { Lease, Leases } from '../kernel/lease.ts'
import { isoOf } from '../kernel/time.ts'
import { appendThrough, decideAppends } from './append.ts'
import { createFeed, type FeedPage, matchesFilter } from './follow.ts'
import { type Guard, guarded } from './guarded.ts'

/** The reference store: in memory, without durability. `clock` gives epoch milliseconds. */
export function createMemoryStore(clock: () => number): Storage {
  const kept = new Map<string, string | undefined>()
  const { log, streams, append } = createLog(kept)
  let closed = false
  const feed = createFeed(async (after, filter, limit) => {
    refuseIfClosed()
    return page(log, after, filter, limit)
  })

  async function appendMany(appends: readonly Append[]): Promise<readonly Appended[]> {
    refuseIfClosed()
    const answers = append(appends, isoOf(clock()))
    feed.announce(appends.map(({ stream }) => stream))
    return answers
  }

  function refuseIfClosed() {
    if (closed) throw new EngineError('store_unavailable')
  }

  const pass: Guard = async (call) => {
    refuseIfClosed()
    return call()
  }

  return {
    append: appendThrough(appendMany),
    appendMany,
    read: (stream, range = {}) => pass(async () => slice(streams.get(stream) ?? [], range)),
    last: (stream) => pass(async () => stateOf(streams.get(stream)?.at(-1))),
    knownRevision: (stream) => (closed ? undefined : (streams.get(stream)?.length ?? 0) - 1),
    readAll: feed.readAll,
    follow: feed.follow,
    latest: () => pass(async () => log.at(-1)?.position),
    addsKeys: true,
    leases: guarded(createMemoryLeases(), pass),
    keys: guarded(keysIn(kept), pass),
    close: async () => {
      closed = true
      feed.close()
    },
  }
}

/** The events, in order and by stream; keys that come with appends go into `keys`. */
function createLog(keys: Map<string, string | undefined>) {
  const log: RecordedEvent[] = []
  const streams = new Map<string, RecordedEvent[]>()

  function append(appends: readonly Append[], recordedAt: string): readonly Appended[] {
    const copies = appends.map((append) => ({ ...append, events: append.events.map(copyOf) }))
    const decided = decideAppends(copies, (stream) => headOf(streams.get(stream) ?? []))
    for (const { append, decision } of decided) if ('at' in decision) refuseOtherKey(append)
    return decided.map(({ append, decision }) => {
      const stream = streams.get(append.stream) ?? []
      if ('at' in decision) record(append, stream, recordedAt)
      const last = 'repeated' in decision ? stream[decision.repeated] : stream.at(-1)
      return { stream: append.stream, revision: last?.revision ?? -1, position: last?.position ?? '' }
    })
  }

  function record(append: Append, stream: RecordedEvent[], recordedAt: string) {
    streams.set(append.stream, stream)
    if (append.key !== undefined) keys.set(append.stream, append.key)
    for (const event of append.events) {
      const position = positionOf(log.length)
      log.push({ stream: append.stream, revision: stream.length, position, recordedAt, ...event })
      stream.push(log.at(-1) as RecordedEvent)
    }
  }

  function refuseOtherKey({ stream, expected, key }: Append) {
    if (key !== undefined && keys.has(stream) && keys.get(stream) !== key)
      throw wrongExpectedRevision(stream, expected, -1)
  }

  return { log, streams, append }
}

/** The event as a durable store would return it: its known members, after a JSON round trip. */
function copyOf({ id, type, data, metadata, recordedAt }: NewEvent): NewEvent {
  return JSON.parse(JSON.stringify({ id, type, data, metadata, recordedAt })) as NewEvent
}

function createMemoryLeases(): Leases {
  const leases = new Map<string, Lease>()
  return {
    read: async (name) => leases.get(name),
    write: async (name, lease) => {
      if (lease.term !== (leases.get(name)?.term ?? 0) + 1) return false
      leases.set(name, lease)
      return true
    },
  }
}

/** Keys by subject; undefined for a destroyed one. */
function keysIn(keys: Map<string, string | undefined>): Omit<Keys, 'readNow'> {
  return {
    read: async (subject) => keys.get(subject),
    add: async (subject, key) => {
      if (!keys.has(subject)) keys.set(subject, key)
      return keys.get(subject)
    },
    remove: async (subject) => {
      keys.set(subject, undefined)
    },
  }
}

function headOf(stream: readonly RecordedEvent[]) {
  return {
    revision: stream.length - 1,
    idsFrom: (from: number, limit: number) => stream.slice(from, from + limit).map((event) => event.id),
  }
}

function slice(stream: readonly RecordedEvent[], range: ReadRange): readonly RecordedEvent[] {
  const limit = Math.max(0, range.limit ?? stream.length)
  const from = Math.max(0, range.from ?? 0)
  if (range.backwards !== true) return stream.slice(from, from + limit)
  const end = Math.min(range.from ?? stream.length, stream.length - 1) + 1
  return stream.slice(Math.max(0, end - limit), Math.max(0, end)).reverse()
}

function page(log: readonly RecordedEvent[], after: string | undefined, filter: EventFilter, limit: number): FeedPage {
  const start = after === undefined ? 0 : Number(after) + 1
  const events: RecordedEvent[] = []
  for (let index = start; index < log.length; index++) {
    const event = log[index] as RecordedEvent
    if (!matchesFilter(filter, event.stream)) continue
    events.push(event)
    if (events.length === limit) return { events, next: event.position }
  }
  return { events, next: start < log.length ? log.at(-1)?.position : after }
}

function positionOf(index: number): string {
  return String(index).padStart(16, '0')
}

/** No more of an event than the contract has, so that nobody relies on the rest. */
function stateOf(last: RecordedEvent | undefined): LastEvent | undefined {
  return last && { revision: last.revision, id: last.id }
}
