import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Carriers. */
export const carrierMessages = {
  not_found: {
    carrier_account_not_found: 'There is no carrier account {account}.',
    shipping_method_not_found: 'There is no way of shipping {received}.',
  },
  conflict: {
    too_many_carrier_accounts: 'A business has at most {limit} carrier accounts.',
    carrier_refused: 'The carrier refuses: {reason}',
    rate_currency_differs:
      'The rate is in {received}, but the business buys in {expected}. Set a rate of exchange, and ask for a new quote.',
  },
  unavailable: {
    carrier_timed_out: 'The carrier did not answer in time.',
    carrier_broken: 'The carrier could not answer.',
    carrier_wrong_answer: 'The carrier answered in a form that is not accepted.',
    carrier_too_busy: 'Too many questions wait for an answer of this carrier.',
  },
  value: {
    unknown_carrier: 'There is no carrier {received}. Carriers: {expected}.',
  },
} as const satisfies Catalogue

/** A code of carriers. */
export type CarrierCode = CodeOf<typeof carrierMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<CarrierCode, 'carriers'> {}
}
