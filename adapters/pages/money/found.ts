import {
  call,
  compareAmounts,
  getMarkUps,
  getPriceList,
  isEngineError,
  listExchangeRates,
  listWallets,
  negativeOf,
  type Operation,
  sumOf,
} from '../../../engine/index.ts'
import { isShown, kindsIn } from '../signed-in/kinds.ts'
import { outputOf } from '../signed-in/output.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'

/** What customers owe and have, in a currency; both are above zero. */
interface Total {
  readonly currency: string
  readonly owed: string
  readonly held: string
}

/** The sums of all balances, in each currency that wallets have. */
export interface Totals {
  readonly sums: readonly Total[]
  /** How many customers were counted, if there are more. */
  readonly first?: number
}

/** So many pages of wallets are added up, each of the most that a page has: the sums are made for every visit. */
const [mostPages, most] = [5, 200]

/** Adds up the wallets of all customers. */
export async function totalsOf(visitor: Visitor): Promise<Totals> {
  const all: { readonly balance: string; readonly currency: string }[] = []
  for (let page = 1; page <= mostPages; page++) {
    const { wallets, total } = await outputOf(listWallets, visitor, { page, per_page: most })
    all.push(...wallets)
    if (all.length >= total) return { sums: sumsOf(all) }
  }
  return { sums: sumsOf(all), first: all.length }
}

function sumsOf(wallets: readonly { readonly balance: string; readonly currency: string }[]): readonly Total[] {
  return [...new Set(wallets.map(({ currency }) => currency))].map((currency) => {
    const balances = wallets.filter((one) => one.currency === currency).map(({ balance }) => balance)
    const isOwed = (balance: string) => compareAmounts(balance, '0') < 0
    const owed = negativeOf(sumOf(balances.filter(isOwed), currency), currency)
    const held = sumOf(
      balances.filter((one) => !isOwed(one)),
      currency,
    )
    return { currency, owed, held }
  })
}

/** A statement, as its list has it. */
export interface Listed {
  readonly statement_id: number
  readonly number: number
  readonly subject: string
  readonly customer_id?: number | null
  readonly month: string
  readonly currency: string
  readonly issued_at: string
  readonly total: string
}

/** The latest statements that a visitor may read; undefined where it may read none. */
export async function statementsOf(
  operations: readonly Operation[],
  visitor: Visitor,
  count: number,
): Promise<readonly Listed[] | undefined> {
  const kind = kindsIn(operations).find(({ name }) => name === 'statement')
  if (kind === undefined || !isShown(kind, visitor)) return undefined
  const { [kind.many]: statements } = await call(kind.list, visitor.context, { per_page: count })
  return statements as readonly Listed[]
}

/** What prices are made of, each part where the visitor may read it. */
export interface Made {
  readonly list?: { readonly version: number; readonly currency: string } | 'none'
  readonly markUps?: number
  readonly rates?: readonly { readonly from: string; readonly to: string; readonly rate: string }[]
}

/** Reads what prices are made of. */
export async function madeOf(visitor: Visitor): Promise<Made> {
  const list = mayNow(visitor, getPriceList) && (await listOf(visitor))
  const markUps = mayNow(visitor, getMarkUps) && (await outputOf(getMarkUps, visitor, {})).rules.length
  const rates =
    mayNow(visitor, listExchangeRates) &&
    (await outputOf(listExchangeRates, visitor, { per_page: most })).exchange_rates
  return {
    ...(list !== false && { list }),
    ...(markUps !== false && { markUps }),
    ...(rates !== false && { rates: rates.filter(({ is_in_force }) => is_in_force) }),
  }
}

async function listOf(visitor: Visitor): Promise<NonNullable<Made['list']>> {
  try {
    const { version, price_list } = await outputOf(getPriceList, visitor, {})
    return { version, currency: price_list.currency }
  } catch (error) {
    if (isEngineError(error, 'no_price_list')) return 'none'
    throw error
  }
}
