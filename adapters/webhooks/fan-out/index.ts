import { setImmediate } from 'node:timers/promises'
import type { EventStore, RecordedEvent } from '../../../engine/index.ts'
import type { Checkpoint, NewDelivery, Told } from '../../deliveries.ts'
import { errorFields } from '../../log.ts'
import { createMaker, type Made, nothing } from './make.ts'
import type { FanOutOptions } from './options.ts'
import { startOf } from './start.ts'

export type { FanOutOptions } from './options.ts'

/** So many deliveries wait to be kept at most; the flow of events waits meanwhile. */
const most = 500

/** So many events that tell nothing pass before it is kept that they have. */
const silence = 1_000

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
  const { after, notBefore } = await startOf(book, store, { now: clock(), memory, reached: options.turn.checkpoint })
  const keeping = createKeeping(options, calm)
  const make = createMaker(options, keeping.lastTold, await hasAny(kept, options.settings))
  try {
    for await (const event of kept.follow(after, {}, AbortSignal.any([signal, keeping.broken]))) {
      const isOld = notBefore > 0 && Date.parse(event.recordedAt) < notBefore
      await keeping.keep(event, isOld ? nothing : await make(event))
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

/** Keeps what was made, many at once where they come faster than they are kept; `calm` is called when that has worked. */
function createKeeping({ book, wake, turn, ownerOf }: FanOutOptions, calm: () => void) {
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
    turn.checkpoint = checkpoint.position
    calm()
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
      // The book forgets what is kept with it too, and this came after.
      if (made.deliveries.some(({ subject }) => forgotten.includes(subject))) await writing
      reached = { position, stream, revision, id }
      // What is set from now on is not told of what was before, whatever crashes.
      silent = ownerOf(stream) === undefined ? silent + 1 : silence
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
