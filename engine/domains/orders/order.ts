import * as v from 'valibot'
import { everybody, type Fields, nobody, type Table, type View } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { offlineEffects, offlineFields, offlinePayments } from '../../entity/paying.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { type CarrierReport, carrierReport } from '../../kernel/carrier-report.ts'
import { isNothing, lessOf, type Money, printedAmount, sumOf } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import { day, distinct, id, identifier, tag, text, word } from '../../kernel/schemas.ts'
import { timeWindow } from '../../kernel/time-window.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { keptPrice, type Owing, remainingOf, totalOf } from './money.ts'
import { moves } from './moves.ts'
import { type Declined, everyProvider, type Pool, pool, ruleVersion } from './pool.ts'
import { amount, orderType, originalPrice, type Price, party, price, storedPrice, sum, taxLine } from './schema.ts'
import { type Status, statuses, statusForCustomer } from './status.ts'

/** The most tags of an order. */
export const maxTags = 10

const notCustomers = everybody.filter((reader) => reader !== 'customer')

/** Not a price and not personal; visible to everybody who sees the order, and carried by a reroute. */
const fact = {
  personal: false,
  price: 'none',
  setBy: everybody,
  carried: true,
  shownTo: everybody,
  listed: 'column',
  webhooks: 'none',
} as const

/** A fact that the engine sets as the order goes on. The order of a reroute starts without it. */
const progress = { ...fact, setBy: nobody, carried: false } as const

/** Who carries the order. Customers see the same value in any case. */
const carriage = { ...progress, shownTo: notCustomers } as const

/** Something about a person: sealed in the store, and erased. Answers leave it out then. */
const personal = { ...fact, personal: true, listed: 'no' } as const

/** A part of the price, computed from `price`, `paid` and `refunded`. */
const cost = {
  ...fact,
  price: 'local_delivery',
  set: {},
  setBy: nobody,
  carried: false,
  shownTo: [...staff, 'customer'],
  listed: 'no',
} as const

/** The fields that the parts of the price are computed from. */
interface Paying extends Owing {
  readonly refunded: string
  readonly waived: string
}

interface Refunding extends Money {
  readonly waived?: true
}

const zoned = (instant: string | undefined, { timeZone }: View) =>
  instant === undefined ? undefined : zonedIso(Date.parse(instant), timeZone)

const statusFor = (status: Status, { reader }: View) => (reader === 'customer' ? statusForCustomer(status) : status)

const instant = v.pipe(v.string(), v.maxLength(40))

/** As much of an event as says whether it changed the status, and on whose word. */
interface Moving {
  readonly at: string
  readonly from?: unknown
  readonly to?: unknown
  readonly reported?: CarrierReport
}

interface Decided {
  readonly last_report?: string
  readonly decided_at?: string
}

interface Declining {
  readonly declined?: Declined
  readonly pool?: Pool
}

function declinedBy({ declined = [] }: Declining, ...more: Declined): Declined {
  return [...new Set([...declined, ...more])]
}

function declinedAfter(reason: string, before: Declining): Declined | undefined {
  const { broker_ids = [], provider = '' } = before.pool ?? {}
  if (reason === 'time_out') return declinedBy(before, ...broker_ids)
  if (reason === 'self_delivery') return declinedBy(before, everyProvider)
  return reason === 'withdrawn' ? declinedBy(before, provider) : before.declined
}

const statusNames = Object.keys(statuses) as [Status, ...Status[]]
const statusIds = Object.values(statuses).map((status) => status.id)

/** The terms of a correction that changes people; those before where it changes none. */
function keptTerms(name: 'terms' | 'address_terms') {
  type Terms = { readonly [Name in typeof name]?: readonly string[] }
  return ({ personal }: { readonly personal?: Terms }, before: Terms) => personal?.[name] ?? before[name]
}

const thirdParty = 'For the business alone; a customer does not see what another carrier costs.'

/** The fields of an order. */
const fields = {
  order_id: {
    ...fact,
    about: 'Id of the order.',
    type: id,
    example: 42,
    set: { create: 'engine' },
    carried: false,
    webhooks: 'all',
  },
  family: {
    ...progress,
    about: 'Its order family: that of orders which the business delivers, or gives to a carrier.',
    type: v.literal(localDelivery),
    example: localDelivery,
    set: {},
    of: () => localDelivery,
    always: true,
    listed: 'no',
  },
  business_id: {
    ...progress,
    about: 'Id of the business that takes the order.',
    type: id,
    example: 1,
    set: { create: 'engine', correct: 'repeated' },
    shownTo: nobody,
  },
  tracking_number: {
    ...fact,
    about: 'No other order has it. Made where absent; only staff may give one.',
    type: identifier(60),
    example: 'LD00004200000000017',
    set: { create: 'defaulted' },
    setBy: staff,
    carried: false,
    webhooks: 'all',
  },
  external_tracking_number: {
    ...fact,
    about: 'Tracking number of another carrier or system.',
    type: identifier(100),
    example: '1Z999AA10123456784',
    set: { create: 'optional' },
    webhooks: 'all',
    webhookAs: {
      name: 'external_tracking_number',
      type: v.nullable(text(100)),
      of: ({ external_tracking_number: number }: { external_tracking_number?: string }) => number ?? null,
      always: true,
    },
  },
  reference: {
    ...fact,
    about: 'The sender’s own name for the order.',
    type: identifier(100),
    example: 'PO-1001',
    set: { create: 'optional', correct: 'kept' },
    webhooks: 'all',
    webhookAs: {
      name: 'order_ref',
      type: v.pipe(v.nullable(text(100)), v.description('The sender’s own name for the order.')),
      of: ({ reference }: { reference?: string }) => reference ?? null,
      always: true,
    },
  },
  shop_id: {
    ...fact,
    about: 'The shop that it was ordered in, which is sent what happens to the parcel.',
    type: id,
    example: 3,
    set: { create: 'optional' },
    setBy: staff,
    shownTo: staff,
    listed: 'no',
    names: 'rule',
  },
  shop_order: {
    ...fact,
    about: 'The id of the order in that shop.',
    type: identifier(60),
    example: '450789469',
    set: { create: 'optional' },
    setBy: staff,
    shownTo: staff,
    listed: 'no',
  },
  type: {
    ...fact,
    about: 'D: delivery, P: pickup, P2P: from one peer to another.',
    type: orderType,
    example: 'D',
    set: { create: 'required' },
    webhooks: 'all',
  },
  status: {
    ...progress,
    about: 'Status of the order. A customer sees WITH_CARRIER as ON_THE_WAY and DELIVERED_BY_CARRIER as DELIVERED.',
    type: v.picklist(statusNames),
    example: 'ASSIGNED',
    set: {},
    of: ({ status }: { status: Status }, view) => statusFor(status, view),
    listed: 'no',
    webhooks: 'all',
    webhookAs: {
      name: 'status',
      type: v.pipe(v.picklist(statusIds), v.description('Customers see 29 for 33, and 2 for 43.')),
      of: ({ status }: { status: Status }, view) => statuses[statusFor(status, view)].id,
      always: true,
    },
  },
  order_status_id: {
    ...progress,
    about: 'The status by its number.',
    type: v.picklist(statusIds),
    example: 5,
    set: {},
    always: true,
    of: ({ status }: { status: Status }, view) => statuses[statusFor(status, view)].id,
    listed: 'no',
    webhooks: 'all',
    webhookAs: {
      name: 'status_name',
      type: v.picklist(statusNames),
      of: ({ status }: { status: Status }, view) => statusFor(status, view),
      always: true,
    },
  },
  customer_id: {
    ...fact,
    about: 'Account of the customer whose order it is. Only staff may give it; a customer orders for itself.',
    type: id,
    example: 7,
    set: { create: 'optional', correct: 'repeated' },
    setBy: staff,
    // The rule of rerouting keeps the customer, no matter who reroutes the order.
    carried: false,
    webhooks: 'all',
    names: 'rule',
  },
  driver_id: {
    ...carriage,
    about: 'The driver who has the order. A customer does not see it.',
    type: id,
    example: 12,
    set: { assign: 'engine', unassign: 'cleared', reject: 'cleared' },
    webhooks: 'all',
  },
  broker_id: {
    ...carriage,
    about: 'The contractor who has the order.',
    type: id,
    example: 31,
    set: { assign_contractor: 'engine', revoke_contractor: 'cleared', release_contractor: 'cleared' },
  },
  assignment_id: {
    ...carriage,
    about: 'The assignment by which the contractor has it.',
    type: id,
    example: 8,
    set: { assign_contractor: 'engine', revoke_contractor: 'cleared', release_contractor: 'cleared' },
    shownTo: nobody,
  },
  route_id: {
    ...carriage,
    about: 'The route that the order is on.',
    type: id,
    example: 3,
    set: { plan: 'engine', take_off_route: 'cleared' },
  },
  stop: {
    ...carriage,
    about: 'Its stop on that route, from 1.',
    type: id,
    example: 4,
    set: { plan: 'engine', take_off_route: 'cleared' },
  },
  provider: {
    ...carriage,
    about: 'The third-party carrier that has the order. A customer never sees it.',
    type: text(60),
    example: 'postal',
    set: { hand_to_carrier: 'engine', carry_on: 'engine', take_back: 'cleared' },
    webhooks: 'all',
  },
  reported_by: {
    ...carriage,
    about:
      'The carrier that reports on its parcel, though nobody has given it the order; missing once somebody has the order.',
    type: text(100),
    example: 'postal',
    set: {
      note_report: 'engine',
      assign: 'cleared',
      assign_contractor: 'cleared',
      hand_to_carrier: 'cleared',
      hold: 'cleared',
      cancel: 'cleared',
      plan: 'cleared',
    },
    shownTo: staff,
  },
  contradicting: {
    ...carriage,
    about:
      'The carriers that report what cannot have happened to one parcel: another parcel may have its number; missing if there are none.',
    type: text(210),
    example: 'postal, swift',
    set: { note_contradiction: 'engine', end_contradiction: 'cleared' },
    shownTo: staff,
  },
  reported: {
    ...carriage,
    about: 'The report of its carrier that last moved it; missing where a person did.',
    type: carrierReport,
    example: {
      ...{ provider: 'postal', event_id: 'e1', status_code: 'delivered' },
      ...{ occurred_at: '2026-06-10T16:00:00.000Z', position: '0000000000000042' },
    },
    set: {
      hand_to_carrier: 'sometimes',
      carry_on: 'sometimes',
      fail: 'sometimes',
      return: 'sometimes',
      take_back: 'sometimes',
      carrier_delivered: 'sometimes',
    },
    shownTo: nobody,
    listed: 'no',
  },
  last_report: {
    ...carriage,
    about: 'The position of the last report of a carrier that moved it.',
    type: text(60),
    example: '0000000000000042',
    set: {
      '*': { of: ({ reported }: Moving, { last_report }: Decided) => reported?.position ?? last_report },
    },
    shownTo: nobody,
    listed: 'no',
  },
  decided_at: {
    ...carriage,
    about: 'When somebody last changed its status, and no report of a carrier did: ISO 8601, UTC.',
    type: instant,
    example: '2026-06-10T16:00:00.000Z',
    set: {
      '*': {
        of: ({ at, from, to, reported }: Moving, { decided_at }: Decided) =>
          to === undefined || from === to || reported !== undefined ? decided_at : at,
      },
    },
    shownTo: nobody,
    listed: 'no',
  },
  assignment_rule: {
    ...carriage,
    about: 'The assignment rule, in its version, by which the driver, the contractor or the provider got it.',
    type: ruleVersion,
    example: { rule_id: 3, version: 2 },
    set: {
      assign: { of: ({ rule }: { rule?: unknown }) => rule },
      assign_contractor: { of: ({ rule }: { rule?: unknown }) => rule },
      pool: { of: ({ rules, provider }: Pool) => (provider === undefined ? undefined : rules[0]) },
      unassign: 'cleared',
      reject: 'cleared',
      revoke_contractor: 'cleared',
      release_contractor: 'cleared',
    },
    shownTo: staff,
    listed: 'no',
  },
  pool: {
    ...carriage,
    about: 'The assignment rules in whose pools it is, and whom they ask.',
    type: pool,
    example: { rules: [{ rule_id: 3, version: 2 }], broker_ids: [31, 32] },
    set: {
      pool: {
        of: ({ rules, broker_ids, provider, respond_by }: Pool) =>
          omitUndefined({ rules, broker_ids, provider, respond_by }),
      },
      refuse_offer: {
        of: ({ broker_id }: { broker_id: number }, { pool: before }: { pool?: Pool }) =>
          before && { ...before, broker_ids: before.broker_ids.filter((one) => one !== broker_id) },
      },
      leave_pool: 'cleared',
    },
    shownTo: nobody,
    listed: 'no',
  },
  declined: {
    ...carriage,
    about: 'Who has refused it or not answered since it last came back, and is not asked again; * for all providers.',
    type: v.array(v.union([id, v.string()])),
    example: [12],
    set: {
      reject: { of: ({ driver_id }: { driver_id: number }, before: Declining) => declinedBy(before, driver_id) },
      unassign: {
        of: (data: { reason: string; previous_driver_id: number }, before: Declining) =>
          data.reason === 'time_out' ? declinedBy(before, data.previous_driver_id) : before.declined,
      },
      refuse_offer: { of: (data: { broker_id: number }, before: Declining) => declinedBy(before, data.broker_id) },
      leave_pool: { of: ({ reason }: { reason: string }, before: Declining) => declinedAfter(reason, before) },
      release: 'cleared',
      take_back: 'cleared',
      revoke_contractor: 'cleared',
      release_contractor: 'cleared',
    },
    shownTo: nobody,
    listed: 'no',
  },
  respond_by: {
    ...carriage,
    about:
      'Until when the driver can accept it before another one is asked: ISO 8601, in the time zone of the business.',
    type: instant,
    example: '2026-06-10T09:05:00-04:00',
    set: {
      assign: { of: ({ respond_by }: { respond_by?: string }) => respond_by },
      pool: { of: ({ respond_by }: { respond_by?: string }) => respond_by },
      accept: 'cleared',
      reject: 'cleared',
      unassign: 'cleared',
      start_pickup: 'cleared',
      pick_up: 'cleared',
      leave_pool: 'cleared',
      plan: 'cleared',
    },
    of: ({ respond_by }: { respond_by?: string }, view) => zoned(respond_by, view),
  },
  tags: {
    ...fact,
    about: 'Words of the business by which assignment rules choose; only staff may give them.',
    type: v.pipe(v.array(tag), v.maxLength(maxTags), distinct<string>()),
    example: ['cold', 'fragile'],
    set: { create: 'optional', correct: 'kept' },
    setBy: staff,
    shownTo: [...staff, 'contractor'],
    listed: 'no',
  },
  schedule_date: {
    ...fact,
    about: 'YYYY-MM-DD, in the time zone of the business.',
    type: day,
    example: '2026-06-12',
    set: {
      create: 'optional',
      reschedule: { of: ({ to }: { to: { schedule_date?: string } }) => to.schedule_date },
    },
    webhooks: ['order.created', 'order.status_change'],
  },
  time_window: {
    ...fact,
    about: 'When on its day the order may be carried out, in the time zone of the business.',
    type: timeWindow,
    example: { start: '09:00', end: '12:00' },
    set: {
      create: 'optional',
      reschedule: { of: ({ to }: { to: { time_window?: unknown } }) => to.time_window },
    },
    listed: 'no',
    webhooks: ['order.created', 'order.status_change'],
  },
  items: {
    ...fact,
    about: 'Number of parcels; 1 where absent.',
    type: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(999)),
    example: 2,
    set: { create: 'defaulted', correct: 'kept' },
    webhooks: ['order.created', 'order.status_change'],
  },
  pickup: {
    ...personal,
    about: 'Who sends the order, and where it is picked up. It is missing once it was erased.',
    type: party,
    example: { name: 'Lee Shop', address: { street: '2 Dock Road', locality: 'Toronto', country: 'CA' } },
    set: { create: 'optional', correct: 'kept' },
    webhooks: ['order.created'],
  },
  delivery: {
    ...personal,
    about: 'Who receives the order, and where. It is missing once it was erased.',
    type: party,
    example: { name: 'Ann Lee', address: { street: '1 Main Street', locality: 'Toronto', country: 'CA' } },
    set: { create: 'optional', correct: 'kept' },
    webhooks: ['order.created'],
  },
  delivery_instruction: {
    ...personal,
    about: 'How the order is to be handed over. It is missing once it was erased.',
    type: text(500),
    example: 'Ring twice.',
    set: {
      create: 'optional',
      change_instruction: { of: (data: { personal?: { to: string } }) => data.personal?.to },
    },
    webhooks: ['order.created'],
  },
  note: {
    ...personal,
    about: 'Internal note; only staff write and read it.',
    type: text(500),
    example: 'Regular customer.',
    set: { create: 'optional', change_note: { of: (data: { personal?: { to: string } }) => data.personal?.to } },
    setBy: staff,
    shownTo: staff,
  },
  price: {
    ...fact,
    about: 'What the order costs. Only staff may give it.',
    type: storedPrice,
    input: { type: price, stored: keptPrice },
    example: {
      shipping_price: '12.50',
      currency: 'CAD',
      tax: '1.63',
      surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
    },
    price: 'local_delivery',
    set: { create: 'optional', change_price: { of: (data: { price: Price }) => data.price } },
    setBy: staff,
    shownTo: nobody,
    listed: 'no',
  },
  service: {
    ...fact,
    about: 'The service of the price list of the business that it was booked at.',
    type: word(40),
    example: 'same-day',
    set: { create: 'sometimes' },
    setBy: nobody,
    carried: false,
    listed: 'no',
  },
  callback: {
    ...progress,
    about: 'The owner of the callback that was given with it.',
    type: v.pipe(v.string(), v.maxLength(100)),
    example: 'callback.1.0d3b6a52-6d0e-4d1c-8f52-1f0f3f3c2a11',
    set: { create: 'sometimes' },
    shownTo: nobody,
    listed: 'no',
  },
  paid: {
    ...progress,
    about: 'Paid and not given back, in the currency of the price.',
    type: sum,
    example: '0.00',
    price: 'local_delivery',
    set: {
      create: { is: '0' },
      pay: { of: ({ amount, currency }: Money, { paid }: Paying) => sumOf([paid, amount], currency) },
      settle_offline: offlineEffects.paid,
      refund: { of: ({ amount, currency }: Money, { paid }: Paying) => lessOf(paid, amount, currency) },
    },
    shownTo: nobody,
    listed: 'no',
  },
  paid_offline: {
    ...progress,
    about: 'As much of it as was paid outside of this server.',
    type: sum,
    example: '0.00',
    price: 'local_delivery',
    set: { settle_offline: offlineEffects.paid_offline },
    shownTo: nobody,
    listed: 'no',
  },
  offline_payments: {
    ...progress,
    ...offlinePayments,
    price: 'local_delivery',
    set: { settle_offline: offlineEffects.offline_payments },
    shownTo: nobody,
    listed: 'no',
  },
  refunded: {
    ...progress,
    about: 'Given back to the customer, in the currency of the price.',
    type: sum,
    example: '0.00',
    price: 'local_delivery',
    set: {
      create: { is: '0' },
      refund: { of: ({ amount, currency }: Money, { refunded }: Paying) => sumOf([refunded, amount], currency) },
    },
    shownTo: nobody,
    listed: 'no',
  },
  waived: {
    ...progress,
    about: 'Given back by the staff since the price was set, and not to be paid again.',
    type: sum,
    example: '0.00',
    price: 'local_delivery',
    set: {
      create: { is: '0' },
      refund: {
        of: ({ amount, currency, waived: isWaived }: Refunding, { waived }: Paying) =>
          isWaived ? sumOf([waived, amount], currency) : waived,
      },
      change_price: { is: '0' },
    },
    shownTo: nobody,
    listed: 'no',
  },
  shipping_price: {
    ...cost,
    about: 'Price of the carriage.',
    type: amount,
    example: '12.50',
    of: (order: Paying) => order.price && keptPrice(order.price).shipping_price,
    webhooks: ['order.created', 'order.status_change'],
  },
  price_details: {
    ...cost,
    about: 'The price and its parts.',
    type: named(
      'OrderPriceDetails',
      v.strictObject({
        shipping_price: amount,
        tax_amount: amount,
        surcharge_amount: sum,
        total_price: sum,
      }),
    ),
    example: { shipping_price: '12.50', tax_amount: '1.63', surcharge_amount: '2.25', total_price: '16.38' },
    of: (order: Paying) => {
      if (order.price === undefined) return undefined
      const { shipping_price, currency, tax = '0', surcharges = [] } = keptPrice(order.price)
      const amounts = surcharges.map((one) => one.surcharge_amount)
      const surcharge_amount = sumOf(amounts, currency)
      return {
        shipping_price,
        tax_amount: printedAmount(tax, currency),
        surcharge_amount,
        total_price: totalOf(order.price),
      }
    },
    webhooks: ['order.created', 'order.status_change'],
    webhookAs: {
      name: 'price_details',
      type: v.strictObject({
        tax: price.entries.tax,
        surcharges: price.entries.surcharges,
        total_price: v.pipe(sum, v.description('Carriage, tax and surcharges.')),
        third_party_cost_plus: v.exactOptional(v.pipe(amount, v.description(thirdParty))),
        third_party_partial_delivery_deduction: v.exactOptional(v.pipe(amount, v.description(thirdParty))),
      }),
      of: (order: Paying, { reader }) => {
        if (order.price === undefined) return undefined
        const {
          shipping_price,
          currency,
          tax,
          surcharges,
          original_price: _,
          taxes: __,
          ...carriers
        } = keptPrice(order.price)
        const parts = { ...omitUndefined({ tax, surcharges }), total_price: totalOf(order.price) }
        return reader === 'customer' ? parts : { ...parts, ...carriers }
      },
    },
  },
  currency: {
    ...cost,
    about: 'Currency of the price: ISO 4217.',
    type: price.entries.currency,
    example: 'CAD',
    of: (order: Paying) => order.price?.currency,
    webhooks: ['order.created', 'order.status_change'],
  },
  original_price: {
    ...cost,
    about:
      'What the price was given as, if that was in another currency: it is converted at the rate of exchange of that day.',
    type: originalPrice,
    example: { currency: 'USD', total_price: '10.00', exchange_rate: '1.3725', exchange_rate_id: 1 },
    of: (order: Paying) => order.price?.original_price,
  },
  tax: {
    ...cost,
    about: 'Tax on the price.',
    type: amount,
    example: '1.63',
    of: (order: Paying) => order.price && keptPrice(order.price).tax,
  },
  taxes: {
    ...cost,
    about: 'The taxes in it by name and rate, and where they hold; missing where the tax was given as an amount.',
    type: v.array(taxLine),
    example: [{ name: 'HST', percent: '13', country: 'CA', region: 'ON', amount: '1.63' }],
    of: (order: Paying) => order.price && keptPrice(order.price).taxes,
  },
  surcharges: {
    ...cost,
    about: 'Surcharges on the price.',
    type: v.array(named('OrderSurcharge', v.strictObject({ name: v.string(), surcharge_amount: amount }))),
    example: [{ name: 'Heavy', surcharge_amount: '2.25' }],
    of: (order: Paying) => (order.price?.surcharges?.length ? keptPrice(order.price).surcharges : undefined),
  },
  paid_amount: {
    ...cost,
    about: 'Paid and not given back.',
    type: sum,
    example: '0.00',
    of: (order: Paying) => order.price && printedAmount(order.paid, order.price.currency),
  },
  remaining_amount: {
    ...cost,
    about: 'Still to be paid.',
    type: sum,
    example: '16.38',
    of: (order: Paying) => order.price && remainingOf(order),
  },
  refunded_amount: {
    ...cost,
    about: 'Given back; missing where nothing was.',
    type: sum,
    example: '5.00',
    of: (order: Paying) => (order.price === undefined || isNothing(order.refunded) ? undefined : order.refunded),
  },
  ...offlineFields('local_delivery', 'Order', ({ price }: Paying) => price?.currency),
  source: {
    ...progress,
    about: 'How the order came: by itself, in a batch, in an asynchronous batch, or in the place of a rerouted order.',
    type: v.picklist(['single', 'bulk', 'async', 'reroute']),
    example: 'single',
    set: { create: 'engine' },
    shownTo: nobody,
    listed: 'no',
    webhooks: ['order.created'],
  },
  replaces: {
    ...progress,
    about: 'The order in whose place it was created.',
    type: id,
    example: 41,
    set: { create: 'sometimes' },
    webhooks: ['order.created'],
  },
  replaced_by: {
    ...progress,
    about: 'The order that took its place.',
    type: id,
    example: 43,
    set: { cancel: 'sometimes' },
    webhooks: ['order.cancelled'],
  },
  ready_at: {
    ...progress,
    about: 'When it was marked ready for pickup: ISO 8601, in the time zone of the business.',
    type: instant,
    example: '2026-06-10T09:00:00-04:00',
    set: { mark_ready: 'now' },
    of: ({ ready_at }: { ready_at?: string }, view) => zoned(ready_at, view),
    listed: 'no',
  },
  created_at: {
    ...progress,
    about: 'When it was created: ISO 8601, in the time zone of the business.',
    type: instant,
    example: '2026-06-10T08:00:00-04:00',
    set: { create: 'now' },
    of: ({ created_at }: { created_at: string }, view) => zoned(created_at, view),
  },
  updated_at: {
    ...progress,
    about: 'When it last changed: ISO 8601, in the time zone of the business.',
    type: instant,
    example: '2026-06-10T08:30:00-04:00',
    set: { create: 'now', '*': 'now' },
    of: ({ updated_at }: { updated_at: string }, view) => zoned(updated_at, view),
  },
  is_deleted: {
    ...progress,
    about: 'Whether it was deleted. Nobody finds a deleted order.',
    type: v.boolean(),
    example: false,
    set: { create: { is: false }, delete: { is: true } },
    shownTo: nobody,
    listed: 'key',
  },
  personal_data_erased: {
    ...progress,
    about: 'Whether its personal data was erased; missing until then.',
    type: v.literal(true),
    example: true,
    set: {},
    of: ({ isErased }: { isErased: boolean }) => isErased || undefined,
    listed: 'no',
  },
  terms: {
    ...personal,
    about: 'Blinded words of names and digits of phone numbers, for searching.',
    type: v.array(v.string()),
    example: [],
    set: { create: 'sometimes', correct: { of: keptTerms('terms') } },
    setBy: nobody,
    carried: false,
    shownTo: nobody,
  },
  address_terms: {
    ...personal,
    about: 'Blinded words and postal codes of addresses, for searching.',
    type: v.array(v.string()),
    example: [],
    set: { create: 'sometimes', correct: { of: keptTerms('address_terms') } },
    setBy: nobody,
    carried: false,
    shownTo: nobody,
  },
} as const satisfies Fields<keyof typeof moves>

/**
 * Staff see the orders of their business, and a customer, a contractor and a driver those that they have. Nobody sees a deleted
 * one.
 */
const access = ownedByCells((context) => {
  const { id, role, business } = accountOf(context)
  const own = { business_id: business.id, is_deleted: 0 }
  switch (role) {
    case 'client_admin':
    case 'client_employee':
      return own
    case 'customer':
      return { ...own, customer_id: id }
    case 'contractor':
      return { ...own, broker_id: id }
    case 'driver':
      return { ...own, driver_id: id }
  }
})

/** An order: who is to carry what from where to where. */
export const orderTable = {
  category: 'order',
  noun: 'order',
  id: 'order_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  recordsStatus: true,
  access,
  refusals: { missing: 'order_not_found', forbidden: 'order_status_forbids', param: 'order' },
} as const satisfies Table
