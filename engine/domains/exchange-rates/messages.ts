import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Rates of exchange. */
export const exchangeRateMessages = {
  not_found: {
    exchange_rate_not_found: 'There is no rate of exchange {exchange_rate}.',
  },
  value: {
    not_an_exchange_rate: 'Expected a rate above zero as decimal text with at most 12 decimals, for example 1.3725.',
    same_currency: 'This is the currency of the business, which needs no rate of exchange.',
  },
} as const satisfies Catalogue

/** A code of rates of exchange. */
export type ExchangeRateCode = CodeOf<typeof exchangeRateMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ExchangeRateCode, 'exchange-rates'> {}
}
