import { setImmediate } from 'node:timers/promises'
import type { RecordedEvent } from '../../../engine/index.ts'
import type { Checkpoint } from '../../node/deliveries.ts'
import { type LastTold, type Made, nothing } from './make.ts'
import type { FanOutOptions } from './options.ts'

/** So many deliveries wait to be kept at most; the flow of events waits meanwhile. */
const most = 500

/** So many events that tell nothing pass before it is kept that they have. */
const silence = 1_000

/** What keeps deliveries, and how far the events are told. */
export interface Keeping {
  /** Aborted when something could not be kept: the flow ends, and begins again after the last checkpoint. */
  readonly broken: AbortSignal
  keep(event: RecordedEvent, made: Made): Promise<void>
  readonly lastTold: LastTold
  /** Keeps what is left; throws what kept something from being kept. */
  done(): Promise<void>
}

/** Keeps what was made, many at once where they come faster than they are kept; `calm` is called when that has worked. */
export function createKeeping({ book, wake, forget, turn, ownerOf }: FanOutOptions, calm: () => void): Keeping {
  const broken = new AbortController()
  let waiting = nothing
  /** What is being written: the database does not know it yet. */
  let under = nothing
  let reached: Checkpoint | undefined
  let silent = 0
  let writing: Promise<void> | undefined

  const isAnything = () => waiting.deliveries.length > 0 || waiting.forgotten.length > 0

  async function flush(checkpoint: Checkpoint): Promise<void> {
    under = waiting
    waiting = nothing
    silent = 0
    const kept = await book.take(under.deliveries, checkpoint, under.told, under.forgotten)
    if (under.forgotten.length > 0) forget(under.forgotten)
    under = nothing
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
    broken: broken.signal,
    keep: async ({ position, stream, revision, id }: RecordedEvent, made: Made) => {
      // The book forgets what is kept with it too, and this came after.
      if (made.deliveries.some(({ subject }) => waiting.forgotten.includes(subject))) await writing
      reached = { position, stream, revision, id }
      // What is set from now on is not told of what was before, whatever crashes.
      silent = ownerOf(stream) === undefined ? silent + 1 : silence
      waiting = joined(waiting, made)
      if (!isAnything() && silent < silence) return
      writing ??= write()
      writing.catch(() => broken.abort())
      if (waiting.deliveries.length >= most) await writing
    },
    lastTold: async (endpointId, throttle) => {
      const all = [...under.told, ...waiting.told]
      const last = all.findLast((one) => one.endpointId === endpointId && one.throttle === throttle)
      return last?.at ?? book.lastTold(endpointId, throttle)
    },
    done: async () => {
      await writing
      if (reached !== undefined) await flush(reached)
    },
  }
}

/** What waits and what was made; lists are only made anew where there is something to add. */
function joined(waiting: Made, made: Made): Made {
  if (made === nothing) return waiting
  return {
    deliveries: [...waiting.deliveries, ...made.deliveries],
    told: [...waiting.told, ...made.told],
    forgotten: [...waiting.forgotten, ...made.forgotten],
  }
}
