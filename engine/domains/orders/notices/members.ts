import * as v from 'valibot'
import type { Reader } from '../../../kernel/notice.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { priceOf } from '../../../kernel/prices.ts'
import { day, id, text } from '../../../kernel/schemas.ts'
import { keptPrice, totalOf } from '../money.ts'
import type { Price } from '../schema.ts'
import { amount, orderType, price, timeWindow } from '../schema.ts'
import type { Order } from '../state.ts'
import { type Status, statuses, statusForCustomer } from '../status.ts'

/** A status by its id. */
export const statusId = v.picklist(Object.values(statuses).map((status) => status.id))

/** A status by its name. */
export const statusName = v.picklist(Object.keys(statuses) as [Status, ...Status[]])

/** What every notice of an order tells of it, as it stood when it happened. */
export const orderMembers = {
  order_id: id,
  order_ref: v.pipe(v.nullable(text(100)), v.description('What the sender calls the order.')),
  tracking_number: text(60),
  external_tracking_number: v.nullable(text(100)),
  type: orderType,
  status: v.pipe(statusId, v.description('33 and 43 are told a customer as 29 and 2.')),
  status_name: statusName,
  customer_id: v.exactOptional(v.pipe(id, v.description('Account of the customer whose order it is.'))),
  driver_id: v.exactOptional(v.pipe(id, v.description('The driver who has it. A customer is not told.'))),
  provider: v.exactOptional(
    v.pipe(text(60), v.description('The third-party carrier that has it. A customer is never told.')),
  ),
}

const orderSchema = v.strictObject(orderMembers)

/** An order as an example of `orderMembers`. */
export const exampleOrder = {
  order_id: 42,
  order_ref: 'PO-1001',
  tracking_number: 'LD00004200000000017',
  external_tracking_number: null,
  type: 'D',
  status: 5,
  status_name: 'ASSIGNED',
  customer_id: 7,
} as const

/** The status as a reader is told it: a customer the same whoever carries the shipment. */
export function statusFor(reader: Reader, status: Status): Status {
  return reader === 'customer' ? statusForCustomer(status) : status
}

/** What every notice tells a reader of an order; a customer nothing of who carries it, as over REST. */
export function membersOf(order: Order, reader: Reader): v.InferOutput<typeof orderSchema> {
  const name = statusFor(reader, order.status)
  return {
    order_id: order.order_id,
    order_ref: order.reference ?? null,
    tracking_number: order.tracking_number,
    external_tracking_number: order.external_tracking_number ?? null,
    type: order.type,
    status: statuses[name].id,
    status_name: name,
    ...omitUndefined({
      customer_id: order.customer_id,
      ...(reader === 'customer' ? {} : { driver_id: order.driver_id, provider: order.provider }),
    }),
  }
}

const forBusiness = 'For the business alone; a customer is not told what another carrier costs.'

const sum = priceOf(
  'local_delivery',
  v.pipe(v.string(), v.maxLength(20), v.regex(/^(0|[1-9]\d*)\.\d\d$/), v.description('Carriage, tax and surcharges.')),
)

/** What is to be carried, when, and for how much. Prices are left out for a customer from whom they are hidden. */
export const detailMembers = {
  items: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Parcels.')),
  schedule_date: v.exactOptional(v.pipe(day, v.description('YYYY-MM-DD, in the time zone of the business.'))),
  time_window: v.exactOptional(timeWindow),
  shipping_price: v.exactOptional(amount),
  currency: v.exactOptional(price.entries.currency),
  price_details: v.exactOptional(
    priceOf(
      'local_delivery',
      v.strictObject({
        tax: price.entries.tax,
        surcharges: price.entries.surcharges,
        total_price: sum,
        third_party_cost_plus: v.exactOptional(v.pipe(amount, v.description(forBusiness))),
        third_party_partial_delivery_deduction: v.exactOptional(v.pipe(amount, v.description(forBusiness))),
      }),
    ),
  ),
}

const detailSchema = v.strictObject(detailMembers)

/** Some details as an example of `detailMembers`. */
export const exampleDetails = {
  items: 2,
  schedule_date: '2026-06-12',
  time_window: { start: '09:00', end: '12:00' },
  shipping_price: '12.50',
  currency: 'CAD',
  price_details: {
    tax: '1.63',
    surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
    total_price: '16.38',
  },
} as const

/** What a reader is told of what is to be carried, when, and for how much. */
export function detailsOf(order: Order, reader: Reader): v.InferOutput<typeof detailSchema> {
  return {
    items: order.items,
    ...omitUndefined({
      schedule_date: order.schedule_date,
      time_window: order.time_window && { ...order.time_window },
    }),
    ...(order.price === undefined ? {} : pricesOf(order.price, reader)),
  }
}

function pricesOf(given: Price, reader: Reader) {
  const { shipping_price, currency, tax, surcharges, ...thirdParty } = keptPrice(given)
  return {
    shipping_price,
    currency,
    price_details: {
      ...omitUndefined({ tax, surcharges: surcharges?.map((surcharge) => ({ ...surcharge })) }),
      total_price: totalOf(given),
      ...(reader === 'customer' ? {} : thirdParty),
    },
  }
}
