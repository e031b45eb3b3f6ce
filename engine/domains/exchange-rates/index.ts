import type { Gives, Giving } from '../../entity/domain.ts'
import { exchangeFor, exchangeRateEventShapes, exchangeRateModel } from './exchange-rate.ts'
import { exchangeRateMessages } from './messages.ts'
import { endExchangeRate, listExchangeRates, setExchangeRate } from './operations.ts'

export type { ExchangeRateCode } from './messages.ts'
export { listExchangeRates } from './operations.ts'

/** What others get from here, by who needs it. */
const gives = {
  carriers: { exchangeFor },
  orders: { exchangeFor },
} satisfies Gives

/** Rates of exchange of businesses: dated facts, by which prices of carriers in other currencies can be booked. */
export const exchangeRatesDomain: Giving<typeof gives> = {
  gives,
  name: 'exchange-rates',
  messages: [exchangeRateMessages],
  events: { exchange_rate: exchangeRateEventShapes },
  readModels: [exchangeRateModel],
  operations: [setExchangeRate, listExchangeRates, endExchangeRate],
}
