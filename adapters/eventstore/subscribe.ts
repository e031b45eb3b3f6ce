import { setImmediate } from 'node:timers/promises'
import { type AllStreamSubscription, excludeSystemEvents, START, streamNameFilter } from '@eventstore/db-client'
import { placeOf, positionOf, type StoredEvent, storedEventOf } from './codec.ts'
import { failureOf } from './errors.ts'
import type { Log } from './log.ts'

/** What a subscription tells, in order: events, and positions up to which there is no other one that it is for. */
export type Told = StoredEvent | Checkpoint

/** A position without an event. */
interface Checkpoint {
  readonly checkpoint: string
}

/** What a subscription to the log is for. */
export interface Subscribed {
  /** Exclusive; `''` for the beginning. */
  readonly after: string
  /** The categories that are wanted; all if absent. */
  readonly categories: ReadonlySet<string> | undefined
  /** A position that is reported once the subscription has caught up. */
  readonly known: string
}

/** A live subscription, whose server sends no more than is taken. */
export interface Subscription {
  /** What has come, at most so much; waits for the first of it, so many milliseconds. */
  next(milliseconds: number | undefined): Promise<readonly Told[]>
  /** Makes a waiting `next` return. */
  nudge(): void
  close(): void
}

/** What is taken at once. */
const chunkSize = 500

/** Records that the server looks through before it tells how far it has come. */
const searchWindow = 1_000

/** Subscribes to the events of an engine, which the server selects by the names of their streams. */
export function openSubscription(log: Log, subscribed: Subscribed): Subscription {
  const stream = subscribe(log, subscribed)
  let failure: unknown
  let isEnded = false
  let wake = () => {}
  // The client may emit an error after the end, which needs a listener.
  stream.on('error', (error) => {
    failure ??= error
    wake()
  })
  stream.on('readable', () => wake())
  for (const end of ['end', 'close']) {
    stream.on(end, () => {
      isEnded = true
      wake()
    })
  }

  async function next(milliseconds: number | undefined): Promise<readonly Told[]> {
    const told = await gathered(stream, log.prefix)
    if (told.length > 0) return told
    refuseIfOver()
    await woken(milliseconds)
    const later = await gathered(stream, log.prefix)
    if (later.length === 0) refuseIfOver()
    return later
  }

  function woken(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function refuseIfOver() {
    if (failure !== undefined) throw failure
    if (isEnded) throw failureOf(new Error('Failed to discover the end of the subscription'))
  }

  function close() {
    stream.destroy()
    stream.unsubscribe().catch(() => {})
  }

  return { next, nudge: () => wake(), close }
}

/** Takes what comes in the next turns of the event loop too, because the client passes on one item at a time. */
async function gathered(stream: AllStreamSubscription, prefix: string): Promise<readonly Told[]> {
  const told = take(stream, prefix, [])
  for (let before = 0; told.length > before && told.length < chunkSize; ) {
    before = told.length
    await setImmediate()
    take(stream, prefix, told)
  }
  return told
}

function take(stream: AllStreamSubscription, prefix: string, told: Told[]): Told[] {
  while (told.length < chunkSize) {
    const item = stream.read() as Item | null
    if (item === null) break
    if ('checkpoint' in item) told.push(item)
    else if (item.event !== undefined) told.push(storedEventOf(item.event, prefix))
  }
  return told
}

/** What the client's stream has: events, and the checkpoints that are pushed between them. */
type Item = Checkpoint | { readonly event?: Parameters<typeof storedEventOf>[0] }

function subscribe(log: Log, { after, categories, known }: Subscribed): AllStreamSubscription {
  // Pushed into the stream itself, so that it stays behind the events that came before.
  const push = (checkpoint: string) => stream.push({ checkpoint })
  const window = {
    checkpointInterval: 1,
    maxSearchWindow: searchWindow,
    checkpointReached: (_: unknown, position: Parameters<typeof positionOf>[0]) => void push(positionOf(position)),
  }
  const prefixes =
    categories === undefined ? [log.prefix] : [...categories].map((category) => `${log.prefix}${category}-`)
  const filter = prefixes[0] === '' ? excludeSystemEvents(window) : streamNameFilter({ prefixes, ...window })
  const options = { fromPosition: after === '' ? START : placeOf(after), filter } as const
  const stream = log.connection.client().subscribeToAll(options, { highWaterMark: chunkSize })
  stream.on('caughtUp', () => void push(known))
  return stream
}
