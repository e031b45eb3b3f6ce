import * as v from 'valibot'
import { customerFor } from '../../entity/access.ts'
import { type Role, staff } from '../../kernel/account.ts'
import { type Shipment, shipmentEntries } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { accountsOfBusiness, type CarrierAccount } from './account.ts'
import { customerEntry, waitEntry } from './asking.ts'
import {
  customsMissing,
  methodId,
  methodsOf,
  namedAccount,
  type Offers,
  offersEntries,
  offersOf,
  rateRecord,
  soldAccounts,
} from './offers.ts'

const tag = 'LabelService'
const readers: readonly Role[] = [...staff, 'customer']

/** Lists the ways of shipping with all carriers of the business. */
export const getShippingMethods = operation({
  name: 'get_shipping_methods',
  summary: 'The carriers of the business and their ways of shipping, with ids.',
  scopes: ['labels:read'],
  roles: readers,
  risk: 'low',
  tag,
  mcp: { title: 'Ways of shipping', idempotent: true },
  rest: { method: 'GET', path: '/api/v1/labelservice/getShippingMethods' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    methods: v.array(
      named(
        'ShippingMethod',
        v.strictObject({
          method_id: v.pipe(v.string(), v.description('Give it to get_shipping_rate.')),
          carrier_account_id: v.number(),
          carrier: v.string(),
          carrier_name: v.string(),
          service: v.string(),
          service_name: v.string(),
        }),
      ),
    ),
  }),
  errors: [],
  handle: async (context) => {
    const customerId = await customerFor(context, undefined)
    const accounts = await soldAccounts(context, await accountsOfBusiness(context), customerId)
    const isSold = await soldServices(context, customerId)
    const methods = accounts.map(async (account) =>
      (await methodsOf(context, account)).filter(isSold(account)).map(({ code, name }) => ({
        method_id: methodId(account, code),
        ...namedAccount(account),
        ...{ service: code, service_name: name },
      })),
    )
    return { result: true, methods: (await Promise.all(methods)).flat() }
  },
})

/** Whether a customer may buy a service of an account; everything is for the business itself. */
async function soldServices(context: Context, customerId: number | undefined) {
  if (customerId === undefined) return () => () => true
  const { maySell } = await context.ports.carriers.markUpsOf(context)
  return ({ id: accountId }: CarrierAccount) =>
    ({ code: service }: { readonly code: string }) =>
      maySell({ customerId, accountId, service })
}

const ratesAnswer = named('ShippingRatesAnswer', v.strictObject({ result: v.literal(true), ...offersEntries }))

/** Quotes one way of shipping. */
export const getShippingRate = operation({
  name: 'get_shipping_rate',
  summary: 'What a shipment costs by one way of shipping. No label is bought.',
  scopes: ['labels:read'],
  roles: readers,
  risk: 'low',
  tag,
  mcp: { title: 'Quote a way of shipping', hint: 'get_shipping_methods has the method_id.' },
  rest: { method: 'POST', path: '/api/v1/labelservice/getShippingRate' },
  ids: { method_id: 'rule', customer_id: 'rule' },
  input: v.strictObject({ method_id: word(80), ...shipmentEntries, ...customerEntry, ...waitEntry }),
  output: ratesAnswer,
  errors: ['shipping_method_not_found', 'customer_not_found'],
  handle: async (context, { method_id, customer_id, wait_ms: wait, ...shipment }) => {
    const customerId = await customerFor(context, customer_id)
    const { account, service } = await methodNamed(context, method_id, customerId)
    const { offered, unanswered } = await offersOf(context, [account], shipment, { customerId, wait })
    const chosen = offered.filter(({ offer }) => offer.service === service)
    return answerOf(context, shipment, { offered: chosen, unanswered })
  },
})

async function methodNamed(context: Context, method: string, customerId: number | undefined) {
  const [, id = '', service = ''] = /^(\d{1,15})\.(.+)$/.exec(method) ?? []
  const accounts = await soldAccounts(context, await accountsOfBusiness(context), customerId)
  const isSold = await soldServices(context, customerId)
  const account = accounts.find((one) => one.id === Number(id) && isSold(one)({ code: service }))
  const methods = account === undefined ? [] : await methodsOf(context, account)
  // A carrier without a list has the ways of shipping that its offers name.
  const isKnown = methods.length === 0 || methods.some(({ code }) => code === service)
  if (account === undefined || !isKnown) throw new EngineError('shipping_method_not_found', { received: method })
  return { account, service }
}

/** Quotes all carriers of the business. */
export const compareAllCarriers = operation({
  name: 'compare_all_carriers',
  summary:
    'What a shipment costs with every carrier of the business, cheapest first. All are asked at once. Customers see what they may buy, at the price that they pay.',
  scopes: ['labels:read'],
  roles: readers,
  risk: 'low',
  tag,
  mcp: {
    title: 'Compare all carriers',
    hint: 'A rate can be bought for an hour: give its rate_id to create_shipping_label.',
  },
  rest: { method: 'POST', path: '/api/v1/labelservice/compareAllCarriers' },
  ids: { customer_id: 'rule' },
  input: v.strictObject({ ...shipmentEntries, ...customerEntry, ...waitEntry }),
  output: ratesAnswer,
  errors: ['customer_not_found'],
  handle: async (context, { customer_id, wait_ms: wait, ...shipment }) => {
    const customerId = await customerFor(context, customer_id)
    const accounts: readonly CarrierAccount[] = await accountsOfBusiness(context)
    return answerOf(context, shipment, await offersOf(context, accounts, shipment, { customerId, wait }))
  },
})

function answerOf(context: Context, shipment: Shipment, { offered, unanswered }: Offers) {
  return {
    result: true,
    rates: offered.map((one) => rateRecord(context, shipment, one)),
    unanswered,
    ...customsMissing(shipment),
  }
}
