import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { plainLetters } from '../../../kernel/places/folded.ts'
import { type Cell, maxAmong } from '../../../kernel/read-model.ts'
import { visibleWhere } from '../load.ts'
import { orderModel } from '../order-model.ts'
import { ordersOf } from '../rows.ts'
import type { Party } from '../schema.ts'
import type { Order } from '../state.ts'
import { spellingsOf, wordsOf } from '../terms.ts'
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
    const among = { term, ...(order_id === undefined ? {} : { order_id }) }
    const query = { where: own, among, newestFirst: true, limit: maxAmong }
    const { rows } = await models.page(addressTermModel, query)
    order_id = [...new Set(rows.map((row) => row.order_id ?? null))]
  }
  if (order_id === undefined || order_id.length === 0) return []
  const query = { where: visibleWhere(context), among: { order_id }, newestFirst: true, limit: maxAmong }
  const { rows } = await models.page(orderModel, query)
  return rows.map((row) => row.order_id ?? null)
}

/**
 * The terms of which an order has to have one each. The longest words come first, which are the rarest as a rule: what follows
 * is looked for among their orders.
 */
function termsOf({ credentials, caller }: Context, { text = '', postalCode }: Wanted): readonly (readonly string[])[] {
  const { business } = accountOf({ caller })
  const codeTerm = (code: string) => postalTerm(credentials, business.id, code)
  const words = wordsIn(text).toSorted((one, other) => other.word.length - one.word.length)
  const whole = postalCode === undefined ? [] : [[codeTerm(postalCode)]]
  const each = words.map(({ word, former, codes }) => [
    ...new Set([word, former].map((form) => wordTerm(credentials, business.id, form))),
    ...codes.map(codeTerm),
  ])
  return [...whole, ...each]
}

/** No postal code has more parts that are words by themselves, or more letters and digits. */
const maxParts = 3
const maxCode = 12

/** A word that is looked for, and the postal codes that it may be a part of, together with the words beside it. */
interface Sought {
  readonly word: string
  readonly former: string
  readonly codes: readonly string[]
}

/** The words of a search: M5V and 1A1 may be one postal code, and so may M5V1A1. */
function wordsIn(text: string): readonly Sought[] {
  const spellings = spellingsOf(text)
  return spellings.map(([word, former], place) => {
    const codes: string[] = []
    for (let from = Math.max(0, place - maxParts + 1); from <= place; from++) {
      for (let to = place + 1; to <= Math.min(spellings.length, from + maxParts); to++) {
        const joined = spellings
          .slice(from, to)
          .map(([part]) => part)
          .join('')
        if (/\d/.test(joined) && joined.length <= maxCode) codes.push(joined)
      }
    }
    return { word, former, codes }
  })
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
  const code = plainLetters(postalKey(address.postal_code ?? '').toLowerCase())
  return wordsIn(text).every(({ word, codes }) => words.includes(word) || (code !== '' && codes.includes(code)))
}

/** One address is one, however it was written down. */
function nameOf({ street, street2 = '', locality = '', postal_code = '', country = '' }: Address): string {
  return JSON.stringify([wordsOf(`${street} ${street2}`), wordsOf(locality), postalKey(postal_code), country])
}
