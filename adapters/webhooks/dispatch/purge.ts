import type { DeliveryBook } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import type { DispatcherRun } from './insist.ts'

/** Milliseconds that a delivery is kept (document 3, "Limits"). */
const retention = 90 * 86_400_000

/** So many are deleted at once, and so many milliseconds pass between, in which deliveries go on. */
const chunk = { size: 100, pause: 20 }

/** From one look for what is old to the next, in milliseconds. */
const interval = 3_600_000

/** Deletes what is old, at once and every hour, until the signal is aborted. */
export async function keepPurging(
  book: Pick<DeliveryBook, 'purge'>,
  clock: () => number,
  { signal, log, wait }: DispatcherRun,
): Promise<void> {
  while (!signal.aborted) {
    const count = await book.purge(clock() - retention, chunk.size).catch((error: unknown) => {
      log.error(errorFields(error), 'old deliveries cannot be deleted')
      return 0
    })
    await wait(count < chunk.size ? interval : chunk.pause, signal)
  }
}
