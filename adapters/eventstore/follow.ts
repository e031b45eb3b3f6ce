import { setMaxListeners } from 'node:events'
import { type EventFilter, endingWith, type RecordedEvent } from '../../engine/index.ts'
import { placeOf } from './codec.ts'
import type { Connection } from './connection.ts'
import { failureOf, isTemporary } from './errors.ts'
import type { Feed } from './feed.ts'
import type { Reader } from './read.ts'

/** The part of the store that follows events. */
interface Followers {
  follow(after: string | undefined, filter: EventFilter, signal: AbortSignal): AsyncGenerator<RecordedEvent>
  /** Ends every follower. */
  close(): void
}

/** First and longest delay in milliseconds before a follower tries again after a failure. */
const pauses = { first: 100, longest: 5000 }

/** Creates the followers. They survive outages of the server: what fails is tried again until that works. */
export function createFollowers({ rest }: Connection, feed: Feed, reader: Reader): Followers {
  const closing = new AbortController()
  // Every follower listens to it.
  setMaxListeners(0, closing.signal)

  /** Follows until the signal, whatever fails meanwhile. */
  async function* follow(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    if (after !== undefined) placeOf(after)
    const ending = endingWith(signal, closing.signal)
    const ended = ending.signal
    let position = after
    const passed = (at: string) => {
      position = at
      filter.passed?.(at)
    }
    try {
      for (let wait = pauses.first; !ended.aborted; wait = Math.min(wait * 2, pauses.longest)) {
        try {
          for await (const event of once({ feed, reader }, position, { ...filter, passed }, ended)) {
            if (ended.aborted) return
            wait = pauses.first
            position = event.position
            yield event
          }
        } catch (error) {
          if (ended.aborted) return
          if (!isTemporary(error)) throw failureOf(error)
        }
        await rest(wait, ended)
      }
    } finally {
      ending.abort()
    }
  }

  return { follow, close: () => closing.abort() }
}

/** What is followed: the feed, and streams. */
interface Followed {
  readonly feed: Feed
  readonly reader: Reader
}

/** Follows until something fails. */
async function* once({ feed, reader }: Followed, after: string | undefined, filter: EventFilter, signal: AbortSignal) {
  const { stream } = filter
  // A stream is shorter than the feed, so that what it has already is read there.
  const begin = stream === undefined ? (after ?? '') : ((await feed.latest()) ?? '')
  if (stream !== undefined)
    for (const event of await reader.readStream(stream, after, filter)) if (event.position <= begin) yield event
  const place = await feed.reader(after !== undefined && after > begin ? after : begin, filter)
  try {
    while (!signal.aborted) {
      const events = await place.next()
      for (const event of events) yield event
      if (events.length > 0) continue
      if (place.at !== '') filter.passed?.(place.at)
      await place.wait(signal)
    }
  } finally {
    place.leave()
  }
}
