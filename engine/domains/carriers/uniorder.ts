import * as v from 'valibot'
import { customerFor } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { ownFleetName, type Shipment, shipmentEntries } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { atOtherPaths } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { word } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { accountsOfBusiness, type CarrierAccount } from './account.ts'
import { type Asking, customerEntry, waitEntry } from './asking.ts'
import { customsMissing, customsMissingEntry, offeredRate, offersOf, rateOf, rateRecord, unanswered } from './offers.ts'
import { contentsOf } from './own-fleet.ts'

const common = {
  scopes: ['uniorder:read'],
  roles: [...staff, 'customer'],
  risk: 'low',
  tag: 'Uniorder',
} as const

const entries = {
  quote_labels: v.exactOptional(
    v.pipe(v.boolean(), v.description('Whether every carrier of the business is asked, too; no where absent.')),
  ),
  ...customerEntry,
  ...waitEntry,
}

const rate = named(
  'UniorderRate',
  v.variant('kind', [rateOf('self_delivery', 'local_delivery'), ...offeredRate.options]),
)

/** The members of an answer with the rates of a shipment. */
export const ratesEntries = {
  rates: v.pipe(
    v.array(rate),
    v.description('Those of the price list of the business, and then those of carriers, each cheapest first.'),
  ),
  unanswered: v.pipe(
    v.array(unanswered),
    v.description('The carriers that refused, failed or did not answer in time.'),
  ),
  ...customsMissingEntry,
}

/** Quotes a shipment: delivered by the business itself, and by carriers. */
export const uniorderRate = operation({
  ...common,
  name: 'uniorder_rate',
  summary: 'What a shipment costs if the business delivers it itself, and with quote_labels with every carrier.',
  mcp: {
    title: 'Quote a shipment',
    hint: 'The kind of a rate says how it is booked: self_delivery is an order, label a label.',
  },
  rest: { method: 'POST', path: '/api/v1/uniorder/rate' },
  ids: { customer_id: 'rule' },
  input: v.strictObject({ ...shipmentEntries, ...entries }),
  output: v.strictObject({ result: v.literal(true), ...ratesEntries }),
  errors: ['customer_not_found', 'region_required', 'region_differs'],
  handle: async (context, { quote_labels, customer_id, wait_ms, ...shipment }) => ({
    result: true,
    ...(await ratesFor(context, shipment, omitUndefined({ quote_labels, customer_id, wait_ms }))),
  }),
})

/** The most shipments that carriers are asked about at once. */
const atOnce = 5

/** Quotes many shipments. */
export const uniorderRateBatch = operation({
  ...common,
  name: 'uniorder_rate_batch',
  summary: 'What up to 20 shipments cost, as uniorder_rate says for each.',
  mcp: { title: 'Quote many shipments' },
  rest: { method: 'POST', path: '/api/v1/uniorder/rate/batch' },
  ids: { customer_id: 'rule' },
  input: v.strictObject({
    shipments: v.pipe(
      v.array(v.strictObject({ reference: v.exactOptional(word(100)), ...shipmentEntries })),
      v.minLength(1),
      v.maxLength(20),
    ),
    ...entries,
  }),
  output: v.strictObject({
    result: v.literal(true),
    shipments: v.pipe(
      v.array(named('RatedShipment', v.strictObject({ reference: v.exactOptional(v.string()), ...ratesEntries }))),
      v.description('In the order in which they were asked.'),
    ),
  }),
  errors: ['customer_not_found', 'region_required', 'region_differs'],
  handle: async (context, { shipments, quote_labels, customer_id, wait_ms: wait }) => {
    const customerId = await customerFor(context, customer_id)
    const accounts = await labelAccounts(context, quote_labels)
    const answers: object[] = []
    for (let from = 0; from < shipments.length; from += atOnce) {
      const some = shipments.slice(from, from + atOnce).map(async ({ reference, ...shipment }, place) => ({
        ...omitUndefined({ reference }),
        ...(await ratesWith(context, accounts, shipment, { customerId, wait }).catch((error) => {
          throw atOtherPaths(error, (path) => `shipments[${from + place}].${path}`)
        })),
      }))
      answers.push(...(await Promise.all(some)))
    }
    return { result: true, shipments: answers }
  },
})

/**
 * What a shipment costs by the price list of the business and, with `quote_labels`, with its carriers. Refuses at `to` where taxes depend
 * on what it does not say.
 */
export async function ratesFor(
  context: Context,
  shipment: Shipment,
  { quote_labels, customer_id, wait_ms: wait }: AskedRates,
) {
  const customerId = await customerFor(context, customer_id)
  return ratesWith(context, await labelAccounts(context, quote_labels), shipment, { customerId, wait })
}

/** Whether carriers are asked, too, for which customer, and how long they are waited for. */
interface AskedRates {
  readonly quote_labels?: boolean
  readonly customer_id?: number
  readonly wait_ms?: number
}

/** The own fleet is not asked again: its rates are those of self delivery. */
async function labelAccounts(context: Context, areAsked = false): Promise<readonly CarrierAccount[]> {
  if (!areAsked) return []
  return (await accountsOfBusiness(context)).filter(({ carrier }) => carrier !== ownFleetName)
}

async function ratesWith(context: Context, accounts: readonly CarrierAccount[], shipment: Shipment, asking: Asking) {
  const own = await selfDelivery(context, shipment, asking)
  const { offered, unanswered } = await offersOf(context, accounts, shipment, asking)
  const labels = offered.map((one) => rateRecord(context, shipment, one))
  return { rates: [...own, ...labels], unanswered, ...(accounts.length > 0 && customsMissing(shipment)) }
}

async function selfDelivery(context: Context, shipment: Shipment, { customerId }: Asking) {
  const { timeZone } = accountOf(context).business
  const rates = await context.ports.carriers.ownRates(context, contentsOf(shipment), { customerId }).catch((error) => {
    throw atOtherPaths(error, (path) => path.replace(/^delivery\b/, 'to'))
  })
  return rates.map(({ rateId: rate_id, service, name, amount, currency, expires }) => ({
    ...{ kind: 'self_delivery' as const, rate_id, service, service_name: name },
    ...{ expires_at: zonedIso(expires, timeZone), currency, total_price: amount },
  }))
}
