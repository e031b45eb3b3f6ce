import { type Append, bytesOf, type Held, type RecordedEvent, type StreamHead } from '../../engine/index.ts'
import { type Calls, type Page, pagesOf } from './calls.ts'
import type { StoredEvent } from './codec.ts'
import type { Log } from './log.ts'
import { createLruCache } from './memory.ts'

/** The end of a stream: its last revision by the engine's count and by the server's; -1 if empty. */
export interface Place {
  readonly revision: number
  readonly last: number
  /** Ids of the last events in order without gaps, as many as are known. */
  readonly ids: readonly string[]
}

/** What is needed to decide and send an append. */
export interface Head extends StreamHead, Place {
  /** Position of an event that was read. */
  readonly positionAt: (revision: number) => string
}

/** The ends of streams. */
export interface Heads {
  /** Reads as much of a stream as an append needs; waits for undecided calls. */
  read(append: Append): Promise<Head>
  /** A cached head that is sufficient for the append. If the stream has grown since, the server refuses the append. */
  recall(append: Append): Head | undefined
  /** Remembers the end of a stream that a reader has seen. */
  learn(stream: string, page: Page): void
  /** Brings remembered ends up to date with the next events of the feed; `visible` are those that the engine sees. */
  see(events: readonly StoredEvent[], visible: readonly RecordedEvent[]): void
  /** Results may arrive out of order, but a stream only grows. */
  set(stream: string, place: Place): void
  forget(stream: string): void
  /** Forgets all. */
  clear(): void
  /** What is remembered. */
  held(): Held
}

/** The most bytes of remembered ends: those of 10,000 short streams, or 3,500 with all ids. */
const most = 4 * 1024 * 1024

/** Ids remembered per stream, which covers most streams completely. */
export const keptIds = 16

/** The place once one more event is there. */
function placeAfter(known: Place, { revision: last, event }: StoredEvent, seen: ReadonlySet<RecordedEvent>): Place {
  if (event === undefined || !seen.has(event)) return { ...known, last }
  return { revision: event.revision, last, ids: [...known.ids, event.id].slice(-keptIds) }
}

const nothing: Place = { revision: -1, last: -1, ids: [] }

/** Creates the cache. Streams have server names, except in appends. */
export function createHeads(log: Log, calls: Calls): Heads {
  const places = createLruCache<Place>('heads', most, bytesOf)

  async function read(append: Append): Promise<Head> {
    const stream = log.prefix + append.stream
    const from = firstOf(append)
    const events: RecordedEvent[] = []
    let last = -1
    for await (const page of pagesOf(log, calls, stream, { from, mustGoOn: true }, calls.settled)) {
      events.push(...page.visible)
      last = page.standing.at(-1)?.revision ?? last
    }
    if (events.length > 0 || from === 0) return headOf(events, last)
    // The expected revision is ahead of the stream, or the events after it are void.
    for await (const page of pagesOf(log, calls, stream, { backwards: true, limit: 20 }, calls.settled)) {
      last = Math.max(last, page.standing[0]?.revision ?? last)
      if (page.visible.length > 0) return headOf(page.visible.slice(0, 1), last)
    }
    return headOf([], last)
  }

  function recall({ stream, expected, events }: Append): Head | undefined {
    const place = places.get(log.prefix + stream)
    if (place === undefined) return expected === 'no-stream' ? headOf([], -1) : undefined
    const head = { ...place, idsFrom: () => [], positionAt: () => '' }
    const { revision, ids } = place
    // A repeated append needs the position of the first one, which is not cached.
    const isNew = (known: readonly string[]) => events.every(({ id }) => !known.includes(id))
    if (typeof expected === 'string' && expected !== 'no-stream') {
      return ids.length === revision + 1 && isNew(ids) ? { ...head, idsFrom: () => ids } : undefined
    }
    const belief = expected === 'no-stream' ? -1 : expected
    const next = ids[belief + ids.length - revision]
    return belief === revision || (next !== undefined && isNew([next])) ? head : undefined
  }

  function learn(stream: string, { visible, last }: Page) {
    const events = visible.toSorted((one, other) => one.revision - other.revision).slice(-keptIds)
    const end = events.at(-1)
    if (end === undefined || last?.position !== end.position) return
    set(stream, { revision: end.revision, last: last.revision, ids: events.map(({ id }) => id) })
  }

  function set(stream: string, place: Place) {
    if (place.last > (places.get(stream)?.last ?? -1)) places.set(stream, place)
  }

  function see(events: readonly StoredEvent[], visible: readonly RecordedEvent[]) {
    const seen = new Set(visible)
    for (const stored of events) {
      const { stream, revision } = stored
      const known = places.get(stream) ?? (revision === 0 ? nothing : undefined)
      if (known === undefined || known.last >= revision) continue
      if (known.last < revision - 1) places.delete(stream)
      else places.set(stream, placeAfter(known, stored, seen))
    }
  }

  return { read, recall, learn, see, set, forget: places.delete, clear: places.clear, held: places.held }
}

/** The first server revision to read. The server's revision of an event is never below the engine's. */
function firstOf({ expected }: Append): number {
  return typeof expected === 'number' && Number.isSafeInteger(expected) && expected > 0 ? expected : 0
}

function headOf(events: readonly RecordedEvent[], last: number): Head {
  return {
    revision: events.at(-1)?.revision ?? -1,
    last,
    ids: events.slice(-keptIds).map(({ id }) => id),
    idsFrom: (from, limit) =>
      events
        .filter(({ revision }) => revision >= from)
        .slice(0, limit)
        .map(({ id }) => id),
    positionAt: (at) => events.find(({ revision }) => revision === at)?.position ?? '',
  }
}
