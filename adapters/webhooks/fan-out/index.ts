import { setImmediate } from 'node:timers/promises'
import {
  type Announcement,
  categoryOf,
  type EventStore,
  type Hooks,
  isEngineError,
  type Notice,
  type NoticeFacts,
  type NoticeSource,
  type Owner,
  ownersOf,
  type RecordedEvent,
  recipientsOf,
  type StreamName,
} from '../../../engine/index.ts'
import type { Checkpoint, DeliveryBook, NewDelivery, Told } from '../../deliveries.ts'
import { errorFields, type Log } from '../../log.ts'
import type { HooksBook } from './hooks.ts'
import { type Recipient, type RenderOptions, render } from './render.ts'
import { startOf } from './start.ts'

/** What the fan-out is made of. */
export interface FanOutOptions extends RenderOptions {
  /** The store as it is kept: most events pass by, and nobody has to open what they hold. */
  readonly kept: Pick<EventStore, 'follow' | 'readAll'>
  readonly store: EventStore
  readonly facts: NoticeFacts
  readonly notices: readonly Notice[]
  readonly sources: readonly NoticeSource[]
  readonly hooks: HooksBook
  /** The owner whose settings a stream holds; nothing where it holds none. */
  readonly ownerOf: (stream: string) => Owner | undefined
  /** The categories of those streams. */
  readonly settings: readonly string[]
  readonly book: DeliveryBook
  /** Called when there are new deliveries for these endpoints. */
  readonly wake: (endpointIds: Iterable<string>) => void
  readonly log: Log
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds that deliveries are remembered. */
  readonly memory: number
}

/** What an event has led to, before it is kept. */
interface Made {
  readonly deliveries: readonly NewDelivery[]
  readonly told: readonly Told[]
  /** Subjects about which what was told of people is thrown away. */
  readonly forgotten: readonly string[]
}

const nothing: Made = { deliveries: [], told: [], forgotten: [] }

/** So many deliveries wait to be kept at most; the flow of events waits meanwhile. */
const most = 2_000

/** So many events that tell nothing pass before it is kept that they have. */
const silence = 1_000

/** How often an event is tried that a domain cannot tell of, before it is passed over. */
const tries = 3

/** After so many milliseconds at most a failure of the store is followed by another try. */
const longestPause = 30_000

/**
 * Turns recorded events into deliveries, in order, until `signal` is aborted: those of an event and the place that it
 * stands at are kept in one transaction, so that each is made once.
 */
export async function fanOut(options: FanOutOptions, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await follow(options, signal, () => {
        failures = 0
      })
    } catch (error) {
      if (signal.aborted) return
      options.log.error(
        { failures: ++failures, ...errorFields(error) },
        'notices could not be made and are tried again',
      )
      await options.wait(Math.min(longestPause, 100 * 2 ** (failures - 1)), signal)
    }
  }
}

async function follow(options: FanOutOptions, signal: AbortSignal, calm: () => void): Promise<void> {
  const { kept, store, book, clock, memory } = options
  const { after, notBefore } = await startOf(book, store, clock(), memory)
  const keeping = createKeeping(options)
  const make = createMaker(options, keeping.lastTold, await hasAny(kept, options.settings))
  try {
    for await (const event of kept.follow(after, {}, AbortSignal.any([signal, keeping.broken]))) {
      const isOld = notBefore > 0 && Date.parse(event.recordedAt) < notBefore
      await keeping.keep(event, isOld ? nothing : await make(event))
      calm()
    }
  } finally {
    await keeping.done()
  }
}

/** Whether anybody has ever wanted to be told: where not, nothing is read for it. */
async function hasAny(store: Pick<EventStore, 'readAll'>, categories: readonly string[]): Promise<boolean> {
  for (const category of categories) for await (const _ of store.readAll(undefined, { category })) return true
  return false
}

/** Keeps what was made, many at once where they come faster than they are kept. */
function createKeeping({ book, wake }: FanOutOptions) {
  const broken = new AbortController()
  let waiting: NewDelivery[] = []
  let told: Told[] = []
  let forgotten: string[] = []
  /** What is being written: the database does not know it yet. */
  let under: readonly Told[] = []
  let reached: Checkpoint | undefined
  let silent = 0
  let writing: Promise<void> | undefined

  const isAnything = () => waiting.length > 0 || forgotten.length > 0

  async function flush(checkpoint: Checkpoint): Promise<void> {
    const [deliveries, erased] = [waiting, forgotten]
    under = told
    waiting = []
    told = []
    forgotten = []
    silent = 0
    const kept = await book.take(deliveries, checkpoint, under, erased)
    under = []
    if (kept.length > 0) wake(new Set(kept.map(({ endpoint }) => endpoint.id)))
  }

  /** After a turn of the event loop, so that what comes with it is kept with it. */
  async function write(): Promise<void> {
    await setImmediate()
    while (reached !== undefined && (isAnything() || silent >= silence)) await flush(reached)
    writing = undefined
  }

  return {
    /** Aborted when something could not be kept: the flow ends, and begins again after the last checkpoint. */
    broken: broken.signal,
    keep: async ({ position, stream, revision, id }: RecordedEvent, made: Made) => {
      reached = { position, stream, revision, id }
      silent++
      waiting.push(...made.deliveries)
      told.push(...made.told)
      forgotten.push(...made.forgotten)
      if (!isAnything() && silent < silence) return
      writing ??= write()
      writing.catch(() => broken.abort())
      if (waiting.length >= most) await writing
    },
    lastTold: async (endpointId: string, throttle: string) => {
      const isIt = (one: Told) => one.endpointId === endpointId && one.throttle === throttle
      return (told.findLast(isIt) ?? under.findLast(isIt))?.at ?? book.lastTold(endpointId, throttle)
    },
    /** Keeps what is left; throws what kept something from being kept. */
    done: async () => {
      await writing
      if (reached !== undefined) await flush(reached)
    },
  }
}

type LastTold = (endpointId: string, throttle: string) => Promise<number | undefined>

function createMaker(
  options: FanOutOptions,
  lastTold: LastTold,
  isListening: boolean,
): (event: RecordedEvent) => Promise<Made> {
  const { sources, notices, hooks, ownerOf, facts, store, log } = options
  let isAnybodyTold = isListening
  const byCategory = new Map(
    sources.map((source) => [source.category, sources.filter(({ category }) => category === source.category)]),
  )
  const byName = new Map(notices.map((notice) => [notice.name, notice]))

  const sourcesOf = (event: RecordedEvent) => byCategory.get(categoryOf(event.stream)) ?? []

  async function forgottenBy(event: RecordedEvent): Promise<readonly string[]> {
    const concerned = sourcesOf(event).flatMap(({ forgets }) => (forgets?.types.includes(event.type) ? [forgets] : []))
    return (await Promise.all(concerned.map((one) => one.subjects(facts, event)))).flat()
  }

  async function announced(event: RecordedEvent): Promise<readonly Announcement[]> {
    const concerned = sourcesOf(event).filter(({ types }) => types.includes(event.type))
    if (concerned.length === 0) return []
    const [opened] = await store.read(event.stream as StreamName, { from: event.revision, limit: 1 })
    const all: Announcement[] = []
    if (opened !== undefined) for (const source of concerned) all.push(...(await source.announce(facts, opened)))
    return all
  }

  async function made(event: RecordedEvent): Promise<Made> {
    const deliveries: NewDelivery[] = []
    const told: Told[] = []
    for (const announcement of await announced(event)) {
      const notice = byName.get(announcement.notice)
      if (notice === undefined) throw new Error(`There is no notice ${announcement.notice}.`)
      const recipients = await recipientsFor(notice, announcement, hooks)
      const due: Recipient[] = []
      for (const recipient of recipients) {
        if (!(await isDue(announcement, recipient, lastTold))) continue
        due.push(recipient)
        told.push(...toldBy(announcement, recipient))
      }
      deliveries.push(...(await render(notice, announcement, due, options)))
    }
    return { deliveries, told, forgotten: await forgottenBy(event) }
  }

  return async (event) => {
    const owner = ownerOf(event.stream)
    if (owner !== undefined) {
      hooks.changed(owner)
      isAnybodyTold = true
    }
    if (!isAnybodyTold) return nothing
    for (let attempt = 1; ; attempt++) {
      try {
        return await made(event)
      } catch (error) {
        // A store that fails is waited for; what cannot be told today, cannot tomorrow.
        if (isEngineError(error, 'store_unavailable') || isEngineError(error, 'wrong_secret_key')) throw error
        if (attempt < tries) continue
        log.error({ position: event.position, type: event.type, ...errorFields(error) }, 'an event was not told')
        return nothing
      }
    }
  }
}

async function recipientsFor(notice: Notice, announcement: Announcement, hooks: HooksBook) {
  const owners = ownersOf(announcement, notice)
  const found = await Promise.all(owners.map(async (owner): Promise<[Owner, Hooks]> => [owner, await hooks.of(owner)]))
  return recipientsOf(notice, announcement, new Map(found))
}

/** Whether the interval of the endpoint has passed since it was last told of the same thing. */
async function isDue({ throttle, occurredAt }: Announcement, { endpoint }: Recipient, lastTold: LastTold) {
  if (throttle === undefined || endpoint.interval === 0) return true
  const last = await lastTold(endpoint.id, throttle)
  return last === undefined || Date.parse(occurredAt) - last >= endpoint.interval
}

function toldBy({ throttle, occurredAt }: Announcement, { endpoint }: Recipient): readonly Told[] {
  if (throttle === undefined || endpoint.interval === 0) return []
  return [{ endpointId: endpoint.id, throttle, at: Date.parse(occurredAt) }]
}
