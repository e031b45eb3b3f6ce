import type { Domain } from '../../entity/domain.ts'
import { rateMessages } from './messages.ts'
import { getPriceList, publishPriceList, quoteDelivery } from './operations.ts'
import { priceListEventShapes } from './published.ts'

export type { RateCode } from './messages.ts'

/** What deliveries cost: the price lists of a business, and rates that orders are booked at. */
export const ratesDomain: Domain = {
  name: 'rates',
  messages: [rateMessages],
  events: { price_list: priceListEventShapes },
  operations: [getPriceList, publishPriceList, quoteDelivery],
}
