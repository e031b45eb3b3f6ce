import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Cell, maxAmong } from '../../../kernel/read-model.ts'
import { visibleWhere } from '../load.ts'
import { orderModel } from '../order-model.ts'
import { ordersOf } from '../rows.ts'
import type { Party } from '../schema.ts'
import type { Order } from '../state.ts'
import { wordsOf } from '../terms.ts'
import { addressTermModel } from './model.ts'
import { postalKey, postalTerm, wordsOfAddress, wordTerm } from './terms.ts'

type Address = Party['address']

export interface Wanted {
  readonly text?: string
  readonly postalCode?: string
  readonly country?: string
  readonly limit: number
}

type Used = Address & { readonly usedAt: string }

/** So many orders are opened for one search. */
const maxOpened = 200
const pageSize = 40

/**
 * The addresses of the orders that the caller may see. The terms are blinded, so only whole words match. A word that
 * occurs in very many orders is searched in the newest of them only.
 */
export const addressBook = {
  search: async (context: Context, wanted: Wanted): Promise<readonly Used[]> => {
    const found = new Map<string, Used>()
    const ids = await idsOf(context, wanted)
    for (let start = 0; start < Math.min(ids.length, maxOpened) && found.size < wanted.limit; start += pageSize)
      for (const used of await usedIn(context, ids.slice(start, start + pageSize), wanted))
        if (!found.has(nameOf(used))) found.set(nameOf(used), used)
    return [...found.values()].slice(0, wanted.limit)
  },
}

/** The orders that have all that is wanted in their addresses and that the caller may see, newest first. */
async function idsOf(context: Context, wanted: Wanted): Promise<readonly Cell[]> {
  const { models } = context
  const account = accountOf(context)
  const own = { business_id: account.business.id, ...(account.role === 'customer' && { customer_id: account.id }) }
  let order_id: readonly Cell[] | undefined
  for (const term of termsOf(context, wanted)) {
    const among = order_id === undefined ? {} : { order_id }
    const query = { where: { ...own, term }, among, newestFirst: true, limit: maxAmong }
    const { rows } = await models.page(addressTermModel, query)
    order_id = rows.map((row) => row.order_id ?? null)
  }
  if (order_id === undefined || order_id.length === 0) return []
  const query = { where: visibleWhere(context), among: { order_id }, newestFirst: true, limit: maxAmong }
  const { rows } = await models.page(orderModel, query)
  return rows.map((row) => row.order_id ?? null)
}

/** The longest words first, which are the rarest as a rule: what follows is looked for among their orders. */
function termsOf({ credentials, caller }: Context, { text = '', postalCode }: Wanted): readonly string[] {
  const { business } = accountOf({ caller })
  const words = wordsOf(text).toSorted((one, other) => other.length - one.length)
  const whole = postalCode === undefined ? [] : [postalTerm(credentials, business.id, postalCode)]
  return [...whole, ...words.map((word) => wordTerm(credentials, business.id, word))]
}

async function usedIn(context: Context, ids: readonly Cell[], wanted: Wanted): Promise<readonly Used[]> {
  const orders = await ordersOf(
    context,
    ids.map((order_id) => ({ order_id })),
  )
  return orders.flatMap((order) =>
    addressesOf(order)
      .filter((address) => isWanted(address, wanted))
      .map((address) => ({ ...address, usedAt: order.created_at })),
  )
}

function addressesOf({ delivery, pickup }: Order): readonly Address[] {
  return [delivery, pickup].flatMap((party) => (party === undefined ? [] : [party.address]))
}

/** Both addresses of an order have lent it their terms: all that is wanted has to be of the one. */
function isWanted(address: Address, { text = '', postalCode, country }: Wanted): boolean {
  const words = wordsOfAddress(address)
  if (country !== undefined && address.country !== country) return false
  if (postalCode !== undefined && postalKey(address.postal_code ?? '') !== postalKey(postalCode)) return false
  return wordsOf(text).every((word) => words.includes(word))
}

/** One address is one, however it was written down. */
function nameOf({ street, street2 = '', locality = '', postal_code = '', country = '' }: Address): string {
  return JSON.stringify([wordsOf(`${street} ${street2}`), wordsOf(locality), postalKey(postal_code), country])
}
