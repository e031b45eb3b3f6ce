import * as v from 'valibot'
import { type Role, staff } from '../../kernel/account.ts'
import { type Shipment, shipmentEntries } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { accountsOfBusiness, type CarrierAccount } from './account.ts'
import {
  methodId,
  methodsOf,
  namedAccount,
  type Offers,
  offersEntries,
  offersOf,
  rateRecord,
  waitEntry,
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
    const methods = (await accountsOfBusiness(context)).map(async (account) =>
      (await methodsOf(context, account)).map(({ code, name }) => ({
        method_id: methodId(account, code),
        ...namedAccount(account),
        ...{ service: code, service_name: name },
      })),
    )
    return { result: true, methods: (await Promise.all(methods)).flat() }
  },
})

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
  ids: { method_id: 'rule' },
  input: v.strictObject({ method_id: word(80), ...shipmentEntries, ...waitEntry }),
  output: ratesAnswer,
  errors: ['shipping_method_not_found'],
  handle: async (context, { method_id, wait_ms, ...shipment }) => {
    const { account, service } = await methodNamed(context, method_id)
    const { offered, unanswered } = await offersOf(context, [account], shipment, wait_ms)
    const chosen = offered.filter(({ offer }) => offer.service === service)
    return answerOf(context, shipment, { offered: chosen, unanswered })
  },
})

async function methodNamed(context: Context, method: string) {
  const [, id = '', service = ''] = /^(\d{1,15})\.(.+)$/.exec(method) ?? []
  const account = (await accountsOfBusiness(context)).find((one) => one.id === Number(id))
  const methods = account === undefined ? [] : await methodsOf(context, account)
  // A carrier without a list has the ways of shipping that its offers name.
  const isKnown = methods.length === 0 || methods.some(({ code }) => code === service)
  if (account === undefined || !isKnown) throw new EngineError('shipping_method_not_found', { received: method })
  return { account, service }
}

/** Quotes all carriers of the business. */
export const compareAllCarriers = operation({
  name: 'compare_all_carriers',
  summary: 'What a shipment costs with every carrier of the business, cheapest first. All are asked at once.',
  scopes: ['labels:read'],
  roles: readers,
  risk: 'low',
  tag,
  mcp: {
    title: 'Compare all carriers',
    hint: 'A rate can be bought for an hour: give its rate_id to create_shipping_label.',
  },
  rest: { method: 'POST', path: '/api/v1/labelservice/compareAllCarriers' },
  input: v.strictObject({ ...shipmentEntries, ...waitEntry }),
  output: ratesAnswer,
  errors: [],
  handle: async (context, { wait_ms, ...shipment }) => {
    const accounts: readonly CarrierAccount[] = await accountsOfBusiness(context)
    return answerOf(context, shipment, await offersOf(context, accounts, shipment, wait_ms))
  },
})

function answerOf(context: Context, shipment: Shipment, { offered, unanswered }: Offers) {
  return { result: true, rates: offered.map((one) => rateRecord(context, shipment, one)), unanswered }
}
