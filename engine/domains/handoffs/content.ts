import * as v from 'valibot'
import { country, instant, placeEntries, text, word } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

const address = v.strictObject({
  street: word(200),
  locality: v.exactOptional(text(100)),
  region: v.exactOptional(text(100)),
  postal_code: v.exactOptional(text(20)),
  country: v.exactOptional(v.pipe(country, v.description('ISO 3166-1 alpha-2.'))),
  ...placeEntries,
})

const contact = v.strictObject({
  name: word(100),
  phone: v.exactOptional(v.pipe(word(40), v.description('With its country prefix where it is known.'))),
  email: v.exactOptional(word(254)),
  address,
})

const item = v.strictObject({
  description: word(200),
  quantity: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9_999)),
  weight_grams: v.exactOptional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000), v.description('Of one of them.')),
  ),
})

const items = v.pipe(v.array(item), v.minLength(1), v.maxLength(100))

/** When the order is to be delivered. */
export const windowSchema = v.pipe(
  v.strictObject({ from: instant, to: instant }),
  v.description('When it is to be delivered; RFC 3339 with an offset.'),
)

const pickup = v.pipe(contact, v.description('Where it is fetched; the business knows where absent.'))

/** The content of an order as a partner offers it. */
export const orderContent = v.strictObject({
  pickup: v.exactOptional(pickup),
  delivery: v.pipe(contact, v.description('To whom it is brought.')),
  items,
  instructions: v.exactOptional(text(500)),
  window: v.exactOptional(windowSchema),
})

/** A change of the content; what is named takes the place of what was there. */
export const contentChanges = v.strictObject({
  pickup: v.exactOptional(pickup),
  delivery: v.exactOptional(contact),
  items: v.exactOptional(items),
  instructions: v.exactOptional(text(500)),
  window: v.exactOptional(windowSchema),
})

/** The content of an order, or a part of it, as it is asked for. */
export type Content = v.InferOutput<typeof contentChanges>

/** When an order is to be delivered: ISO 8601, UTC. */
export type Window = v.InferOutput<typeof windowSchema>

/** What the content tells of people. */
export type Details = Omit<Content, 'window'>

/** Content as facts have it: instants in UTC, and what it tells of people by itself. */
export function factsOf({ window, ...personal }: Content): { readonly window?: Window; readonly personal?: Details } {
  return {
    ...(window === undefined ? {} : { window: { from: utcOf(window.from), to: utcOf(window.to) } }),
    ...(Object.keys(personal).length === 0 ? {} : { personal }),
  }
}

/** An instant as facts have it: UTC, milliseconds; and so in order as text. */
export function utcOf(text: string): string {
  return isoOf(instantOf(text))
}
