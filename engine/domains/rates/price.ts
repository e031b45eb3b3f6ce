import { kilometresBetween } from '../../kernel/distance.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { amountOf, percentOf, unitsOf } from '../../kernel/money.ts'
import { plainPostalCode } from '../../kernel/places/postal-codes.ts'
import { type Contents, deciding, type Parcel, parcelsOf } from './contents.ts'
import type { PriceList, Surcharge, Tariff } from './price-list.ts'
import { taxesDue } from './taxes.ts'

/** Who asks for a price, and when. */
interface Asking {
  readonly customerId: number | undefined
  /** The day of the delivery in the time zone of the business, `YYYY-MM-DD`. */
  readonly day: string
}

/** A part of a price, in units of money; a discount is negative. The parts add up to the total. */
export interface Line {
  readonly kind: 'carriage' | 'minimum' | 'discount' | 'surcharge' | 'tax'
  readonly name: string
  readonly units: bigint
  /** Of what it is this part, for a percentage. */
  readonly percent?: string
  /** Where a tax holds. */
  readonly place?: { readonly country: string; readonly region?: string }
  /** The chargeable weight of the parcel, for carriage. */
  readonly grams?: number
}

/** What a service costs. */
export interface Quote {
  readonly service: Tariff
  readonly zone: string
  readonly lines: readonly Line[]
}

/** Why a service is not offered. */
export interface NotOffered {
  readonly service: Tariff
  readonly code: Extract<Code, 'service_not_for_type' | 'service_not_valid' | 'address_not_served' | 'parcel_too_heavy'>
  readonly params: Readonly<Record<string, string | number>>
}

/**
 * The price of each service of a list, or why there is none. Every percentage is rounded by itself, half up to the smallest amount of
 * the currency. Refuses like `taxesDue`.
 */
export function quotesOf(list: PriceList, contents: Contents, asking: Asking): readonly (Quote | NotOffered)[] {
  const zone = zoneOf(list, contents)
  const parcels = parcelsOf(contents)
  return list.services.map((service) => quoteOf({ list, contents, parcels, asking, service, zone }))
}

/** Everything that a price depends on. */
interface Case {
  readonly list: PriceList
  readonly contents: Contents
  readonly parcels: readonly Parcel[]
  readonly asking: Asking
  readonly service: Tariff
  readonly zone: string | undefined
}

function quoteOf(one: Case): Quote | NotOffered {
  const { service, contents, parcels, asking, zone } = one
  const { types, valid_from = '', valid_until = '9999-12-31' } = service
  const refused = (code: NotOffered['code'], params: NotOffered['params']) => ({ service, code, params })
  if (types?.includes(contents.type) === false) return refused('service_not_for_type', { type: contents.type })
  if (asking.day < valid_from || asking.day > valid_until) return refused('service_not_valid', { day: asking.day })
  const row = service.prices.find((price) => price.zone === zone)
  if (zone === undefined || row === undefined) return refused('address_not_served', {})
  const carriage: Line[] = []
  for (const parcel of parcels) {
    const grams = chargeableGrams(parcel, service)
    const step = row.steps.find(({ up_to_grams }) => grams <= up_to_grams)
    if (step === undefined)
      return refused('parcel_too_heavy', { received: grams, limit: row.steps.at(-1)?.up_to_grams ?? 0 })
    carriage.push({ kind: 'carriage', name: service.name, units: unitsOf(step.price), grams })
  }
  return { service, zone, lines: withTaxes(one, withSurcharges({ ...one, zone }, withDiscounts(one, carriage))) }
}

function withDiscounts({ service, list, asking }: Case, lines: readonly Line[]): readonly Line[] {
  const missing = unitsOf(service.minimum ?? '0') - total(lines)
  const least: readonly Line[] = missing > 0n ? [{ kind: 'minimum', name: service.name, units: missing }] : []
  const carriage = [...lines, ...least]
  const own = list.discounts?.filter(({ customers }) => customers.includes(asking.customerId ?? 0)) ?? []
  let left = total(carriage)
  const discounts = own.map(({ name, percent }): Line => {
    const whole = percentOf(total(carriage), percent, list.currency)
    const rest = left - whole
    const units = rest < 0n ? left : whole
    left -= units
    return { kind: 'discount', name, percent, units: -units }
  })
  return [...carriage, ...discounts]
}

function withSurcharges(one: Case & { readonly zone: string }, lines: readonly Line[]): readonly Line[] {
  const carriage = total(lines)
  const surcharges = (one.list.surcharges ?? []).flatMap((surcharge): readonly Line[] => {
    const { name, amount, percent, per = 'order' } = surcharge
    if (!applies(surcharge, one)) return []
    if (percent !== undefined)
      return [{ kind: 'surcharge', name, percent, units: percentOf(carriage, percent, one.list.currency) }]
    const times = per === 'order' ? 1 : one.parcels.filter((parcel) => isMeant(surcharge, parcel, one.service)).length
    return [{ kind: 'surcharge', name, units: unitsOf(amount ?? '0') * BigInt(times) }]
  })
  return [...lines, ...surcharges]
}

function withTaxes({ list, contents }: Case, lines: readonly Line[]): readonly Line[] {
  const taxed = total(lines)
  const due = taxesDue(list.taxes ?? [], contents)
  return [
    ...lines,
    ...due.map(({ name, percent, place }): Line => {
      const units = percentOf(taxed, percent, list.currency)
      return { kind: 'tax', name, percent, units, ...(place && { place }) }
    }),
  ]
}

/** Whether a surcharge applies: each of its conditions holds, those about parcels for at least one parcel. */
function applies(
  surcharge: Surcharge,
  { contents, parcels, service, zone }: Case & { readonly zone: string },
): boolean {
  const { services, zones, residential, cash_on_delivery } = surcharge.when ?? {}
  if (services?.includes(service.code) === false || zones?.includes(zone) === false) return false
  if (residential !== undefined && residential !== (contents.residential ?? false)) return false
  if (cash_on_delivery !== undefined && cash_on_delivery !== (contents.cash_on_delivery ?? false)) return false
  return parcels.some((parcel) => isMeant(surcharge, parcel, service))
}

function isMeant({ when = {} }: Surcharge, parcel: Parcel, service: Tariff): boolean {
  const { length_cm = 0, width_cm = 0, height_cm = 0 } = parcel
  const { over_grams = -1, over_cm = -1 } = when
  return chargeableGrams(parcel, service) > over_grams && Math.max(length_cm, width_cm, height_cm) > over_cm
}

/** The weight that a parcel is priced by: its own, or that of its volume if that is more. */
function chargeableGrams(parcel: Parcel, { volumetric_divisor }: Tariff): number {
  const { weight_grams = 0, length_cm = 0, width_cm = 0, height_cm = 0 } = parcel
  if (volumetric_divisor === undefined) return weight_grams
  const volume = length_cm * width_cm * height_cm
  return Math.max(weight_grams, Math.ceil(Number(((volume * 1000) / volumetric_divisor).toFixed(6))))
}

/** The sum of lines, in units of money. */
export function total(lines: readonly Pick<Line, 'units'>[]): bigint {
  return lines.reduce((sum, { units }) => sum + units, 0n)
}

/** A price as orders keep it: the carriage after discounts, each surcharge, and all taxes together. */
export function priceOfQuote({ lines }: Pick<Quote, 'lines'>, currency: string) {
  const of = (...kinds: readonly Line['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind))
  const taxes = of('tax')
  const surcharges = of('surcharge').map(({ name, units }) => ({ name, surcharge_amount: amountOf(units, currency) }))
  return {
    shipping_price: amountOf(total(of('carriage', 'minimum', 'discount')), currency),
    currency,
    ...(taxes.length > 0 && {
      tax: amountOf(total(taxes), currency),
      taxes: taxes.map(({ name, percent = '0', place, units }) => ({
        name,
        percent,
        ...place,
        amount: amountOf(units, currency),
      })),
    }),
    ...(surcharges.length > 0 && { surcharges }),
  }
}

/** The first zone of a list that a delivery fits. */
export function zoneOf(
  { zones, origin }: PriceList,
  contents: Pick<Contents, 'type' | 'delivery' | 'pickup'>,
): string | undefined {
  const place = contents[deciding(contents)] ?? {}
  const postalCode = plainPostalCode(place.postal_code ?? '')
  const other = (contents.type === 'P' ? undefined : contents.pickup) ?? origin
  const distance = kilometresBetween(place, other)
  return zones.find(
    ({ countries, postal_codes, up_to_km }) =>
      countries?.includes(place.country ?? '') !== false &&
      postal_codes?.some((prefix) => postalCode.startsWith(prefix)) !== false &&
      (up_to_km === undefined || (distance !== undefined && distance <= up_to_km)),
  )?.code
}
