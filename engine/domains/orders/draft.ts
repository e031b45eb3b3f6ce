import * as v from 'valibot'
import { isOwnCustomer, requireFields } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { carriedValues, inputEntries, storedValues } from '../../entity/input.ts'
import { recorded } from '../../entity/recorded.ts'
import { accountOf } from '../../kernel/call.ts'
import { callbackEntries, callbackIn, callbackProblem } from '../../kernel/callback.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { sha256 } from '../../kernel/id.ts'
import { named } from '../../kernel/named.ts'
import { refusingMember, word } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { addressTermsOf } from './addresses/terms.ts'
import { orders } from './decider.ts'
import type { OrderCreated } from './events.ts'
import { commandStamp } from './load.ts'
import { keptPrice } from './money.ts'
import { orderTable } from './order.ts'
import { ownPrice } from './own-price.ts'
import type { OrderType } from './schema.ts'
import type { Order } from './state.ts'
import { numberStreams, type OrderNumberTaken, orderStream } from './streams.ts'
import { termsOf } from './terms.ts'

/** The parties that an order of each type cannot do without. */
export const partiesOf: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
}

/** A request for an order. */
export const newOrder = named(
  'NewOrder',
  v.pipe(
    v.strictObject({
      ...inputEntries(orderTable, 'create'),
      ...callbackEntries,
      rate_id: v.exactOptional(
        v.pipe(
          word(6000),
          v.description(
            'A rate of quote_delivery, which decides the price. Orders of customers without one are priced by the default service.',
          ),
        ),
      ),
    }),
    refusingMember((input) => {
      const missing = partiesOf[input.type].find((name) => input[name] === undefined)
      if (missing !== undefined) return [missing, 'required']
      if ((input.shop_id === undefined) !== (input.shop_order === undefined))
        return [input.shop_id === undefined ? 'shop_id' : 'shop_order', 'required']
      if (input.rate_id !== undefined && input.price !== undefined) return ['rate_id', 'price_or_rate']
      return callbackProblem(input)
    }),
  ),
)

/** A validated request for an order. */
export type NewOrder = v.InferOutput<typeof newOrder>

/** The request that creates the same order again, as its replacement. */
export function askedAgain(state: Order): NewOrder {
  return carriedValues(orderTable, 'create', state) as NewOrder
}

/** An order that is not recorded yet, and what records it. */
interface DraftedOrder {
  readonly order: Order
  readonly appends: readonly Append[]
}

/** What a draft needs besides the request. */
interface Making {
  readonly id: number
  readonly source: OrderCreated['data']['source']
  readonly replaces?: number
  readonly customerId?: number | undefined
  /** The service of the order that it replaces. */
  readonly service?: string | undefined
  /** The callback of the order that it replaces. */
  readonly callback?: string | undefined
}

/** Codes that a request for an order may be refused with. */
export const newOrderErrors = [
  ...(['customer_not_found', 'shop_not_found', 'tracking_number_taken', 'contention'] as const),
  ...(['price_or_rate', 'rate_invalid', 'rate_expired', 'rate_differs'] as const),
  ...(['too_precise', 'no_exchange_rate', 'region_required', 'region_differs'] as const),
] as const

/**
 * Drafts an order with this id: the order, and the appends that record it and reserve its tracking number. Refuses
 * members that only staff may set, a customer of another business (`customer_not_found`), and `tracking_number_taken`.
 */
export async function draftOrder(context: Context, input: NewOrder, making: Making): Promise<DraftedOrder> {
  requireFields(context, orderTable, 'create', input)
  const { shop_id: shop } = input
  if (shop !== undefined && !(await context.ports.orders.hasShop(context, shop)))
    throw new EngineError('shop_not_found', { shop })
  return draftAs(context, input, { ...making, customerId: await customerOf(context, input) })
}

/** Like `draftOrder`, for a request that was checked before; for the customer of `making`. */
export async function draftAs(context: Context, input: NewOrder, making: Making): Promise<DraftedOrder> {
  const trackingNumber = input.tracking_number ?? madeNumber(context, making.id)
  const priced = await pricedBy(context, input, making)
  const called = await calledBack(context, input, making)
  const made = { tracking_number: trackingNumber, ...priced, callback: called.owner }
  const data = createdData(context, input, making, made)
  const events = orders.decide({ type: 'CreateOrder', data }, undefined).map(toNewEvent(context))
  const order = fold(orders, events)
  if (order === undefined) throw new EngineError('order_not_found', { order: making.id })
  if (input.tracking_number !== undefined) await refuseTracked(context, trackingNumber)
  const claim = await claimed(context, trackingNumber, making.id)
  return {
    order,
    appends: [{ stream: orderStream(making.id), events, expected: 'no-stream' }, claim, ...called.appends],
  }
}

/** Records an order; refuses like `draftOrder`. */
export async function createOrderOf(
  context: Context,
  input: NewOrder,
  source: OrderCreated['data']['source'],
): Promise<Order> {
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, 'order')
    const { order, appends } = await draftOrder(context, input, { id: first, source })
    await context.store.appendMany([append, ...appends])
    return order
  })
}

/** The callback of an order, if it has one, and what makes it known. */
async function calledBack(context: Context, input: NewOrder, { callback: owner }: Making) {
  const callback = callbackIn(input)
  return callback === undefined ? { owner, appends: [] } : context.ports.orders.registerCallback(context, callback)
}

/** The price and the service of an order that comes without a price. */
async function pricedBy(context: Context, input: NewOrder, making: Making) {
  const { rate_id: rateId, price } = input
  if (price !== undefined) return { service: making.service, price: keptPrice(await ownPrice(context, price)) }
  return context.ports.orders.priceFor(context, { rateId, customerId: making.customerId, order: input })
}

function createdData(context: Context, input: NewOrder, making: Making, made: Values): OrderCreated['data'] {
  const { at, by } = commandStamp(context)
  const { business } = accountOf(context)
  const parties = [input.delivery, input.pickup]
  const terms = termsOf(context.credentials, business.id, parties)
  const address_terms = addressTermsOf(context.credentials, business.id, parties)
  const values = {
    items: 1,
    ...storedValues(orderTable, 'create', input),
    order_id: making.id,
    business_id: business.id,
    customer_id: making.customerId,
    source: making.source,
    replaces: making.replaces,
    terms,
    address_terms,
    ...made,
  }
  return { at, by, to: 'NEW_ORDER', ...recorded(orderTable, 'create', values) }
}

async function customerOf(context: Context, { customer_id }: NewOrder): Promise<number | undefined> {
  const account = accountOf(context)
  if (account.role === 'customer') return account.id
  if (customer_id === undefined) return undefined
  if (!(await isOwnCustomer(context, customer_id)))
    throw new EngineError('customer_not_found', { customer: customer_id })
  return customer_id
}

/** What somebody else's timeline is found by cannot be the number of an order: it would write into that timeline. */
async function refuseTracked(context: Context, number: string): Promise<void> {
  if (await context.ports.orders.isTracked(context, number)) throw new EngineError('tracking_number_taken', { number })
}

async function claimed(context: Context, trackingNumber: string, order_id: number): Promise<Append> {
  const [stream, ...former] = numberStreams(trackingNumber)
  for (const name of [stream, ...former])
    if ((await context.store.last(name)) !== undefined)
      throw new EngineError('tracking_number_taken', { number: trackingNumber })
  const fact: OrderNumberTaken = { type: 'OrderNumberTaken', data: { order_id } }
  return { stream, events: [toNewEvent(context)(fact)], expected: 'no-stream' }
}

/**
 * A tracking number: the id, ten random digits, and a check digit (weights 3 and 1 from the right, like GS1 keys).
 * Nobody can guess it, because everybody who has the number may track the parcel.
 */
function madeNumber({ randomId }: Pick<Context, 'randomId'>, id: number): string {
  const chance = Number.parseInt(sha256(randomId()).slice(0, 12), 16) % 10_000_000_000
  const digits = `${String(id).padStart(6, '0')}${String(chance).padStart(10, '0')}`
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0)
  return `LD${digits}${(10 - (sum % 10)) % 10}`
}
