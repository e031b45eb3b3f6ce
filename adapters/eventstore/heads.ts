import type { Append, RecordedEvent, StreamHead } from '../../engine/index.ts'
import { type Calls, type Page, pagesOf } from './calls.ts'
import type { Log } from './log.ts'
import { createMemory } from './memory.ts'

/** Where a stream ends: its last event by the engine's count and by the server's; -1 where there is none. */
export interface Place {
  readonly revision: number
  readonly last: number
  /** Ids of the last events, in order, without gaps: as many as are known. */
  readonly ids: readonly string[]
}

/** What must be known of a stream to judge an append and to send it. */
export interface Head extends StreamHead, Place {
  /** Position of an event that was looked at. */
  readonly positionAt: (revision: number) => string
}

/** Where streams end. */
export interface Heads {
  /** Reads as much of a stream as judges the append; waits for calls that are not decided. */
  read(append: Append): Promise<Head>
  /**
   * A head from memory that is enough to judge the append. If the stream has grown since, the server refuses what is
   * sent, or the belief was wrong all the more.
   */
  recall(append: Append): Head | undefined
  /** Keeps in mind what a reader has seen of the end of a stream. */
  learn(stream: string, page: Page): void
  set(stream: string, place: Place): void
  forget(stream: string): void
}

/** Streams whose ends are kept in mind. */
const remembered = 10_000

/** Ids that are kept in mind of each: the whole of most streams. */
export const keptIds = 16

/** Streams are named as on the server, but for those of an append. */
export function createHeads(log: Log, calls: Calls): Heads {
  const places = createMemory<Place>(remembered)

  async function read(append: Append): Promise<Head> {
    const stream = log.prefix + append.stream
    const from = firstOf(append)
    const events: RecordedEvent[] = []
    let last = -1
    for await (const page of pagesOf(log, calls, stream, { from }, calls.settled)) {
      events.push(...page.visible)
      last = page.standing.at(-1)?.revision ?? last
    }
    if (events.length > 0 || from === 0) return headOf(events, last)
    // The belief is ahead of the stream, or what stands after it came to nothing.
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
    // A repetition is answered with the position of the first time, which has to be looked up.
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

  /** Answers come in any order; a stream only grows. */
  function set(stream: string, place: Place) {
    if (place.last > (places.get(stream)?.last ?? -1)) places.set(stream, place)
  }

  return { read, recall, learn, set, forget: places.delete }
}

/** The first of the server's revisions that matters. The server's revision of an event is never below the engine's. */
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
