import * as v from 'valibot'
import type { Finding } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { country } from '../../kernel/places/countries.ts'
import { located, placed } from '../../kernel/places/place.ts'
import { plainPostalCode } from '../../kernel/places/postal-codes.ts'
import { comparison } from '../../kernel/rate-differences.ts'
import { day, placeEntries, refusingMember, text } from '../../kernel/schemas.ts'

const grams = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000))
const centimetres = v.pipe(v.number(), v.minValue(0.1), v.maxValue(10_000))

/** As much of an address as decides the price. An order's address has more. */
const place = named(
  'DeliveryPlace',
  placed(
    v.strictObject({
      locality: v.exactOptional(text(100)),
      region: v.exactOptional(text(100)),
      postal_code: v.exactOptional(text(20)),
      country: v.exactOptional(v.pipe(country, v.description('ISO 3166-1 alpha-2.'))),
      ...placeEntries,
    }),
  ),
)

const parcel = named(
  'DeliveryParcel',
  v.strictObject({
    weight_grams: v.exactOptional(grams),
    length_cm: v.exactOptional(centimetres),
    width_cm: v.exactOptional(centimetres),
    height_cm: v.exactOptional(centimetres),
  }),
)

/** What a delivery is priced by. */
export const contentsEntries = {
  type: v.pipe(v.picklist(['D', 'P', 'P2P']), v.description('D: delivery, P: pickup, P2P: from one peer to another.')),
  delivery: v.exactOptional(v.pipe(place, v.description('Where it goes to.'))),
  pickup: v.exactOptional(v.pipe(place, v.description('Where it comes from.'))),
  items: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(999),
      v.description('Number of parcels; 1 where absent.'),
    ),
  ),
  parcels: v.exactOptional(
    v.pipe(
      v.array(parcel),
      v.minLength(1),
      v.maxLength(20),
      v.description('One for each item. Parcels without a weight are priced as the lightest.'),
    ),
  ),
  schedule_date: v.exactOptional(
    v.pipe(day, v.description('YYYY-MM-DD, in the time zone of the business; today where absent.')),
  ),
  residential: v.exactOptional(v.boolean()),
  cash_on_delivery: v.exactOptional(v.boolean()),
}

/** What a delivery is priced by. */
export type Contents = v.InferOutput<v.StrictObjectSchema<typeof contentsEntries, undefined>>

/** Checks that the addresses are there that a delivery of its type has. */
export function checkPlaces<Asked extends Contents>() {
  return refusingMember<Asked>(({ type, delivery, pickup }) => {
    if (type !== 'P' && delivery === undefined) return ['delivery', 'required']
    return type !== 'D' && pickup === undefined ? ['pickup', 'required'] : undefined
  })
}

/** Checks that there is a parcel for each item. */
export function checkItems<Asked extends Contents>() {
  return refusingMember<Asked>(({ items, parcels }) =>
    items !== undefined && parcels !== undefined && items !== parcels.length ? ['items', 'items_differ'] : undefined,
  )
}

/** Part of an address. */
export type Place = v.InferOutput<typeof place>

/** A parcel as far as its price depends on it. */
export type Parcel = v.InferOutput<typeof parcel>

/** An address by road. */
type Addressed = Place & { readonly street: string; readonly street2?: string }

/** What an order says of its contents. */
export interface OrderContents {
  readonly type: Contents['type']
  readonly items?: number
  readonly delivery?: { readonly address: Addressed }
  readonly pickup?: { readonly address: Addressed }
  readonly schedule_date?: string
}

/** The parcels of a delivery; those that nobody described have neither weight nor size. */
export function parcelsOf({ parcels, items = 1 }: Pick<Contents, 'parcels' | 'items'>): readonly Parcel[] {
  return parcels ?? Array.from({ length: items }, () => ({}))
}

/** The contents of an order without what only a request for prices says. */
export function contentsOf({ type, items, delivery, pickup, schedule_date }: OrderContents): Contents {
  return {
    type,
    ...(items !== undefined && { items }),
    ...(delivery && { delivery: placeOf(delivery.address) }),
    ...(pickup && { pickup: placeOf(pickup.address) }),
    ...(schedule_date !== undefined && { schedule_date }),
  }
}

function placeOf({ street: _, street2: __, ...place }: Addressed): Place {
  return place
}

/** The end of a delivery that decides its zone and taxes: where it goes, or where it comes from if it is only fetched. */
export function deciding({ type }: Pick<Contents, 'type'>): 'delivery' | 'pickup' {
  return type === 'P' ? 'pickup' : 'delivery'
}

/** Members of a place. Of the end that does not decide, only the coordinates matter, for the distance. */
const coordinates = ['latitude', 'longitude'] as const
const placeMembers = ['country', 'region', 'postal_code', ...coordinates] as const

/**
 * The members in which an order differs from what was quoted, as of a day if the quote named none. What decides the price may
 * not be added either. A region is the same where the postal code tells it.
 */
export function differences(quoted: Contents, day: string, order: OrderContents): readonly Finding[] {
  const { found, compare } = comparison()
  compare('type', quoted.type, order.type)
  compare('items', parcelsOf(quoted).length, order.items ?? 1)
  if (quoted.schedule_date !== undefined) compare('schedule_date', quoted.schedule_date, order.schedule_date)
  else compare('schedule_date', day, order.schedule_date ?? day)
  for (const party of ['delivery', 'pickup'] as const) {
    const decides: readonly string[] = party === deciding(quoted) ? placeMembers : coordinates
    const [expected, received] = [quoted[party] ?? {}, order[party]?.address ?? {}]
    for (const member of placeMembers) {
      if (expected[member] === undefined && !decides.includes(member)) continue
      compare(`${party}.address.${member}`, comparable(member, expected), comparable(member, received))
    }
  }
  return found
}

function comparable(member: keyof Place, place: Place): string | number | undefined {
  if (member === 'postal_code') return place.postal_code && plainPostalCode(place.postal_code)
  return member === 'region' ? (located(place)[0]?.regions.join(' ') ?? place.region) : place[member]
}
