import { setTimeout as pause } from 'node:timers/promises'
import { END, excludeSystemEvents, START, streamNameFilter } from '@eventstore/db-client'
import { createFeed, type EventFilter, type RecordedEvent } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { nameOf, placeOf, type Standing, standingOf } from './codec.ts'
import { failureOf, isPassing } from './connection.ts'
import type { Log } from './log.ts'
import { passes, type Reader } from './read.ts'

/** The following half of the store. */
export interface Followers {
  follow(after: string | undefined, filter: EventFilter, signal: AbortSignal): AsyncGenerator<RecordedEvent>
  /** Ends every follower. */
  close(): void
}

/** The first pause before a lost subscription is opened again, in milliseconds, and the longest. */
const pauses = { first: 100, longest: 5000 }

/** Makes the followers. They outlast the server: what is lost is opened again, for as long as it takes. */
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

  /** A page that shows one timeline follows one stream, and there may be more pages than a server takes subscriptions. */
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
      if (!feed.followed()) bell.stop()
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

/** Wakes those who follow one stream: one subscription to all that is new, for all of them. */
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

  /** Who cannot be woken must not sleep. */
  function check() {
    if (failure !== undefined) throw failure
  }

  return { start, stop, check }
}

/** Opens again what fails or ends, after pauses that grow until something comes, until the signal is aborted. */
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
      if (!isPassing(error)) throw failureOf(error)
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
}

/**
 * What is committed after a place, as one subscription gives it; `begun` is called when nothing later can be missed. It
 * reads no faster than it is read.
 */
async function* subscribe(
  log: Log,
  after: string,
  filter: EventFilter,
  signal: AbortSignal,
  begun?: () => void,
): AsyncGenerator<Standing> {
  const fromPosition = after === START || after === END ? after : placeOf(after)
  const prefixes = [log.prefix + (filter.category === undefined ? '' : `${filter.category}-`)]
  const serverFilter = prefixes[0] === '' ? excludeSystemEvents() : streamNameFilter({ prefixes })
  const subscription = log.connection.client().subscribeToAll({ fromPosition, filter: serverFilter })
  const stop = () => subscription.destroy()
  // The client may report an error after the end, which nobody must miss to listen for.
  subscription.on('error', () => {})
  if (begun !== undefined) subscription.on('confirmation', begun)
  signal.addEventListener('abort', stop)
  try {
    for await (const { event } of subscription) if (event !== undefined) yield standingOf(event, log.prefix)
  } finally {
    signal.removeEventListener('abort', stop)
    subscription.unsubscribe().catch(() => {})
  }
}
