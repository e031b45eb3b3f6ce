import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { isNothing, sumOf } from '../../kernel/money.ts'
import { present } from '../../kernel/present.ts'
import { priceOf } from '../../kernel/prices.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { Party } from './events.ts'
import { keptPrice, remainingOf, totalOf } from './money.ts'
import type { Order } from './state.ts'
import { type Status, statuses, statusForCustomer } from './status.ts'

const text = v.exactOptional(v.string())
const id = v.exactOptional(v.number())
const statusName = v.picklist(Object.keys(statuses) as [Status, ...Status[]])

const partyRecord = v.strictObject({
  name: v.string(),
  phone: text,
  email: text,
  address: v.strictObject({
    street: v.string(),
    locality: text,
    region: text,
    postal_code: text,
    country: text,
    latitude: id,
    longitude: id,
  }),
})

const summaryEntries = {
  order_id: v.number(),
  tracking_number: v.string(),
  external_tracking_number: text,
  reference: text,
  type: v.picklist(['D', 'P', 'P2P']),
  status: statusName,
  order_status_id: v.number(),
}

/** What answers of writes tell of an order: numbers and status, and nothing of people. */
export const orderSummary = v.strictObject(summaryEntries)

/** A price of an order. */
export const priceText = priceOf('local_delivery', v.string())

const price = v.exactOptional(priceText)

const priceEntries = {
  shipping_price: price,
  price_details: v.exactOptional(
    priceOf(
      'local_delivery',
      v.strictObject({
        shipping_price: priceText,
        tax_amount: priceText,
        surcharge_amount: priceText,
        total_price: priceText,
      }),
    ),
  ),
  currency: price,
  tax: price,
  surcharges: v.exactOptional(
    priceOf('local_delivery', v.array(v.strictObject({ name: v.string(), surcharge_amount: priceText }))),
  ),
  paid_amount: price,
  remaining_amount: price,
  refunded_amount: price,
}

/** An order as it is read: times in the time zone of its business; what hides prices leaves out its price members. */
export const orderRecord = v.strictObject({
  ...summaryEntries,
  customer_id: id,
  driver_id: id,
  broker_id: id,
  route_id: id,
  stop: id,
  provider: text,
  schedule_date: text,
  time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
  items: v.number(),
  pickup: v.exactOptional(partyRecord),
  delivery: v.exactOptional(partyRecord),
  delivery_instruction: text,
  note: v.exactOptional(v.pipe(v.string(), v.description('The internal note, for staff alone.'))),
  ...priceEntries,
  replaces: id,
  replaced_by: id,
  ready_at: text,
  created_at: v.string(),
  updated_at: v.string(),
  personal_data_erased: v.exactOptional(v.literal(true)),
})

/** The record of an order. */
export type OrderRecord = v.InferOutput<typeof orderRecord>

/** The summary of an order. */
export type OrderSummary = v.InferOutput<typeof orderSummary>

/** Whether an account works for the business. */
export function isStaff(context: Pick<Context, 'caller'>): boolean {
  return ['client_admin', 'client_employee'].includes(accountOf(context).role)
}

/** The status as the caller is told it. */
export function statusFor({ caller }: Pick<Context, 'caller'>, status: Status): Status {
  return caller.account?.role === 'customer' ? statusForCustomer(status) : status
}

/** What an answer of a write tells of an order. */
export function summaryOf(order: Order, context: Pick<Context, 'caller'>): OrderSummary {
  const status = statusFor(context, order.status)
  return {
    order_id: order.order_id,
    tracking_number: order.tracking_number,
    ...present({ external_tracking_number: order.external_tracking_number, reference: order.reference }),
    type: order.type,
    status,
    order_status_id: statuses[status].id,
  }
}

/**
 * The record of an order for the caller: the internal note for staff, prices for staff and the customer, and for a customer
 * nothing of who carries it.
 */
export function recordOf(order: Order, context: Pick<Context, 'caller'>): OrderRecord {
  const { role, business } = accountOf(context)
  const inZone = (instant: string) => zonedIso(Date.parse(instant), business.timeZone)
  return {
    ...summaryOf(order, context),
    ...present({
      customer_id: order.customer_id,
      ...(role === 'customer' ? {} : carriageOf(order)),
      schedule_date: order.schedule_date,
      time_window: order.time_window,
    }),
    items: order.items,
    ...present({
      pickup: order.pickup && partyOf(order.pickup),
      delivery: order.delivery && partyOf(order.delivery),
      delivery_instruction: order.delivery_instruction,
      note: isStaff(context) ? order.note : undefined,
    }),
    ...(isStaff(context) || role === 'customer' ? pricesOf(order) : {}),
    ...present({
      replaces: order.replaces,
      replaced_by: order.replaced_by,
      ready_at: order.ready_at === undefined ? undefined : inZone(order.ready_at),
    }),
    created_at: inZone(order.created_at),
    updated_at: inZone(order.updated_at),
    ...(order.isErased ? { personal_data_erased: true } : {}),
  }
}

/** Who carries it, and on which route: what a customer is not told, since it is told the same whoever does. */
function carriageOf({ driver_id, broker_id, route_id, stop, provider }: Order) {
  return { driver_id, broker_id, route_id, stop, provider }
}

function partyOf({ address, ...party }: Party): v.InferOutput<typeof partyRecord> {
  return { ...party, address: { ...address } }
}

function pricesOf({ price, paid, refunded }: Order) {
  if (price === undefined) return {}
  const { shipping_price, currency, tax, surcharges = [] } = keptPrice(price)
  return {
    shipping_price,
    price_details: {
      shipping_price,
      tax_amount: tax ?? '0.00',
      surcharge_amount: sumOf(surcharges.map(({ surcharge_amount }) => surcharge_amount)),
      total_price: totalOf(price),
    },
    currency,
    ...present({ tax }),
    ...(surcharges.length === 0 ? {} : { surcharges: surcharges.map((surcharge) => ({ ...surcharge })) }),
    paid_amount: paid,
    remaining_amount: remainingOf(price, paid),
    ...(isNothing(refunded) ? {} : { refunded_amount: refunded }),
  }
}
