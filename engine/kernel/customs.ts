import * as v from 'valibot'
import { amountOf, amountText, compareAmounts, currencyCode, isNothing, printedAmount, unitsOf } from './money.ts'
import { named } from './named.ts'
import { normalising } from './normalising.ts'
import { country } from './places/countries.ts'
import { stateOfImportShop } from './places/customs-areas.ts'
import { day, refusingMember, word } from './schemas.ts'

const count = (least: number, most: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

/** A text in capitals without spaces, dots and hyphens, if it then has the form. */
function compact(form: RegExp, code: 'not_an_hs_code' | 'not_an_eori' | 'not_an_ioss_number', limit = 30) {
  return v.pipe(
    word(limit),
    normalising<string>((text, refuse) => {
      const plain = text.replace(/[\s.\u2010-\u2015-]/g, '').toUpperCase()
      if (!form.test(plain) || (code === 'not_an_ioss_number' && stateOfImportShop(plain) === undefined))
        refuse(text, { code })
      return plain
    }),
  )
}

const eori = compact(/^[A-Z]{2}[A-Z0-9]{1,15}$/, 'not_an_eori')

/** Goods of one kind in a parcel. */
export const customsItem = named(
  'CustomsItem',
  v.pipe(
    v.strictObject({
      description: word(100),
      quantity: count(1, 99_999),
      unit_value: amountText,
      currency: currencyCode,
      weight_grams: v.pipe(count(1, 100_000_000), v.description('Net weight of one of them.')),
      hs_code: v.exactOptional(
        v.pipe(
          compact(/^\d{6,10}$/, 'not_an_hs_code'),
          v.description('Of the Harmonized System: 6 to 10 digits, with or without dots.'),
        ),
      ),
      origin_country: v.exactOptional(v.pipe(country, v.description('Where they were made (ISO 3166-1 alpha-2).'))),
      sku: v.exactOptional(word(35)),
    }),
    refusingMember(({ unit_value }) => (isNothing(unit_value) ? ['unit_value', 'no_value'] : undefined)),
  ),
)

/** The goods of a shipment, or of one of its parcels. */
export const customsItems = v.pipe(v.array(customsItem), v.minLength(1), v.maxLength(100))

/** What a shipment has in it, in the words of customs. */
export const contentsTypes = ['merchandise', 'gift', 'sample', 'documents', 'returned_goods', 'other'] as const

/** The rules of Incoterms 2020, but for DPU, which no interface of carriers has. */
export const incoterms = ['EXW', 'FCA', 'CPT', 'CIP', 'DAP', 'DDP', 'FAS', 'FOB', 'CFR', 'CIF'] as const

/** What a shipment declares to customs. */
export const customs = named(
  'Customs',
  v.pipe(
    v.strictObject({
      contents_type: v.exactOptional(v.picklist(contentsTypes)),
      contents_explanation: v.exactOptional(v.pipe(word(70), v.description('Needed for the contents other.'))),
      items: v.exactOptional(v.pipe(customsItems, v.description('All goods, unless each parcel has its own items.'))),
      incoterm: v.exactOptional(v.pipe(v.picklist(incoterms), v.description('Of Incoterms 2020.'))),
      sender_eori: v.exactOptional(eori),
      sender_vat_number: v.exactOptional(word(20)),
      ioss_number: v.exactOptional(
        v.pipe(
          compact(/^IM\d{10}$/, 'not_an_ioss_number'),
          v.description('Of the import one-stop shop of the European Union: for goods of up to 150 EUR.'),
        ),
      ),
      recipient_eori: v.exactOptional(eori),
      recipient_vat_number: v.exactOptional(word(20)),
      invoice_number: v.exactOptional(word(50)),
      invoice_date: v.exactOptional(day),
      signer: v.exactOptional(v.pipe(word(50), v.description('Who signs; the sender where absent.'))),
      non_delivery: v.exactOptional(
        v.pipe(
          v.picklist(['return', 'abandon']),
          v.description('What becomes of a parcel that cannot be delivered; return where absent.'),
        ),
      ),
    }),
    refusingMember(({ contents_type, contents_explanation }) =>
      contents_type === 'other' && contents_explanation === undefined
        ? ['contents_explanation', 'contents_unexplained']
        : undefined,
    ),
  ),
)

/** Goods of one kind in a parcel. */
export type CustomsItem = v.InferOutput<typeof customsItem>

/** What a shipment declares to customs. */
export type Customs = v.InferOutput<typeof customs>

/** A shipment, as far as its contents go. */
export interface Contained {
  readonly parcels: readonly { readonly weight_grams: number; readonly items?: readonly CustomsItem[] }[]
  readonly customs?: Customs
}

/** All goods of a shipment. */
export function itemsOf({ parcels, customs }: Contained): readonly CustomsItem[] {
  return customs?.items ?? parcels.flatMap(({ items = [] }) => items)
}

/**
 * What a CN22 is enough for, in units of a currency: a little less than 300 special drawing rights at the rates of the last years, so
 * that a form is never too small. In other currencies, a CN23 is taken, which is always enough.
 */
const cn22Limits: Readonly<Record<string, string>> = {
  ...{ EUR: '300', GBP: '270', USD: '350', CAD: '500', AUD: '500', NZD: '550', CHF: '300', JPY: '45000' },
  ...{ SEK: '3300', NOK: '3500', DKK: '2300', PLN: '1300', CZK: '7500', CNY: '2500', HKD: '2800', SGD: '480' },
}

/** The most that a parcel with a CN22 weighs, in grams, and the most kinds of goods that have room on it. */
const [cn22Grams, cn22Rows] = [2_000, 7]

/** Whether a CN22 is enough for goods in a parcel of a weight. */
export function isForCn22(items: readonly CustomsItem[], grams: number): boolean {
  const { amount, currency } = totalValueOf(items)
  const limit = cn22Limits[currency]
  return grams <= cn22Grams && items.length <= cn22Rows && limit !== undefined && compareAmounts(amount, limit) <= 0
}

/** What one of goods of a kind is worth, with the decimals of its currency. */
export function unitValueOf({ unit_value, currency }: Pick<CustomsItem, 'unit_value' | 'currency'>): string {
  return printedAmount(unit_value, currency)
}

/** What goods of a kind are worth together, in their currency. */
export function lineValueOf({ quantity, unit_value, currency }: CustomsItem): string {
  return amountOf(unitsOf(unit_value) * BigInt(quantity), currency)
}

/** What goods are worth together: the sum of their values to the smallest unit, in the currency that all of them have. */
export function totalValueOf(items: readonly CustomsItem[]): { readonly amount: string; readonly currency: string } {
  const currency = items[0]?.currency ?? ''
  const units = items.reduce((sum, item) => sum + unitsOf(lineValueOf(item)), 0n)
  return { amount: amountOf(units, currency), currency }
}

/** The net weight of goods, in grams. */
export function gramsOf(items: readonly CustomsItem[]): number {
  return items.reduce((sum, { quantity, weight_grams }) => sum + quantity * weight_grams, 0)
}
