import type { Facts, Owners, TrackedOrder } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Subject } from '../../kernel/timeline.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { numberKey } from './order-model.ts'
import { numberStream, type OrderNumberTaken, orderStream } from './streams.ts'

/** Whose orders are tracked, as other parts of the engine see it. */
export const owners: Owners = {
  businessesOf: async ({ store }, { tracking_number, order_id }) => {
    const taken = tracking_number === undefined ? undefined : await orderWithNumber(store, tracking_number)
    const orders = new Set([taken, order_id].filter((id) => id !== undefined))
    const found = await Promise.all([...orders].map((id) => businessOfOrder(store, id)))
    return found.filter((id) => id !== undefined)
  },
  orderOf: async ({ store }, subject, position) => {
    const id = await orderNamedBy(store, subject)
    if (id === undefined) return undefined
    const history = (await store.read(orderStream(id))) as readonly RecordedEvent<OrderEvent>[]
    return trackedOrder(history.filter((event) => event.position <= position))
  },
}

async function orderNamedBy(store: Facts['store'], { tracking_number, order_id }: Subject) {
  const taken = tracking_number === undefined ? undefined : await orderWithNumber(store, tracking_number)
  return taken ?? order_id
}

async function orderWithNumber(store: Facts['store'], trackingNumber: string): Promise<number | undefined> {
  const stream = numberStream(numberKey(trackingNumber))
  const [taken] = (await store.read(stream, { limit: 1 })) as readonly OrderNumberTaken[]
  return taken?.data.order_id
}

/** An order stays with the business that it was created for. */
async function businessOfOrder(store: Facts['store'], id: number): Promise<number | undefined> {
  const [created] = (await store.read(orderStream(id), { limit: 1 })) as readonly OrderCreated[]
  return created?.data.business_id
}

function trackedOrder(history: readonly OrderEvent[]): TrackedOrder | undefined {
  const [created] = history
  if (created?.type !== 'OrderCreated') return undefined
  const { order_id: id, business_id: businessId, customer_id: customerId, reference } = created.data
  const isByCarrier = history.some(({ type }) => type === 'OrderHandedToCarrier')
  return { id, businessId, customerId, reference, isByCarrier }
}
