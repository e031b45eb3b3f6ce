import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { amountOf, compareAmounts } from '../../kernel/money.ts'
import { dayIn } from '../../kernel/zone.ts'
import type { Contents } from './contents.ts'
import { type Quote, quotesOf, total } from './price.ts'
import { publishedList } from './published.ts'
import { rateIdOf, rateLifetime } from './rate-id.ts'

/** Which price list holds: the current one of today, or an earlier one of its day. */
interface PricedBy {
  readonly customerId: number | undefined
  readonly version?: number
  /** YYYY-MM-DD, in the time zone of the business. */
  readonly day?: string
}

/** What the services of the price list of the business cost, cheapest first; nothing without a price list. */
export async function ownRates(context: Context, contents: Contents, { customerId, ...asked }: PricedBy) {
  const { business } = accountOf(context)
  const published = await publishedList(context, business.id, asked.version)
  if (published === undefined) return []
  const { version, list } = published
  const day = asked.day ?? dayIn(context.clock(), business.timeZone)
  const offered = quotesOf(list, contents, { customerId, day }).filter((one): one is Quote => !('code' in one))
  const expires = context.clock() + rateLifetime
  const whose = { business_id: business.id, ...(customerId !== undefined && { customer_id: customerId }) }
  return offered
    .map(({ service: { code: service, name }, lines }) => ({
      ...{
        service,
        name,
        amount: amountOf(total(lines), list.currency),
        currency: list.currency,
        version,
        day,
        expires,
      },
      rateId: rateIdOf(context.credentials, { ...whose, version, service, day, expires, contents }),
    }))
    .sort((one, other) => compareAmounts(one.amount, other.amount))
}

/** The services of the price list of a business. */
export async function ownMethods(context: Pick<Context, 'store'>, businessId: number) {
  const published = await publishedList(context, businessId)
  return (published?.list.services ?? []).map(({ code, name }) => ({ code, name }))
}
