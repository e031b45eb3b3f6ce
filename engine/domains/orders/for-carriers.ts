import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { OrderEvent } from './events.ts'
import { orderExists } from './exists.ts'
import { commandStamp, loadOrder, runOrder } from './load.ts'
import { orderWithNumber } from './owners.ts'
import { orderStream } from './streams.ts'
import { type ParcelProgress, progressAfter, trackedBy } from './timeline.ts'

/** Cancels an order that the caller may see. Returns whether it is cancelled, now or since before. */
export async function cancelForCarrier(context: Context, id: number): Promise<boolean> {
  if ((await loadOrder(context, id)).status === 'CANCELLED') return true
  const { order } = await runOrder(context, id, { type: 'CancelOrder', ...commandStamp(context) })
  return order.status === 'CANCELLED'
}

/** What the timeline of the parcel of an order says, by its tracking number; undefined if the caller may see no such order. */
export async function scansOfOrder(context: Context, trackingNumber: string) {
  const id = await orderWithNumber(context.store, trackingNumber)
  if (id === undefined || !(await orderExists(context, id))) return undefined
  const history = (await context.store.read(orderStream(id))) as readonly RecordedEvent<OrderEvent>[]
  let progress: ParcelProgress | undefined
  return history.flatMap((event) => {
    const tracked = trackedBy(event, progress)
    progress = progressAfter(progress, event)
    return tracked === undefined ? [] : [{ status_code: tracked.status_code, occurred_at: event.recordedAt }]
  })
}
