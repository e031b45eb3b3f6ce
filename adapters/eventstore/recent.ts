import type { ReadRange, RecordedEvent } from '../../engine/index.ts'
import { sizeOf } from './codec.ts'

/** The ends of recently used streams, which the feed of the node keeps current. Streams have the engine's names. */
export interface Recent {
  /** The part of a stream, if it is in memory. */
  find(stream: string, range: ReadRange): readonly RecordedEvent[] | undefined
  /** Revision of the last event of a stream, if its end is in memory. */
  last(stream: string): number | undefined
  /** What `learn` is told of a read that begins now. */
  ticket(): number
  /**
   * Remembers the end of a stream that the server has told: its last events, all of them if `isWhole`. Returns false, and
   * ignores it, if the feed has told of the stream since, because the answer may be older.
   */
  learn(stream: string, events: readonly RecordedEvent[], isWhole: boolean, ticket: number): boolean
  /** The next events of the feed. */
  see(events: readonly RecordedEvent[]): void
  clear(): void
}

interface End {
  /** Revision from which on the events are here. */
  from: number
  events: RecordedEvent[]
  size: number
}

/** What is kept: characters of all events and of one stream, and streams. */
const room = { characters: 16 * 1024 * 1024, ofStream: 64 * 1024, streams: 32_000 }

/** Creates an empty memory. */
export function createRecent(): Recent {
  const ends = new Map<string, End>()
  const told = createTold()
  let characters = 0

  function keep(stream: string, end: End) {
    drop(stream)
    trim(end)
    ends.set(stream, end)
    characters += end.size
    for (const oldest of ends.keys()) {
      if (characters <= room.characters && ends.size <= room.streams) break
      drop(oldest)
    }
  }

  function drop(stream: string) {
    characters -= ends.get(stream)?.size ?? 0
    ends.delete(stream)
  }

  function add(event: RecordedEvent) {
    const { stream, revision } = event
    const end = ends.get(stream) ?? (revision === 0 ? { from: 0, events: [], size: 0 } : undefined)
    told.note(stream)
    if (end === undefined || revision < nextOf(end)) return
    if (revision > nextOf(end)) return drop(stream)
    keep(stream, { from: end.from, events: [...end.events, event], size: end.size + sizeOf(event) })
  }

  function learn(stream: string, events: readonly RecordedEvent[], isWhole: boolean, ticket: number): boolean {
    if (told.isSince(stream, ticket)) return false
    const from = isWhole ? 0 : events[0]?.revision
    if (from === undefined) return false
    keep(stream, { from, events: [...events], size: events.reduce((sum, event) => sum + sizeOf(event), 0) })
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
      characters = 0
      ends.clear()
    },
  }
}

/** When the feed has told of streams last, in turns. Of those that are not known any more, it may have been just before. */
function createTold() {
  const turns = new Map<string, number>()
  let turn = 0
  let forgotten = 0

  function note(stream: string) {
    turns.delete(stream)
    turns.set(stream, turn)
    if (turns.size <= room.streams) return
    const [oldest, at] = turns.entries().next().value as [string, number]
    turns.delete(oldest)
    forgotten = at
  }

  function clear() {
    turn++
    forgotten = turn
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
  }
}

function nextOf({ from, events }: End): number {
  return from + events.length
}

/** Drops the first events of a long end. */
function trim(end: End) {
  let count = 0
  while (end.size > room.ofStream && count < end.events.length) end.size -= sizeOf(end.events[count++] as RecordedEvent)
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
