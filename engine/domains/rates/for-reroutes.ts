import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/zone.ts'
import { contentsOf, type OrderContents } from './contents.ts'
import { priceOfQuote, type Quote } from './price.ts'
import { publishedList } from './published.ts'
import { quotesForOrder } from './quotes-for-order.ts'

type Priced = ReturnType<typeof priceOfQuote>

/** An order that goes elsewhere, and what it costs so far. */
interface Reroute {
  readonly service: string
  readonly customerId: number | undefined
  readonly price: Pick<Priced, 'shipping_price' | 'tax'>
  readonly before: OrderContents
  readonly after: OrderContents
}

/**
 * What an order of a service costs elsewhere: no new price within its zone and with its taxes, and that of the list where it had that so
 * far. Undefined where nobody knows: an order does not keep the weights that its rate was for. Refuses like `priceFor`.
 */
export async function priceElsewhere(
  context: Context,
  { service, customerId, price, before, after }: Reroute,
): Promise<{ readonly price?: Priced } | undefined> {
  const published = await publishedList(context, accountOf(context).business.id)
  if (published === undefined) return {}
  const { list } = published
  const services = list.services.filter((one) => one.code === service)
  const day = after.schedule_date ?? dayIn(context.clock(), accountOf(context).business.timeZone)
  const quoted = (order: OrderContents): Quote | undefined => {
    const [quote] = quotesForOrder({ ...list, services }, contentsOf(order), { customerId, day })
    return quote === undefined || 'code' in quote ? undefined : quote
  }
  const [there, here] = [quoted(after), quoted(before)]
  if (there === undefined || here === undefined) return undefined
  if (there.zone === here.zone && taxesIn(there) === taxesIn(here)) return {}
  const told = priceOfQuote(here, list.currency)
  const isPlain = told.shipping_price === price.shipping_price && told.tax === price.tax
  return isPlain ? { price: priceOfQuote(there, list.currency) } : undefined
}

function taxesIn({ lines }: Quote): string {
  return JSON.stringify(lines.flatMap(({ kind, name, percent }) => (kind === 'tax' ? [[name, percent]] : [])))
}
