import type { EventFilter, RecordedEvent } from '../../engine/index.ts'
import { silent } from './connection.ts'
import { createPasses, type Pass } from './passes.ts'
import { createSpan, passes as matches, type Span } from './span.ts'
import { createStretches, type Source } from './stretches.ts'

/** The one feed of a node: what is new comes by one subscription, which all readers share, and is kept a while. */
export interface Feed {
  /** The position of the last event of this engine that was recorded before the call; waits until this node has seen it. */
  latest(): Promise<string | undefined>
  /** A reader after a position (`''`: the beginning), which must be left in the end. */
  reader(after: string, filter: EventFilter): Promise<FeedReader>
  /** Resolves when this node has seen the position. */
  seen(position: string): Promise<void>
  close(): void
}

/** A place in the feed. */
export interface FeedReader {
  /** How far it has read. */
  readonly at: string
  /** The next matching events, possibly none; reads on if this node has them not in memory. */
  next(): Promise<readonly RecordedEvent[]>
  /** Waits for a matching event, if this node knows of none; also ends when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
  leave(): void
}

interface Sleeper {
  at: string
  readonly filter: EventFilter
  readonly wake: () => void
}

/** The new part of the feed. */
interface Live {
  readonly span: Span
  /** Position of the last event that the engine sees, or where the part begins. */
  last: string
  want(position: string, isForeign: boolean): void
}

const pageSize = 500

/** Creates it; the subscription is opened by the first question. */
export function createFeed(source: Source): Feed {
  const { log } = source
  const sleepers = new Set<Sleeper>()
  const waiters = new Set<{
    readonly position: string
    readonly resolve: () => void
    readonly reject: (error: unknown) => void
  }>()
  const passes = createPasses(source, () => live?.span.start() ?? '')
  let live: Live | undefined
  let isClosed = false
  let stop = () => {}

  function begin(position: string): Live {
    source.heads.clear()
    const stretches = createStretches(source, {
      ...{ after: position, categories: undefined, known: position },
      ...{ isLive: true, retryFor: Number.POSITIVE_INFINITY },
    })
    const begun: Live = { span: createSpan(position), last: position, want: stretches.want }
    stop = stretches.close
    const run = async () => {
      for (;;) {
        const { events, end } = await stretches.next()
        begun.span.add({ events, end })
        begun.last = events.at(-1)?.position ?? begun.last
        tell(events, end)
      }
    }
    run().catch(fail)
    return begun
  }

  function tell(events: readonly RecordedEvent[], end: string) {
    for (const waiter of waiters) if (waiter.position <= end) waiter.resolve()
    for (const sleeper of sleepers) {
      if (events.some(({ stream }) => matches(sleeper.filter, stream))) sleeper.wake()
      else sleeper.at = end
    }
  }

  /** The next question begins again. */
  function fail(error: unknown) {
    live = undefined
    for (const waiter of waiters) waiter.reject(error)
    for (const sleeper of sleepers) sleeper.wake()
  }

  /** Asks for the end of the log, and begins there at first. */
  async function ask() {
    const end = await log.end()
    const position = end?.position ?? ''
    live ??= isClosed ? undefined : begin(position)
    return { position, isForeign: end?.isForeign ?? false }
  }

  async function seenUpTo(position: string, isForeign: boolean): Promise<void> {
    if (live === undefined || live.span.end() >= position) return
    live.want(position, isForeign)
    const { retryFor } = log.connection.timeouts
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => fail(silent()), retryFor)
      const over = () => {
        clearTimeout(timer)
        waiters.delete(waiter)
      }
      const fail = (error: unknown) => {
        over()
        reject(error)
      }
      const pass = () => {
        over()
        resolve()
      }
      const waiter = { position, resolve: pass, reject: fail }
      waiters.add(waiter)
    })
  }

  async function latest(): Promise<string | undefined> {
    const { position, isForeign } = await ask()
    await seenUpTo(position, isForeign)
    return live?.last || undefined
  }

  async function reader(after: string, filter: EventFilter): Promise<FeedReader> {
    if (live === undefined) await ask()
    const current = async () => {
      if (live === undefined) await ask()
      return live
    }
    return createReader(current, passes.join, sleepers, { at: after, filter })
  }

  function close() {
    isClosed = true
    stop()
    passes.close()
    for (const sleeper of sleepers) sleeper.wake()
  }

  return { latest, reader, seen: (position) => seenUpTo(position, false), close }
}

function createReader(
  current: () => Promise<Live | undefined>,
  join: (place: { at: string; readonly filter: EventFilter }) => Promise<Pass>,
  sleepers: Set<Sleeper>,
  place: { at: string; readonly filter: EventFilter },
): FeedReader {
  let pass: Pass | undefined

  function leave() {
    pass?.leave(place)
    pass = undefined
  }

  async function next(): Promise<readonly RecordedEvent[]> {
    const span = (await current())?.span
    if (span?.covers(place.at)) {
      leave()
      return take(span)
    }
    if (pass?.span.covers(place.at) === false) leave()
    pass ??= await join(place)
    if (pass.span.end() <= place.at) await pass.more()
    return pass.span.covers(place.at) ? take(pass.span) : []
  }

  function take(span: Span): readonly RecordedEvent[] {
    const { events, end } = span.after(place.at, place.filter, pageSize)
    if (end > place.at) place.at = end
    return events
  }

  async function wait(signal: AbortSignal): Promise<void> {
    const span = (await current())?.span
    if (signal.aborted || span === undefined || place.at < span.end()) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', wake)
        place.at = sleeper.at
        resolve()
      }
      const sleeper: Sleeper = { at: place.at, filter: place.filter, wake }
      sleepers.add(sleeper)
      signal.addEventListener('abort', wake)
    })
  }

  return {
    get at() {
      return place.at
    },
    next,
    wait,
    leave,
  }
}
