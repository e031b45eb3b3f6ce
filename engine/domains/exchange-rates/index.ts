import type { Domain } from '../../entity/domain.ts'
import { exchangeRateEventShapes, exchangeRateModel } from './exchange-rate.ts'
import { exchangeRateMessages } from './messages.ts'
import { endExchangeRate, listExchangeRates, setExchangeRate } from './operations.ts'

export type { ExchangeRateCode } from './messages.ts'

/** Rates of exchange of businesses: dated facts, by which prices of carriers in other currencies can be booked. */
export const exchangeRatesDomain: Domain = {
  name: 'exchange-rates',
  messages: [exchangeRateMessages],
  events: { exchange_rate: exchangeRateEventShapes },
  readModels: [exchangeRateModel],
  operations: [setExchangeRate, listExchangeRates, endExchangeRate],
}
