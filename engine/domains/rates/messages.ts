import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Rates. */
export const rateMessages = {
  not_found: {
    no_price_list: 'There is no such price list.',
  },
  conflict: {
    rate_invalid: 'There is no such rate. Ask for a new quote.',
    rate_expired: 'This rate has expired. Ask for a new quote.',
  },
  value: {
    currency_of_business: 'The currency of the business is {expected}.',
    not_a_price_code: 'Expected lower-case letters, digits, hyphens and underscores, for example same-day.',
    not_a_postal_prefix: 'Expected the beginning of postal codes in capital letters and digits, for example M5V.',
    not_a_percentage: 'Expected a percentage as decimal text, for example 8.25.',
    amount_or_percent: 'Either an amount or a percentage is needed, and not both.',
    steps_not_rising: 'Each step must be for more weight than the one before, and must not cost less.',
    items_differ: 'The number of items is not that of the parcels.',
    service_not_for_type: 'This service does not take orders of type {type}.',
    service_not_valid: 'This service is not offered on {day}.',
    address_not_served: 'This service does not go to this address.',
    parcel_too_heavy: 'A parcel counts as {received} g; this service takes up to {limit} g.',
    region_required: 'Taxes depend on the region. Give it, or a postal code that tells it.',
    region_differs: 'The postal code is not one of {received}, and taxes depend on the region.',
    rate_differs: 'The rate was quoted for “{expected}”, not for “{received}”. Ask for a new quote.',
  },
} as const satisfies Catalogue

/** A code of rates. */
export type RateCode = CodeOf<typeof rateMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RateCode, 'rates'> {}
}
