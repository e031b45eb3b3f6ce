import { setTimeout as pause } from 'node:timers/promises'
import { END, excludeSystemEvents, START, streamNameFilter } from '@eventstore/db-client'
import { createFeed, type EventFilter, type RecordedEvent } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { nameOf, placeOf, type StoredEvent, storedEventOf } from './codec.ts'
import { failureOf, isTemporary } from './connection.ts'
import type { Log } from './log.ts'
import { passes, type Reader } from './read.ts'

/** The part of the store that follows events. */
export interface Followers {
  follow(after: string | undefined, filter: EventFilter, signal: AbortSignal): AsyncGenerator<RecordedEvent>
  /** Ends every follower. */
  close(): void
}

/** First and longest delay in milliseconds before a lost subscription is reopened. */
const pauses = { first: 100, longest: 5000 }

/** Creates the followers. They survive outages of the server: lost subscriptions are reopened until that works. */
export function createFollowers(log: Log, calls: Calls, reader: Reader): Followers {
  const closing = new AbortController()
  const bell = createBell(log, closing.signal, (streams) => feed.announce(streams))
  const feed = createFeed(async (after, filter, limit) => {
    bell.check()
    return reader.readPage(after, filter, limit)
  })

  async function* followAll(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    let position = after
    const open = async function* () {
      for await (const event of subscribe(log, position ?? START, filter, signal)) {
        if (passes(filter, nameOf(event.stream, log.prefix))) yield* await calls.visible([event], calls.settled)
        position = event.position
      }
    }
    yield* lasting(open, signal)
  }

  /** Each live page follows one stream, and there may be more pages than a server allows subscriptions. */
  async function* followStream(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    let position = after
    const open = async function* () {
      for await (const event of feed.follow(position, filter, signal)) {
        yield event
        position = event.position
      }
    }
    bell.start()
    try {
      yield* lasting(open, signal, true)
    } finally {
      if (!feed.hasFollowers()) bell.stop()
    }
  }

  function follow(after: string | undefined, filter: EventFilter, signal: AbortSignal) {
    const ended = AbortSignal.any([signal, closing.signal])
    return (filter.stream === undefined ? followAll : followStream)(after, filter, ended)
  }

  function close() {
    closing.abort()
    feed.close()
  }

  return { follow, close }
}

/** Wakes the followers of single streams with one shared subscription. */
function createBell(log: Log, closing: AbortSignal, ring: (streams?: readonly string[]) => void) {
  let current: AbortController | undefined
  let failure: unknown

  async function listen(signal: AbortSignal) {
    const open = () => subscribe(log, END, {}, signal, () => ring())
    try {
      for await (const { stream } of lasting(open, signal)) ring([nameOf(stream, log.prefix) ?? ''])
    } catch (error) {
      failure = error
      stop()
      ring()
    }
  }

  function start() {
    if (current !== undefined) return
    failure = undefined
    current = new AbortController()
    void listen(AbortSignal.any([current.signal, closing]))
  }

  function stop() {
    current?.abort()
    current = undefined
  }

  /** Throws if the shared subscription has failed, because followers would never be woken. */
  function check() {
    if (failure !== undefined) throw failure
  }

  return { start, stop, check }
}

/** Reopens what fails or ends, with growing delays, until the signal is aborted. */
async function* lasting<Item>(open: () => AsyncIterable<Item>, signal: AbortSignal, mayEnd = false) {
  for (let wait = pauses.first; !signal.aborted; wait = Math.min(wait * 2, pauses.longest)) {
    try {
      for await (const item of open()) {
        if (signal.aborted) return
        wait = pauses.first
        yield item
      }
      if (mayEnd) return
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error)) throw failureOf(error)
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
}

/**
 * Subscribes to events after a position; `begun` is called when nothing later can be missed. Reads no faster than its
 * consumer.
 */
async function* subscribe(
  log: Log,
  after: string,
  filter: EventFilter,
  signal: AbortSignal,
  begun?: () => void,
): AsyncGenerator<StoredEvent> {
  const fromPosition = after === START || after === END ? after : placeOf(after)
  const prefixes = [log.prefix + (filter.category === undefined ? '' : `${filter.category}-`)]
  const serverFilter = prefixes[0] === '' ? excludeSystemEvents() : streamNameFilter({ prefixes })
  const subscription = log.connection.client().subscribeToAll({ fromPosition, filter: serverFilter })
  const stop = () => subscription.destroy()
  // The client may emit an error after the end, which needs a listener.
  subscription.on('error', () => {})
  if (begun !== undefined) subscription.on('confirmation', begun)
  signal.addEventListener('abort', stop)
  try {
    for await (const { event } of subscription) if (event !== undefined) yield storedEventOf(event, log.prefix)
  } finally {
    signal.removeEventListener('abort', stop)
    subscription.unsubscribe().catch(() => {})
  }
}
