import type { Domain } from '../../kernel/domain.ts'
import { rateMessages } from './messages.ts'
import { getPriceList, publishPriceList, quoteDelivery } from './operations.ts'

/** What deliveries cost: the price lists of a business, and rates that orders are booked at. */
export const ratesDomain: Domain = {
  name: 'rates',
  messages: [rateMessages],
  events: { price_list: ['PriceListPublished'] },
  operations: [getPriceList, publishPriceList, quoteDelivery],
}
