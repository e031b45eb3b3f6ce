import { bytesOf, type Held, type ReadRange, type RecordedEvent } from '../../engine/index.ts'
import { createLruCache } from './memory.ts'

/** The ends of recently used streams, which the feed of the node keeps current. Streams have the engine's names. */
export interface Recent {
  /** The part of a stream, if it is in memory. */
  find(stream: string, range: ReadRange): readonly RecordedEvent[] | undefined
  /** Revision of the last event of a stream, if its end is in memory. */
  last(stream: string): number | undefined
  /** What `learn` receives for a read that begins now. */
  ticket(): number
  /**
   * Remembers the end of a stream that the server has told: its last events, all of them if `isWhole`. Returns false, and
   * ignores it, if the feed has told of the stream since, because the answer may be older.
   */
  learn(stream: string, events: readonly RecordedEvent[], isWhole: boolean, ticket: number): boolean
  /** The next events of the feed. */
  see(events: readonly RecordedEvent[]): void
  clear(): void
  /** What is in memory. */
  held(): readonly Held[]
}

interface End {
  /** Revision from which on the events are here. */
  from: number
  events: RecordedEvent[]
  bytes: number
}

/** The most bytes of all streams, of one stream, and of the names of streams that the feed has told of. */
const room = { streams: 16 * 1024 * 1024, ofStream: 128 * 1024, told: 2 * 1024 * 1024 }

/** Bytes of the end of a stream without its events, and of a reported name without its letters. */
const besides = { end: 150, told: 80 }

/** Creates an empty memory. */
export function createRecent(): Recent {
  const ends = createLruCache<End>('streams', room.streams, ({ bytes }) => bytes)
  const told = createTold()

  function keep(stream: string, end: End) {
    trim(end)
    ends.set(stream, end)
  }

  function add(event: RecordedEvent) {
    const { stream, revision } = event
    const end = ends.get(stream) ?? (revision === 0 ? { from: 0, events: [], bytes: besides.end } : undefined)
    told.note(stream)
    if (end === undefined || revision < nextOf(end)) return
    if (revision > nextOf(end)) return ends.delete(stream)
    keep(stream, { from: end.from, events: [...end.events, event], bytes: end.bytes + bytesOf(event) })
  }

  function learn(stream: string, events: readonly RecordedEvent[], isWhole: boolean, ticket: number): boolean {
    if (told.isSince(stream, ticket)) return false
    const from = isWhole ? 0 : events[0]?.revision
    if (from === undefined) return false
    keep(stream, {
      from,
      events: [...events],
      bytes: events.reduce((sum, event) => sum + bytesOf(event), besides.end),
    })
    return true
  }

  return {
    find: (stream, range) => {
      const end = ends.get(stream)
      return end && partOf(end, range)
    },
    last: (stream) => {
      const end = ends.get(stream)
      return end && nextOf(end) - 1
    },
    ticket: told.turn,
    learn,
    see: (events) => {
      told.begin()
      for (const event of events) add(event)
    },
    clear: () => {
      told.clear()
      ends.clear()
    },
    held: () => [ends.held(), told.held()],
  }
}

/** When the feed has told of streams last, in turns. Of those that are not known any more, it may have been just before. */
function createTold() {
  const turns = new Map<string, number>()
  let bytes = 0
  let turn = 0
  let forgotten = 0

  function note(stream: string) {
    if (!turns.delete(stream)) bytes += besides.told + stream.length
    turns.set(stream, turn)
    for (const [oldest, at] of turns) {
      if (bytes <= room.told) break
      turns.delete(oldest)
      bytes -= besides.told + oldest.length
      forgotten = at
    }
  }

  function clear() {
    turn++
    forgotten = turn
    bytes = 0
    turns.clear()
  }

  return {
    turn: () => turn,
    begin: () => {
      turn++
    },
    note,
    isSince: (stream: string, then: number) => (turns.get(stream) ?? forgotten) > then,
    clear,
    held: () => ({ structure: 'told', bytes, most: room.told }),
  }
}

function nextOf({ from, events }: End): number {
  return from + events.length
}

/** Drops the first events of a long end. */
function trim(end: End) {
  let count = 0
  while (end.bytes > room.ofStream && count < end.events.length)
    end.bytes -= bytesOf(end.events[count++] as RecordedEvent)
  end.events = end.events.slice(count)
  end.from += count
}

function partOf(end: End, { from, limit, backwards = false }: ReadRange): readonly RecordedEvent[] | undefined {
  if (backwards) {
    if (from !== undefined || limit === undefined || (end.from > 0 && limit > end.events.length)) return undefined
    return end.events.slice(Math.max(0, end.events.length - limit)).reverse()
  }
  const first = Math.max(0, from ?? 0) - end.from
  if (first < 0) return undefined
  return end.events.slice(first, limit === undefined ? undefined : first + limit)
}
