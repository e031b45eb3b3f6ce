import { bytesOf, categoryOf, type EventFilter, type RecordedEvent } from '../../engine/index.ts'

/** What a reader receives of the feed at once. */
export interface Stretch {
  /** The events that the engine sees, in order of position. */
  readonly events: readonly RecordedEvent[]
  /** How far that reaches, which may be beyond the last event. */
  readonly end: string
}

/** A part of the feed in memory, without gaps; positions are exclusive at the start. `''` is before every position. */
export interface Span {
  start(): string
  end(): string
  /** Whether a reader after this position misses nothing here. */
  covers(position: string): boolean
  /** The matching events after a position, at most `limit`, and how far that reaches. */
  after(position: string, filter: EventFilter, limit: number): Stretch
  add(stretch: Stretch): void
  /** Whether the next stretch drops events after this position. */
  wouldDrop(position: string): boolean
  /** Bytes of its events. */
  bytes(): number
}

/** Events, and their bytes, that are kept in memory. */
export const room = { events: 4_000, bytes: 16 * 1024 * 1024 }

interface Kept {
  readonly event: RecordedEvent
  readonly size: number
}

/** Creates an empty span after a position. */
export function createSpan(position: string): Span {
  let start = position
  let end = position
  let kept: Kept[] = []
  let bytes = 0

  function add(stretch: Stretch) {
    for (const event of stretch.events) {
      const size = bytesOf(event)
      kept.push({ event, size })
      bytes += size
    }
    end = stretch.end
    trim()
  }

  /** Drops a quarter at once, because each time costs a copy. */
  function trim() {
    if (!isFull()) return
    let count = 0
    while (count < kept.length && (count < room.events / 4 || bytes > (room.bytes * 3) / 4))
      bytes -= kept[count++]?.size ?? 0
    start = kept[count - 1]?.event.position ?? start
    kept = kept.slice(count)
  }

  function isFull(): boolean {
    return kept.length > room.events || bytes > room.bytes
  }

  function after(from: string, filter: EventFilter, limit: number): Stretch {
    const events: RecordedEvent[] = []
    for (let index = firstAfter(kept, from); index < kept.length; index++) {
      const { event } = kept[index] as Kept
      if (!passes(filter, event.stream)) continue
      events.push(event)
      if (events.length === limit) return { events, end: event.position }
    }
    return { events, end }
  }

  function wouldDrop(from: string): boolean {
    const isNearlyFull = kept.length > room.events - 500 || bytes > room.bytes / 2
    return isNearlyFull && from >= start && from < (kept[room.events / 4]?.event.position ?? end)
  }

  return {
    start: () => start,
    end: () => end,
    covers: (from) => from >= start,
    after,
    add,
    wouldDrop,
    bytes: () => bytes,
  }
}

/** Index of the first event after a position. */
function firstAfter(kept: readonly Kept[], position: string): number {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((kept[middle] as Kept).event.position > position) high = middle
    else low = middle + 1
  }
  return low
}

/** Whether the filter accepts the events of a stream. */
export function passes({ stream, category }: EventFilter, name: string): boolean {
  if (stream !== undefined && stream !== name) return false
  return category === undefined || category === categoryOf(name)
}
