import type { Context, Facts } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Subject } from '../../kernel/timeline.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { orderExists } from './exists.ts'
import { findLoaded } from './load.ts'
import { numberStreams, type OrderNumberTaken, orderStream } from './streams.ts'

type Stored = Pick<Facts, 'store'>

/** The businesses of the orders that a subject names by tracking number and order id; empty if there are none. */
export async function businessesOf(
  { store }: Stored,
  { tracking_number, order_id }: Subject,
): Promise<readonly number[]> {
  const ofNumber = tracking_number === undefined ? undefined : await orderWithNumber(store, tracking_number)
  const orders = new Set([ofNumber, order_id].filter((id) => id !== undefined))
  const found = await Promise.all([...orders].map((id) => businessOfOrder(store, id)))
  return found.filter((id) => id !== undefined)
}

/** The order that a subject names, first by tracking number and then by order id, as of a position of the store. */
export async function orderTracked({ store }: Stored, subject: Subject, position: string) {
  const id = await orderNamedBy(store, subject)
  if (id === undefined) return undefined
  const history = (await store.read(orderStream(id))) as readonly RecordedEvent<OrderEvent>[]
  return trackedOrder(history.filter((event) => event.position <= position))
}

/** The shop that an order was made in, and its id there. */
export async function shopOrderOf(
  { store }: Stored,
  id: number,
): Promise<{ readonly shop: number; readonly order: string } | undefined> {
  const [created] = (await store.read(orderStream(id), { limit: 1 })) as readonly OrderCreated[]
  const { shop_id: shop, shop_order: order } = created?.data ?? {}
  return shop === undefined || order === undefined ? undefined : { shop, order }
}

/** Whether a business has an order of this id. */
export async function isOrderOf({ store }: Stored, businessId: number, order: number): Promise<boolean> {
  return (await businessOfOrder(store, order)) === businessId
}

/** Whether there is an order of this id, of any business. */
export async function isOrder({ store }: Stored, order: number): Promise<boolean> {
  return (await businessOfOrder(store, order)) !== undefined
}

/** Whether the caller may see the order that a subject names, first by tracking number and then by order id. */
export async function isOwnOrder(context: Context, subject: Subject): Promise<boolean> {
  const id = await orderNamedBy(context.store, subject)
  return id !== undefined && (await orderExists(context, id))
}

/** The postal code that the order of a subject is delivered to, if it is known. */
export async function postalCodeOf(facts: Facts, subject: Subject): Promise<string | undefined> {
  const id = await orderNamedBy(facts.store, subject)
  const order = id === undefined ? undefined : await findLoaded(facts, id)
  return order?.state.delivery?.address?.postal_code
}

/** The id of the order that a subject names, first by tracking number and then by order id. */
export async function orderNamedBy(store: Facts['store'], { tracking_number, order_id }: Subject) {
  const ofNumber = tracking_number === undefined ? undefined : await orderWithNumber(store, tracking_number)
  return ofNumber ?? order_id
}

/** The id of the order with a tracking number. */
export async function orderWithNumber(store: Facts['store'], trackingNumber: string): Promise<number | undefined> {
  for (const stream of numberStreams(trackingNumber)) {
    const [ofNumber] = (await store.read(stream, { limit: 1 })) as readonly OrderNumberTaken[]
    if (ofNumber !== undefined) return ofNumber.data.order_id
  }
  return undefined
}

/** An order stays with the business that it was created for. */
async function businessOfOrder(store: Facts['store'], id: number): Promise<number | undefined> {
  const [created] = (await store.read(orderStream(id), { limit: 1 })) as readonly OrderCreated[]
  return created?.data.business_id
}

function trackedOrder(history: readonly OrderEvent[]) {
  const [created] = history
  if (created?.type !== 'OrderCreated') return undefined
  const { order_id: id, business_id: businessId, customer_id: customerId, reference, shop_id: shop } = created.data
  const isByCarrier = history.some(({ type }) => type === 'OrderHandedToCarrier')
  return { id, businessId, customerId, reference, shop, isByCarrier }
}
