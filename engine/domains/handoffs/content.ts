import * as v from 'valibot'
import { everybody } from '../../entity/field.ts'
import { named } from '../../kernel/named.ts'
import { addressEntries, addressed } from '../../kernel/places/address.ts'
import { instant, text, word } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to staff and partners. */
export const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'none',
  setBy: everybody,
  shownTo: everybody,
} as const

/** Something about a person. */
const personal = { ...shown, personal: true } as const

/** A note is left out if there is none, and after an erasure. */
export const note = {
  ...personal,
  about: 'Note for the other side. Missing where there is none, and once it was erased.',
  type: text(500),
  example: 'The street is closed.',
  webhooks: 'all',
} as const

/** An instant as events record it: UTC with milliseconds, and so in order as text. */
export function utcOf(text: string): string {
  return isoOf(instantOf(text))
}

const address = named('Address', addressed(v.strictObject(addressEntries)))

const contact = named(
  'HandoffParty',
  v.strictObject({
    name: word(100),
    phone: v.exactOptional(v.pipe(word(40), v.description('With its country prefix where it is known.'))),
    email: v.exactOptional(word(254)),
    address,
  }),
)

const item = named(
  'Item',
  v.strictObject({
    description: word(200),
    quantity: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9_999)),
    weight_grams: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000), v.description('Of one of them.')),
    ),
  }),
)

const window = named('DeliveryWindow', v.strictObject({ from: instant, to: instant }))

/** When the order is to be delivered. */
export type Window = v.InferOutput<typeof window>

const example = { name: 'Ann Lee', address: { street: 'Main St 1' } }

/** The content of an order: where it goes, and its items. */
export const content = {
  pickup: {
    ...personal,
    about: 'Where the order is picked up; the business knows where absent.',
    type: contact,
    example,
  },
  delivery: { ...personal, about: 'Who receives the order.', type: contact, example },
  items: {
    ...personal,
    about: 'What the order consists of.',
    type: v.pipe(v.array(item), v.minLength(1), v.maxLength(100)),
    example: [{ description: 'Sofa', quantity: 1 }],
  },
  instructions: { ...personal, about: 'Instructions for the delivery.', type: text(500), example: 'Ring twice' },
  window: {
    ...shown,
    about: 'When the order is to be delivered; RFC 3339 with an offset.',
    type: window,
    input: { type: window, stored: ({ from, to }: Window) => ({ from: utcOf(from), to: utcOf(to) }) },
    example: { from: '2026-06-11T07:00:00.000Z', to: '2026-06-11T09:00:00.000Z' },
    missing: 'left out',
  },
} as const
