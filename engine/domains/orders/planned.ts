import type { Context } from '../../kernel/context.ts'
import type { PlannedDelivery } from '../../kernel/order-due.ts'
import { instantIn, zonedIso } from '../../kernel/zone.ts'
import type { OrderEvent } from './events.ts'
import { findLoaded } from './load.ts'
import { orderWithNumber } from './owners.ts'
import { finalStatuses } from './status.ts'
import { orderStream } from './streams.ts'

/**
 * When the order with a tracking number is to be delivered by the business itself; undefined if it has no day, is a pick-up, has
 * ended, or is with a carrier, which says itself when it comes.
 */
export async function plannedDelivery(context: Context, number: string): Promise<PlannedDelivery | undefined> {
  const id = await orderWithNumber(context.store, number)
  const order = id === undefined ? undefined : (await findLoaded(context, id))?.state
  if (id === undefined || order?.schedule_date === undefined || order.is_deleted || order.type === 'P') return undefined
  if (order.status === 'WITH_CARRIER' || finalStatuses.includes(order.status)) return undefined
  const business = await context.directory.business(context, order.business_id)
  if (business === undefined) return undefined
  const { schedule_date: day, time_window: window } = order
  const { timeZone: zone } = business
  const at = (time: string) => zonedIso(instantIn(`${day}T${time}`, zone), zone)
  const since = await setAt(context, id)
  const { start, end } = window ?? { start: '00:00', end: '23:59' }
  return { estimated_delivery_from: at(start), estimated_delivery_at: at(end), zone, since }
}

/** When the day and the window of an order were last set. */
async function setAt({ store }: Pick<Context, 'store'>, id: number): Promise<string> {
  const history = (await store.read(orderStream(id))) as readonly OrderEvent[]
  const set = history.findLast(({ type }) => type === 'OrderCreated' || type === 'OrderScheduleChanged')
  return String(set?.data.at)
}
