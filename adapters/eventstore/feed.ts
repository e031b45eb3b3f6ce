import type { EventFilter, Held, RecordedEvent } from '../../engine/index.ts'
import { bytesBetween } from './codec.ts'
import type { Connection } from './connection.ts'
import { timedOut } from './errors.ts'
import { createPasses, type Pass } from './passes.ts'
import { createSpan, passes as matches, room, type Span } from './span.ts'
import { createStretches, type Source } from './stretches.ts'

/** The one feed of a node: what is new comes by one subscription, which all readers share, and is kept a while. */
export interface Feed {
  /** The position of the last event of this engine that was recorded before the call; waits until this node has seen it. */
  latest(): Promise<string | undefined>
  /** A reader after a position (`''`: the beginning), which must be left in the end. */
  reader(after: string, filter: EventFilter): Promise<FeedReader>
  /** Resolves when this node has seen the position. */
  seen(position: string): Promise<void>
  /** What is kept of what came last. */
  held(): Held
  close(): void
}

/** A place in the feed. */
interface FeedReader {
  /** How far it has read. */
  readonly at: string
  /** The next matching events, possibly none; reads on if this node has them not in memory. */
  next(): Promise<readonly RecordedEvent[]>
  /** Waits for a matching event, if this node knows of none; also ends when much was passed by, or the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
  leave(): void
}

/** Bytes of the log that pass a sleeping reader by before it is woken to tell how far it is. */
const passedBy = 4n * 1024n * 1024n

interface Sleeper {
  at: string
  /** Where it fell asleep. */
  readonly since: string
  readonly filter: EventFilter
  readonly wake: () => void
}

/** The new part of the feed. */
interface Live {
  readonly span: Span
  /** Position of the last event that the engine sees, or where the part begins. */
  last: string
  want(position: string, isForeign: boolean): void
  close(): void
}

const pageSize = 500

/** Creates it; the subscription is opened by the first question. `beginning` tells where the events of this engine begin. */
export function createFeed(source: Source, beginning: () => Promise<string>): Feed {
  const sleepers = new Set<Sleeper>()
  const waiters = createWaiters(source.log.connection)
  const passes = createPasses(source, () => live?.span.start() ?? '')
  let isClosed = false
  let live: Live | undefined

  function tell(events: readonly RecordedEvent[], end: string) {
    waiters.reached(end)
    for (const sleeper of sleepers) {
      if (events.some(({ stream }) => matches(sleeper.filter, stream))) {
        sleeper.wake()
        continue
      }
      sleeper.at = end
      if (bytesBetween(sleeper.since, end) >= passedBy) sleeper.wake()
    }
  }

  /** The next question begins again. */
  function fail(error: unknown) {
    live = undefined
    waiters.refuse(error)
    for (const sleeper of sleepers) sleeper.wake()
  }

  /** Asks for the end of the log, and begins there at first. */
  const ask = () =>
    source.log.end().then(({ position, isForeign } = { position: '', isForeign: false }) => {
      if (!isClosed) live ??= begin(source, position, tell, fail)
      return { position, isForeign }
    })

  async function current(): Promise<Live | undefined> {
    if (live === undefined) await ask()
    return live
  }

  /** Resolves when this node has seen a position; `undefined` if it has. */
  function untilSeen(position: string, isForeign: boolean): Promise<void> | undefined {
    if (live === undefined || live.span.end() >= position) return undefined
    live.want(position, isForeign)
    return waiters.wait(position)
  }

  const lastSeen = () => live?.last || undefined
  const latest = () =>
    ask().then(({ position, isForeign }) => untilSeen(position, isForeign)?.then(lastSeen) ?? lastSeen())

  function close() {
    isClosed = true
    live?.close()
    passes.close()
  }

  const reader: Feed['reader'] = async (after, filter) =>
    createReader(current, passes.join, sleepers, { at: after || (await beginning()), filter })
  const held = () => ({ structure: 'feed', bytes: live?.span.bytes() ?? 0, most: room.bytes })
  return { latest, reader, seen: async (position) => untilSeen(position, false), held, close }
}

/** Begins to receive what comes after a position. */
function begin(
  source: Source,
  position: string,
  tell: (events: readonly RecordedEvent[], end: string) => void,
  fail: (error: unknown) => void,
): Live {
  // What was remembered without a feed may be stale.
  source.heads.clear()
  source.recent.clear()
  const stretches = createStretches(source, {
    ...{ after: position, categories: undefined, known: position },
    ...{ isLive: true, retryFor: Number.POSITIVE_INFINITY },
  })
  const live: Live = { span: createSpan(position), last: position, want: stretches.want, close: stretches.close }
  const run = async () => {
    for (;;) {
      const { events, end } = await stretches.next()
      live.span.add({ events, end })
      live.last = events.at(-1)?.position ?? live.last
      tell(events, end)
    }
  }
  run().catch(fail)
  return live
}

/** Those who wait until this node has seen a position, no longer than calls do. */
function createWaiters({ timeouts: { retryFor }, failure }: Connection) {
  interface Waiter {
    readonly position: string
    readonly settle: (failure?: unknown) => void
  }
  const waiters = new Set<Waiter>()

  function wait(position: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const timer = setTimeout(() => void failure(timedOut, since).then(settle), retryFor)
      function settle(failure?: unknown) {
        clearTimeout(timer)
        waiters.delete(waiter)
        if (failure === undefined) resolve()
        else reject(failure)
      }
      const waiter = { position, settle }
      waiters.add(waiter)
    })
  }

  return {
    wait,
    reached: (end: string) => {
      for (const { position, settle } of waiters) if (position <= end) settle()
    },
    refuse: (error: unknown) => {
      for (const { settle } of waiters) settle(error)
    },
  }
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
      const sleeper: Sleeper = { at: place.at, since: place.at, filter: place.filter, wake }
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
