import type { Gives, Giving } from '../../entity/domain.ts'
import { placeOf } from './for-assignment-rules.ts'
import { ownMethods, ownRates } from './for-carriers.ts'
import { priceForOrder, rateTerms } from './for-orders.ts'
import { priceElsewhere } from './for-reroutes.ts'
import { rateMessages } from './messages.ts'
import { getPriceList, publishPriceList, quoteDelivery } from './operations.ts'
import { priceListEventShapes } from './published.ts'

export type { RateCode } from './messages.ts'
export { getPriceList } from './operations.ts'

/** What others get from here, by who needs it. */
const gives = {
  assignmentRules: { placeOf },
  carriers: { ownRates, ownMethods },
  orders: { priceElsewhere, priceFor: priceForOrder, rateTerms },
} satisfies Gives

/** What deliveries cost: the price lists of a business, and rates that orders are booked at. */
export const ratesDomain: Giving<typeof gives> = {
  gives,
  name: 'rates',
  messages: [rateMessages],
  events: { price_list: priceListEventShapes },
  operations: [getPriceList, publishPriceList, quoteDelivery],
}
