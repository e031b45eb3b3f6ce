import type { EventStore } from '../../../engine/index.ts'
import { errorFields } from '../../node/log.ts'
import { createBatchWriter } from './batch-writer.ts'
import { createFanOut, noDeliveries } from './make.ts'
import type { FanOutOptions } from './options.ts'
import { startOf } from './start.ts'

export type { FanOutOptions } from './options.ts'

/** Longest delay in milliseconds before a retry after a store failure. */
const longestPause = 30_000

/**
 * Turns recorded events into deliveries, in order, until `signal` is aborted. The deliveries of an event and the
 * checkpoint are saved in one transaction, so each delivery is created once.
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
        'webhook events could not be made and are tried again',
      )
      await options.wait(Math.min(longestPause, 100 * 2 ** (failures - 1)), signal)
    }
  }
}

async function follow(options: FanOutOptions, signal: AbortSignal, succeeded: () => void): Promise<void> {
  const { kept, store, repository, clock, memory, settings } = options
  const { after, checkpoint, notBefore } = await startOf(repository, store, {
    now: clock(),
    memory,
    reached: options.turn.checkpoint,
  })
  const { progress = { begun: '', saved: '' } } = options
  progress.saved = after ?? ''
  if (progress.begun < progress.saved) progress.begun = progress.saved
  const keeping = createBatchWriter({ ...options, progress }, checkpoint, succeeded)
  const make = createFanOut(options, keeping.lastNotifiedAt, settings && (() => hasAny(kept, settings)))
  try {
    for await (const event of kept.follow(after, {}, AbortSignal.any([signal, keeping.failed]))) {
      progress.begun = event.position
      const isOld = notBefore > 0 && Date.parse(event.recordedAt) < notBefore
      await keeping.add(event, isOld ? noDeliveries : await make(event, keeping.addPage))
    }
  } finally {
    await keeping.finish()
  }
}

/** Whether there have ever been webhook settings. Without any, events need not be opened. */
async function hasAny(store: Pick<EventStore, 'readAll'>, categories: readonly string[]): Promise<boolean> {
  const found = categories.map(async (category) => {
    for await (const _ of store.readAll(undefined, { category })) return true
    return false
  })
  // Side by side, they share one look at the log.
  return (await Promise.all(found)).includes(true)
}
