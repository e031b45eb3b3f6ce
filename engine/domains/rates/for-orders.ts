import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { compareParcels, comparison } from '../../kernel/rate-differences.ts'
import { dayIn } from '../../kernel/zone.ts'
import { contentsOf, differences, type OrderContents, type Parcel, parcelsOf } from './contents.ts'
import { priceOfQuote, type quotesOf } from './price.ts'
import type { PriceList } from './price-list.ts'
import { publishedList } from './published.ts'
import { quotesForOrder } from './quotes-for-order.ts'
import { type Ticket, ticketOf } from './rate-id.ts'

/** An order that is to be priced. */
interface Pricing {
  /** The rate that was chosen. */
  readonly rateId: string | undefined
  /** The customer whose order it is. */
  readonly customerId: number | undefined
  readonly order: OrderContents
}

/**
 * The price of an order and its service: those of the chosen rate, or for the order of a customer those of the default service. Nothing if
 * the business has no price list or default service, or the default service is not offered there. Refuses a rate with
 * `rate_invalid` or `rate_expired`, and with `invalid_input` and `rate_differs` at each member that was not quoted so.
 */
export async function priceForOrder(context: Context, { rateId, customerId, order }: Pricing) {
  const { business } = accountOf(context)
  if (rateId !== undefined) {
    const ticket = validTicket(context, rateId, customerId)
    refuseOtherContents(ticket, order)
    const published = await publishedList(context, business.id, ticket.version)
    if (published === undefined) throw new EngineError('rate_invalid')
    return priceOf(published.list, ticket.service, ticket.contents, { customerId, day: ticket.day })
  }
  if (customerId === undefined) return undefined
  const published = await publishedList(context, business.id)
  const service = published?.list.default_service
  if (published === undefined || service === undefined) return undefined
  const day = order.schedule_date ?? dayIn(context.clock(), business.timeZone)
  return priceOf(published.list, service, contentsOf(order), { customerId, day })
}

/**
 * The day that a rate is of (YYYY-MM-DD), and the customer that it was quoted for. Refuses a rate like `priceForOrder`, and with
 * `rate_differs` each parcel that was not quoted so, which an order does not tell.
 */
export function rateTerms(context: Context, rateId: string, parcels: readonly Parcel[]) {
  const { id, role } = accountOf(context)
  const quoted = ticketOf(context.credentials, rateId).customer_id
  const { contents, day, customer_id } = validTicket(context, rateId, role === 'customer' ? id : quoted)
  const compared = comparison()
  compareParcels(compared, parcelsOf(contents), parcels)
  refuseDifferences(compared.found)
  return { day, customerId: customer_id }
}

function priceOf(
  list: PriceList,
  service: string,
  contents: Ticket['contents'],
  asking: Parameters<typeof quotesOf>[2],
) {
  const services = list.services.filter((one) => one.code === service)
  const [quote] = quotesForOrder({ ...list, services }, contents, asking)
  return quote === undefined || 'code' in quote ? undefined : { price: priceOfQuote(quote, list.currency), service }
}

function validTicket(context: Context, rateId: string, customerId: number | undefined): Ticket {
  const ticket = ticketOf(context.credentials, rateId)
  const isOwn = ticket.business_id === accountOf(context).business.id && ticket.customer_id === customerId
  if (!isOwn) throw new EngineError('rate_invalid')
  if (ticket.expires <= context.clock()) throw new EngineError('rate_expired')
  return ticket
}

function refuseOtherContents({ contents, day }: Ticket, order: OrderContents): void {
  refuseDifferences(differences(contents, day, order))
}

function refuseDifferences(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}
