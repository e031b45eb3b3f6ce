import type { Calls } from './calls.ts'
import { nameOf, type StoredEvent } from './codec.ts'
import { failureOf, isTemporary } from './errors.ts'
import type { Heads } from './heads.ts'
import type { Log } from './log.ts'
import type { Recent } from './recent.ts'
import type { Stretch } from './span.ts'
import { openSubscription, type Subscribed, type Subscription, type Told } from './subscribe.ts'

/** The feed after a position, stretch by stretch, without end. */
export interface Stretches {
  /** The next stretch, as soon as there is one. A lost subscription is opened again. */
  next(): Promise<Stretch>
  /** Tells that somebody waits for this position; `isForeign` if nothing of this engine is known to be there. */
  want(position: string, isForeign: boolean): void
  close(): void
}

/** What a feed is read from. */
export interface Source {
  readonly log: Log
  readonly calls: Calls
  readonly heads: Heads
  readonly recent: Recent
}

/** How a feed is read. */
interface Reading extends Omit<Subscribed, 'known'> {
  /** A position that is known to be in the log. */
  readonly known: string
  /** Whether the decision of a call is to come by itself in a moment, and need not be read. */
  readonly isLive: boolean
  /** For how many milliseconds a lost subscription is opened again without success. */
  readonly retryFor: number
}

/** First and longest delay in milliseconds before a lost subscription is opened again. */
const delays = { first: 50, longest: 2_000 }

/** Milliseconds of silence after which the log is read up to a position that somebody waits for. */
const silence = 50

/** Milliseconds for the decision of a call to come by itself. */
const decisionTime = 200

/** Events read from the log where the server does not tell how far it has come. */
const pageSize = 500

/** Begins to read when the first stretch is asked for. */
export function createStretches(source: Source, reading: Reading): Stretches {
  const { calls, heads, recent } = source
  const { connection } = source.log
  const receiver = createReceiver(source, reading)
  let told = reading.after

  async function resolved(): Promise<Stretch | undefined> {
    const { pending, received } = receiver
    const part = pending.slice(0, reading.isLive ? calls.decidedIn(pending) : pending.length)
    const end = part.length === pending.length ? received() : (part.at(-1)?.position ?? told)
    if (end === told) return undefined
    const events = await calls.visible(part, calls.settled)
    pending.splice(0, part.length)
    if (reading.isLive) {
      heads.see(part, events)
      recent.see(events)
    }
    told = end
    return { events, end }
  }

  async function next(): Promise<Stretch> {
    let since = performance.now()
    for (let wait = delays.first; ; ) {
      try {
        await receiver.receive()
        const stretch = await resolved()
        if (stretch !== undefined) return stretch
        wait = delays.first
        since = performance.now()
      } catch (error) {
        receiver.drop(told)
        if (receiver.isClosed() || !isTemporary(error)) throw failureOf(error)
        if (performance.now() + wait > since + reading.retryFor) throw await connection.failure(error, since)
        await connection.rest(wait)
        wait = Math.min(2 * wait, delays.longest)
      }
    }
  }

  return { next, want: receiver.want, close: () => receiver.close(told) }
}

/** Receives the events of one reading, wherever they come from. */
function createReceiver({ log, calls }: Source, reading: Reading) {
  const pending: StoredEvent[] = []
  let subscription: Subscription | undefined
  let received = reading.after
  let wanted = ''
  let isHurried = false
  let isClosed = false

  /** Each event comes once, whichever way it came first. */
  function take(news: readonly Told[]) {
    for (const one of news) {
      const position = 'checkpoint' in one ? one.checkpoint : one.position
      if (position <= received) continue
      received = position
      if (!('checkpoint' in one) && nameOf(one.stream, log.prefix) !== undefined) pending.push(one)
    }
  }

  async function receive(): Promise<void> {
    subscription ??= openSubscription(log, { ...reading, after: received })
    const isAwaited = wanted > received
    if (!(isAwaited && isHurried)) {
      const news = await subscription.next(pending.length > 0 ? decisionTime : isAwaited ? silence : undefined)
      if (news.length > 0) return take(news)
    }
    isHurried = false
    if (isClosed) throw new Error('The feed is closed.')
    if (pending[0]?.call !== undefined) await calls.settled(pending[0].call)
    else if (wanted > received) take(await log.readAll(received === '' ? undefined : received, pageSize))
  }

  /** What was received after a position is received again. */
  function drop(after: string) {
    subscription?.close()
    subscription = undefined
    received = after
    pending.length = 0
  }

  function want(position: string, isForeign: boolean) {
    if (position > wanted) wanted = position
    isHurried ||= isForeign && position > received
    if (wanted > received) subscription?.nudge()
  }

  function close(after: string) {
    isClosed = true
    subscription?.nudge()
    drop(after)
  }

  return { pending, received: () => received, receive, drop, want, close, isClosed: () => isClosed }
}
