import * as v from 'valibot'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { amountText, compareAmounts, currencyCode, percentText, precisionFindings } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import { country } from '../../kernel/places/countries.ts'
import { day, distinct, id, placeEntries, postalPrefix, refusingMember, word } from '../../kernel/schemas.ts'

const count = (limit: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(limit))
const code = v.pipe(word(40), v.regex(/^[a-z0-9][a-z0-9_-]*$/, 'not_a_price_code' satisfies Code))

/** An amount of a price list, which only staff read. */
const amount = v.pipe(amountText, v.maxLength(12))

const zone = named(
  'PriceZone',
  v.strictObject({
    code,
    name: v.exactOptional(word(100)),
    countries: v.exactOptional(v.pipe(v.array(country), v.maxLength(250), distinct<string>())),
    postal_codes: v.exactOptional(
      v.pipe(
        v.array(postalPrefix),
        v.maxLength(200),
        distinct<string>(),
        v.description('Beginnings of postal codes, in capitals and without spaces.'),
      ),
    ),
    up_to_km: v.exactOptional(
      v.pipe(count(20_000), v.description('Distance in a straight line; both places need coordinates.')),
    ),
  }),
)

const step = named(
  'PriceStep',
  v.strictObject({
    up_to_grams: v.pipe(count(100_000_000), v.description('The chargeable weight of a parcel up to which it holds.')),
    price: amount,
  }),
)

const service = named(
  'Tariff',
  v.strictObject({
    code,
    name: word(100),
    types: v.exactOptional(
      v.pipe(v.array(v.picklist(['D', 'P', 'P2P'])), v.minLength(1), distinct<'D' | 'P' | 'P2P'>()),
    ),
    valid_from: v.exactOptional(day),
    valid_until: v.exactOptional(v.pipe(day, v.description('The last day, in the time zone of the business.'))),
    volumetric_divisor: v.exactOptional(
      v.pipe(count(100_000), v.description('Cubic centimetres a kilogram; sizes do not count where absent.')),
    ),
    minimum: v.exactOptional(v.pipe(amount, v.description('What the carriage costs at least.'))),
    prices: v.pipe(
      v.array(v.strictObject({ zone: code, steps: v.pipe(v.array(step), v.minLength(1), v.maxLength(20)) })),
      v.minLength(1),
      v.maxLength(100),
      v.description('For each zone, what a parcel costs by its weight.'),
    ),
  }),
)

const condition = named(
  'SurchargeCondition',
  v.strictObject({
    services: v.exactOptional(v.pipe(v.array(code), v.minLength(1), v.maxLength(10))),
    zones: v.exactOptional(v.pipe(v.array(code), v.minLength(1), v.maxLength(100))),
    over_grams: v.exactOptional(v.pipe(count(100_000_000), v.description('A parcel is heavier.'))),
    over_cm: v.exactOptional(v.pipe(count(10_000), v.description('The longest side of a parcel is longer.'))),
    residential: v.exactOptional(v.boolean()),
    cash_on_delivery: v.exactOptional(v.boolean()),
  }),
)

const surcharge = named(
  'Surcharge',
  v.pipe(
    v.strictObject({
      code,
      name: word(100),
      amount: v.exactOptional(amount),
      per: v.exactOptional(
        v.pipe(v.picklist(['order', 'parcel']), v.description('What an amount is for; the order where absent.')),
      ),
      percent: v.exactOptional(v.pipe(percentText, v.description('Of the carriage.'))),
      when: v.exactOptional(v.pipe(condition, v.description('All of it must hold; it always applies where absent.'))),
    }),
    refusingMember(({ amount, percent }) =>
      (amount === undefined) === (percent === undefined) ? ['amount', 'amount_or_percent'] : undefined,
    ),
  ),
)

const discount = named(
  'Discount',
  v.strictObject({
    name: word(100),
    percent: v.pipe(percentText, v.description('Of the carriage.')),
    customers: v.pipe(v.array(id), v.minLength(1), v.maxLength(1000), distinct<number>()),
  }),
)

const tax = named(
  'Tax',
  v.strictObject({
    name: word(100),
    percent: v.pipe(percentText, v.description('Of carriage and surcharges.')),
    countries: v.exactOptional(v.pipe(v.array(country), v.minLength(1), v.maxLength(250))),
    regions: v.exactOptional(v.pipe(v.array(word(100)), v.minLength(1), v.maxLength(100))),
  }),
)

/** What the deliveries of a business cost. */
export const priceList = named(
  'PriceList',
  v.strictObject({
    currency: currencyCode,
    origin: v.exactOptional(
      v.pipe(
        v.strictObject({ latitude: placeEntries.latitude.wrapped, longitude: placeEntries.longitude.wrapped }),
        v.description('Where parcels start or end whose order names no place for it.'),
      ),
    ),
    zones: v.pipe(
      v.array(zone),
      v.minLength(1),
      v.maxLength(100),
      v.description('The first one that an address fits is its zone; one without conditions fits every address.'),
    ),
    services: v.pipe(v.array(service), v.minLength(1), v.maxLength(10)),
    default_service: v.exactOptional(
      v.pipe(code, v.description('By which orders of customers are priced that name no rate.')),
    ),
    surcharges: v.exactOptional(v.pipe(v.array(surcharge), v.maxLength(20))),
    discounts: v.exactOptional(v.pipe(v.array(discount), v.maxLength(50))),
    taxes: v.exactOptional(v.pipe(v.array(tax), v.maxLength(50))),
  }),
)

/** What the deliveries of a business cost. */
export type PriceList = v.InferOutput<typeof priceList>

/** A service of a price list. */
export type Tariff = PriceList['services'][number]

/** A surcharge of a price list. */
export type Surcharge = NonNullable<PriceList['surcharges']>[number]

/** What is wrong with a list that its schema allows: names without a meaning, and steps out of order. */
export function listFindings(list: PriceList): readonly Finding[] {
  const zones = new Set(codesOf(list.zones))
  const services = new Set(codesOf(list.services))
  return [
    ...repeated('zones', codesOf(list.zones)),
    ...repeated('services', codesOf(list.services)),
    ...repeated('surcharges', codesOf(list.surcharges ?? [])),
    ...amountsOf(list).flatMap(([path, amount]) => precisionFindings(path, amount, list.currency)),
    ...list.services.flatMap((one, index) => serviceFindings(one, pathTo('services', index), zones)),
    ...(list.default_service === undefined ? [] : unknownIn(services, [list.default_service], () => 'default_service')),
    ...(list.surcharges ?? []).flatMap(({ when = {} }, index) => [
      ...unknownIn(zones, when.zones ?? [], (at) => pathTo(`${pathTo('surcharges', index)}.when.zones`, at)),
      ...unknownIn(services, when.services ?? [], (at) => pathTo(`${pathTo('surcharges', index)}.when.services`, at)),
    ]),
  ]
}

/** Every amount of a list with its path. */
function amountsOf({ services, surcharges = [] }: PriceList): readonly (readonly [string, string | undefined])[] {
  const ofServices = services.flatMap(({ minimum, prices }, index) => {
    const path = pathTo('services', index)
    const steps = prices.flatMap(({ steps }, row) =>
      steps.map(({ price }, at) => [`${pathTo(`${pathTo(`${path}.prices`, row)}.steps`, at)}.price`, price] as const),
    )
    return [[`${path}.minimum`, minimum] as const, ...steps]
  })
  return [...ofServices, ...surcharges.map(({ amount }, at) => [`${pathTo('surcharges', at)}.amount`, amount] as const)]
}

function codesOf(rows: readonly { readonly code: string }[]): readonly string[] {
  return rows.map(({ code }) => code)
}

function serviceFindings(
  { prices, valid_from, valid_until }: Tariff,
  path: string,
  zones: ReadonlySet<string>,
): readonly Finding[] {
  const priced = prices.map(({ zone }) => zone)
  const isOver = valid_from !== undefined && valid_until !== undefined && valid_until < valid_from
  return [
    ...(isOver ? [{ path: pathTo(path, 'valid_until'), code: 'ends_before_start' } as const] : []),
    ...repeated(pathTo(path, 'prices'), priced, 'zone'),
    ...unknownIn(zones, priced, (at) => pathTo(pathTo(pathTo(path, 'prices'), at), 'zone')),
    ...prices.flatMap(({ steps }, row) =>
      steps.flatMap(({ up_to_grams, price }, at): readonly Finding[] => {
        const before = steps[at - 1]
        if (before === undefined) return []
        const of = pathTo(pathTo(pathTo(pathTo(path, 'prices'), row), 'steps'), at)
        if (up_to_grams <= before.up_to_grams) return [{ path: pathTo(of, 'up_to_grams'), code: 'steps_not_rising' }]
        const isCheaper = compareAmounts(price, before.price) < 0
        return isCheaper ? [{ path: pathTo(of, 'price'), code: 'steps_not_rising' }] : []
      }),
    ),
  ]
}

function repeated(path: string, names: readonly string[], member = 'code'): readonly Finding[] {
  return names.flatMap((name, index): readonly Finding[] =>
    names.indexOf(name) === index ? [] : [{ path: pathTo(pathTo(path, index), member), code: 'not_unique' }],
  )
}

function unknownIn(
  known: ReadonlySet<string>,
  names: readonly string[],
  pathOf: (at: number) => string,
): readonly Finding[] {
  return names.flatMap((received, at): readonly Finding[] =>
    known.has(received)
      ? []
      : [
          {
            path: pathOf(at),
            code: 'unknown_value',
            params: { received, expected: [...known].slice(0, 20).join(', ') },
          },
        ],
  )
}
