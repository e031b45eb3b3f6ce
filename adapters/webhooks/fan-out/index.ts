import type { EventStore } from '../../../engine/index.ts'
import { errorFields } from '../../node/log.ts'
import { createKeeping } from './keep.ts'
import { createMaker, nothing } from './make.ts'
import type { FanOutOptions } from './options.ts'
import { startOf } from './start.ts'

export type { FanOutOptions } from './options.ts'

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
