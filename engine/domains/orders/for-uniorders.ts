import { accountOf } from '../../kernel/call.ts'
import { ownFleetName } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { atOtherPaths, EngineError } from '../../kernel/errors.ts'
import { searchKey } from '../../kernel/number-key.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { RegisterFilter } from '../../kernel/order-family.ts'
import type { Row } from '../../kernel/read-model.ts'
import { type Booked, type Booking, orderFor, type Shipping } from '../../kernel/uniorder.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { draftUnchecked } from './for-batches.ts'
import { cancelForCarrier, scansOfOrder } from './for-carriers.ts'
import { findLoaded, isVisible, loadOrder } from './load.ts'
import { orderTable } from './order.ts'
import { orderModel } from './order-model.ts'
import { labelsOf } from './print.ts'
import { recordOf, statusFor } from './record.ts'

/** Orders that the business delivers itself, as a way to ship. */
export const orderShipping: Shipping = {
  draft: async (context, booking) => {
    const { first: id, append } = await nextNumbers(context, 'order')
    const { appends } = await draftUnchecked(context, orderOf(context, booking), { id, source: 'single' }).catch(
      inShipment,
    )
    return { id, appends: [append, ...appends] }
  },
  find: async (context, id) => {
    const order = (await findLoaded(context, id))?.state
    if (order === undefined || !isVisible(context, order)) return undefined
    const { status, tracking_number, reference, service } = order
    const { price_details, currency, created_at } = recordOf(order, context) as unknown as Shown
    return {
      ...{
        order_id: id,
        status: statusFor(context, status),
        tracking_numbers: [tracking_number],
        carrier: ownFleetName,
        created_at,
      },
      ...omitUndefined({ service, reference, currency, total_price: price_details?.total_price }),
    }
  },
  document: async (context, id, request) => {
    const { last: _, ...document } = await labelsOf(context, await loadOrder(context, id), request)
    return document
  },
  track: async (context, id) => {
    const { tracking_number } = await loadOrder(context, id)
    return [{ tracking_number, events: (await scansOfOrder(context, tracking_number)) ?? [] }]
  },
  cancel: async (context, id) => {
    if (await cancelForCarrier(context, id)) return
    const { status } = await loadOrder(context, id)
    throw new EngineError('cancel_refused', { order: id, status: statusFor(context, status) })
  },
  settle: async () => {},
}

/** A page of the register, as far as the caller may see it; each way decides by itself who sees what it has. */
export async function registered(
  context: Context,
  { carrier: provider, reference, ...same }: RegisterFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const key = reference === undefined ? undefined : searchKey(reference)
  const wanted: Row = omitUndefined({ ...same, provider, reference_key: key })
  const where = { ...wanted, ...orderTable.access.cells(context) }
  const { rows, total } = await context.models.page(orderModel, { where, limit, offset, newestFirst: true })
  return { orders: rows.map(({ order_id, family }) => ({ id: Number(order_id), family: String(family) })), total }
}

/** As much of the record of an order as tells its price and age. */
interface Shown extends Pick<Booked, 'currency' | 'created_at'> {
  readonly price_details?: { readonly total_price: string }
}

function orderOf(context: Context, { rateId, shipment, reference }: Booking) {
  const { day: schedule_date, customerId } = context.ports.orders.rateTerms(context, rateId, shipment.parcels)
  // A customer orders for itself.
  const customer_id = accountOf(context).role === 'customer' ? undefined : customerId
  return { ...orderFor(shipment), schedule_date, rate_id: rateId, ...omitUndefined({ reference, customer_id }) }
}

/** Findings at members of an order become findings at those of the shipment. */
function inShipment(error: unknown): never {
  throw atOtherPaths(error, shipmentPath)
}

function shipmentPath(path: string): string {
  return path
    .replace(/^delivery(\.address)?/, 'to')
    .replace(/^pickup(\.address)?/, 'from')
    .replace(/^items$/, 'parcels')
}
