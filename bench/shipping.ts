import { join } from 'node:path'
import { sandbox } from '../adapters/carriers/index.ts'
import type { Database } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import type { CarrierCall, CarrierOffer } from '../engine/index.ts'
import { type Ask, openBusiness } from './business.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'

const carriers = 10
const quotesARound = 1_000
const comparisonsARound = 200
const labelsARound = 300

/** Rates of the own price list and of ten carriers, and labels, each against a plain loop of the same answers. */
export const shipping: Topic = {
  name: 'shipping',
  summary: 'rates of the own price list and of ten carriers, and labels bought, against plain loops without an engine',
  unit: 'call',
  prepare,
}

const weights = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

const list = {
  currency: 'CAD',
  zones: [
    { code: 'near', countries: ['CA'], postal_codes: ['M5', 'M6'] },
    { code: 'country', countries: ['CA'] },
  ],
  services: ['standard', 'express', 'same-day'].map((code, place) => ({
    ...{ code, name: code, volumetric_divisor: 5_000 },
    prices: ['near', 'country'].map((zone, further) => ({
      zone,
      steps: weights.map((up_to_grams, step) => ({ up_to_grams, price: `${(place + 1) * 4 + further * 5 + step}.50` })),
    })),
  })),
  default_service: 'standard',
  surcharges: [{ code: 'fuel', name: 'Fuel', percent: '7.5' }],
  taxes: [{ name: 'HST', percent: '13', countries: ['CA'], regions: ['ON'] }],
}

const area = { postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }

const place = { name: 'Ann', street: '1 Main Street', ...area }

const parcelsOf = (index: number) => [{ weight_grams: 100 + ((index * 37) % 20_000) }]

const shipmentOf = (index: number) => ({ from: { ...place, name: 'Acme' }, to: place, parcels: parcelsOf(index) })

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  progress('opening a business')
  const store = createSqliteStore({ file: join(directory, 'shipping.db'), clock: Date.now })
  const { ask } = await openBusiness(store)
  await openCarriers(ask)
  const raw = openDatabase(join(directory, 'shipping-raw.db'))
  const [quotes, comparisons, bought] = [quotesARound, comparisonsARound, labelsARound].map((count) =>
    Math.max(1, Math.round(count * scale)),
  ) as [number, number, number]
  const cases = [
    running('rates of the price list', 'a plain loop over the price list', quotes, (index) =>
      ask('quote_delivery', { type: 'D', delivery: area, parcels: parcelsOf(index) }),
    ),
    running('a plain loop over the price list', undefined, quotes, plainQuote),
    running('rates of ten carriers', 'a plain loop over ten carriers', comparisons, (index) =>
      ask('compare_all_carriers', shipmentOf(index)),
    ),
    running('a plain loop over ten carriers', undefined, comparisons, plainComparison),
    ...labelCases(ask, raw, bought),
  ]
  const note =
    `A price list of three services, two zones and ${weights.length} steps; ${carriers} accounts of the sandbox carrier. The ` +
    'plain loops find the same prices, check no input, seal no rate and keep no audit; the one that buys labels asks the ' +
    'same carrier and inserts one row a label, each with a commit of its own. Buying a label records what was asked for, who ' +
    'asks the carrier, and what was bought, in three commits, so that a crash neither buys twice nor loses a label.'
  const close = async () => {
    raw.close()
    await store.close()
  }
  return { cases, notes: [note], close }
}

/** Publishes the price list, and opens the accounts at carriers. */
async function openCarriers(ask: Ask): Promise<void> {
  await ask('publish_price_list', { price_list: list })
  for (let index = 0; index < carriers; index++)
    await ask('add_carrier_account', {
      carrier: 'sandbox',
      name: `Sandbox ${index}`,
      credentials: { account: `A${index}` },
    })
}

function running(name: string, reference: string | undefined, count: number, act: (index: number) => unknown): Case {
  let at = 0
  return {
    name,
    ...(reference !== undefined && { reference }),
    run: () =>
      measured(count, async () => {
        for (let index = 0; index < count; index++) await act(at++)
      }),
  }
}

/** The prices of all services for a delivery in the first zone: its step, then fuel, then tax. */
function plainQuote(index: number) {
  const [{ weight_grams: grams }] = parcelsOf(index) as [{ weight_grams: number }]
  const found = list.services.flatMap(({ code, prices }) => {
    const zone = list.zones.find(({ postal_codes }) =>
      postal_codes?.some((start) => area.postal_code.startsWith(start)),
    )
    const steps = prices.find((one) => one.zone === zone?.code)?.steps
    const price = steps?.find(({ up_to_grams }) => grams <= up_to_grams)?.price
    if (price === undefined) return []
    const carriage = Math.round(Number(price) * 100)
    const fuel = Math.round(carriage * 0.075)
    const tax = Math.round((carriage + fuel) * 0.13)
    return [{ code, lines: { carriage, fuel, tax }, total: carriage + fuel + tax }]
  })
  return JSON.stringify(found.sort((one, other) => one.total - other.total))
}

const sandboxCall = (index: number): CarrierCall<{ readonly account: string }> => ({
  credentials: { account: `A${index}` },
  currency: 'CAD',
  signal: AbortSignal.timeout(5_000),
  now: Date.now(),
})

async function plainComparison(index: number) {
  const shipment = shipmentOf(index)
  const answers = await Promise.all(
    Array.from({ length: carriers }, (_, account) => sandbox.rate(shipment, sandboxCall(account))),
  )
  const offers = answers.flatMap((answer) => ('rates' in answer ? answer.rates : []))
  return JSON.stringify([...offers].sort((one, other) => Number(one.amount) - Number(other.amount)))
}

/** Labels bought one after another, at rates that are there: by the engine, and at the same carrier with one row each. */
function labelCases(ask: Ask, raw: Database, count: number): readonly Case[] {
  const reference = 'the carrier alone, and one row'
  raw.exec('CREATE TABLE labels (id INTEGER PRIMARY KEY, label TEXT NOT NULL) STRICT')
  const insert = raw.prepare('INSERT INTO labels (label) VALUES (?)')
  const buying = (
    name: string,
    rated: (index: number) => Promise<() => Promise<unknown>>,
    more: Partial<Case> = {},
  ) => {
    let at = 0
    const run = async () => {
      const purchases: (() => Promise<unknown>)[] = []
      while (purchases.length < count) purchases.push(await rated(at++))
      return measured(count, async () => {
        for (const buy of purchases) await buy()
      })
    }
    return { name, ...more, run }
  }
  const byEngine = async (index: number) => {
    const shipment = shipmentOf(index)
    const { rates } = (await ask('compare_all_carriers', shipment)) as {
      readonly rates: readonly { rate_id: string }[]
    }
    return async () => {
      const { status } = await ask('create_shipping_label', { ...shipment, rate_id: rates[0]?.rate_id })
      if (status !== 'LABEL_PURCHASED') throw new Error(`A label is ${status}.`)
    }
  }
  const plainly = async (index: number) => {
    const shipment = shipmentOf(index)
    const answer = await sandbox.rate(shipment, sandboxCall(0))
    const [offer] = 'rates' in answer ? (answer.rates as readonly CarrierOffer[]) : []
    if (offer === undefined) throw new Error('The carrier has no rate.')
    const { service, amount, currency, reference } = offer
    const terms = { service, amount, currency, ...(reference !== undefined && { reference }) }
    return async () => {
      const purchase = { ...shipment, ...terms, key: String(index), asked_at: new Date().toISOString() }
      insert.run(JSON.stringify(await sandbox.buy(purchase, sandboxCall(0))))
    }
  }
  return [buying('labels', byEngine, { reference }), buying(reference, plainly)]
}
