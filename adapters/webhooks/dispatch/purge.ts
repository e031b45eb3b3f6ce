import type { DeliveryRepository } from '../../node/deliveries.ts'
import { errorFields } from '../../node/log.ts'
import type { DispatcherRun } from '../retry.ts'

/** Retention of a delivery in milliseconds (document 3, "Limits"). */
export const retention = 90 * 86_400_000

/** Deliveries deleted at once, and the pause in milliseconds that lets sending go on in between. */
const chunk = { size: 100, pause: 20 }

/** Milliseconds between two purges. */
const interval = 3_600_000

/** Deletes expired deliveries at once and then every hour, until the signal is aborted. */
export async function keepPurging(
  repository: Pick<DeliveryRepository, 'purge'>,
  clock: () => number,
  { signal, log, wait }: DispatcherRun,
): Promise<void> {
  while (!signal.aborted) {
    const count = await repository.purge(clock() - retention, chunk.size).catch((error: unknown) => {
      log.error(errorFields(error), 'old deliveries cannot be deleted')
      return 0
    })
    await wait(count < chunk.size ? interval : chunk.pause, signal)
  }
}
