import { abroad, converted, unitsIn, written } from './amounts.ts'

/**
 * Books by double entry, as the ledger of the engine should keep them: each movement takes from one account what it gives to another.
 * It shares no code with the engine: amounts are whole numbers of the smallest unit of the currency.
 */
export interface Books {
  /** Of the currency. */
  readonly decimals: number
  readonly entries: Entry[]
  readonly wallets: Map<number, Wallet>
  readonly orders: Map<number, Order>
}

interface Entry {
  readonly from: string
  readonly to: string
  readonly units: bigint
}

/** A line of the history of a wallet or an order: what it is, how much, and what is so after it. */
type Line = Readonly<Record<string, unknown>>

interface Wallet {
  limit: bigint
  readonly lines: Line[]
}

/** A price as it is asked for: decimal text, in a currency from abroad or in that of the books. */
export interface Asked {
  readonly shipping_price: string
  readonly tax?: string
  readonly currency?: typeof abroad.currency
}

interface Price {
  /** Units of the currency of the books. */
  readonly parts: Readonly<Record<string, bigint>>
  /** What it was given as, if that was from abroad. */
  readonly given?: string
}

interface Order {
  readonly customer: number
  status: 'open' | 'delivered' | 'returned' | 'cancelled'
  price?: Price
  /** Refunded by the staff since the price was set. */
  waived: bigint
  readonly lines: Line[]
}

/** What is done to the books. Customers and orders are named by the numbers that the test gives them. */
export type Deed =
  | { readonly do: 'top up' | 'set credit'; readonly customer: number; readonly amount: string }
  | { readonly do: 'adjust'; readonly customer: number; readonly kind: Correction; readonly amount: string }
  | { readonly do: 'create'; readonly customer: number; readonly made: number; readonly price: Asked | undefined }
  | { readonly do: 'set price'; readonly order: number; readonly price: Asked; readonly isNoted: boolean }
  | { readonly do: 'pay' | 'refund'; readonly order: number; readonly amount: string | undefined }
  | { readonly do: 'deliver' | 'return' | 'cancel'; readonly order: number }
  | { readonly do: 'reroute'; readonly order: number; readonly made: number }

type Correction = 'adjustment' | 'credit_note' | 'fee'

/** Books without an entry. */
export function openBooks(decimals: number, customers: readonly number[]): Books {
  const wallets = new Map(customers.map((customer): [number, Wallet] => [customer, { limit: 0n, lines: [] }]))
  return { decimals, entries: [], wallets, orders: new Map() }
}

/** What an account has. */
export function balanceIn({ entries }: Books, account: string): bigint {
  const signed = entries.map(({ from, to, units }) => (to === account ? units : from === account ? -units : 0n))
  return signed.reduce((sum, units) => sum + units, 0n)
}

/** What is thrown to refuse something. */
const refused = 'refused'

function refusal(said: string): Error {
  return new Error(said, { cause: refused })
}

/** Does something to the books: `done`, or what the refusal has to say. */
export function play(books: Books, deed: Deed): string {
  try {
    perform(books, deed)
    return 'done'
  } catch (error) {
    if (error instanceof Error && error.cause === refused) return error.message
    throw error
  }
}

function perform(books: Books, deed: Deed): void {
  switch (deed.do) {
    case 'top up': {
      const units = amountIn(books, deed.amount)
      if (units === 0n) throw refusal('amount not_a_positive_amount')
      move(books, deed.customer, 'top_up', units, 'cash')
      return
    }
    case 'set credit':
      walletOf(books, deed.customer).limit = amountIn(books, deed.amount, 'credit_limit')
      return
    case 'adjust': {
      const units = amountIn(books, deed.amount, 'amount', true)
      if (deed.kind !== 'adjustment' && units < 0n) throw refusal('amount not_a_positive_amount')
      move(books, deed.customer, deed.kind, deed.kind === 'fee' ? -units : units, 'business')
      return
    }
    case 'create': {
      const price = deed.price && priceIn(books, deed.price)
      create(books, deed.made, deed.customer, price)
      return
    }
    case 'set price':
      setPrice(books, orderOf(books, deed.order), deed.order, priceIn(books, deed.price), deed.isNoted)
      return
    case 'pay':
      pay(books, orderOf(books, deed.order), deed)
      return
    case 'refund':
      refund(books, orderOf(books, deed.order), deed)
      return
    case 'deliver':
      orderOf(books, deed.order).status = 'delivered'
      return
    case 'return':
      orderOf(books, deed.order).status = 'returned'
      return
    case 'cancel':
      cancel(books, deed.order)
      return
    case 'reroute': {
      const { customer, price, status } = orderOf(books, deed.order)
      if (status !== 'open') throw refusal('order_status_forbids')
      cancel(books, deed.order)
      create(books, deed.made, customer, price)
      return
    }
  }
}

function create(books: Books, number: number, customer: number, price: Price | undefined): void {
  const order: Order = { customer, status: 'open', waived: 0n, lines: [], ...(price !== undefined && { price }) }
  books.orders.set(number, order)
  if (price !== undefined) tell(books, number, 'price', totalOf(order))
}

function setPrice(books: Books, order: Order, number: number, price: Price, isNoted: boolean) {
  if (order.status === 'cancelled') throw refusal('order_status_forbids')
  const isSame = ({ parts, given }: Price) =>
    given === price.given && ['shipping_price', 'tax'].every((name) => parts[name] === price.parts[name])
  if (order.price !== undefined && isSame(order.price)) return
  if (order.status !== 'open' && !isNoted) throw refusal('note required')
  const before = totalOf(order)
  const kind = order.price === undefined ? 'price' : order.status === 'open' ? 'price_change' : 'adjustment'
  order.price = price
  order.waived = 0n
  tell(books, number, kind, totalOf(order) - before)
  const beyond = balanceIn(books, `order ${number}`) - totalOf(order)
  if (beyond > 0n) giveBack(books, number, beyond)
}

function pay(books: Books, order: Order, { order: number, amount }: { order: number; amount: string | undefined }) {
  const asked = amount === undefined ? remainingOf(books, number) : unitsIn(amount, books.decimals)
  if (asked === 'not_an_amount') throw refusal(`amount ${asked}`)
  if (order.status === 'cancelled') throw refusal('order_status_forbids')
  if (order.price !== undefined && typeof asked === 'string') throw refusal(`amount ${asked}`)
  const remaining = remainingOf(books, number)
  if (typeof asked === 'string' || remaining === 0n || asked === 0n) throw refusal('nothing_to_pay')
  if (asked > remaining) throw refusal('amount amount_exceeds')
  move(books, order.customer, 'payment', -asked, `order ${number}`, number)
  tell(books, number, 'payment', asked)
}

function refund(books: Books, order: Order, { order: number, amount }: { order: number; amount: string | undefined }) {
  const paid = balanceIn(books, `order ${number}`)
  const asked = amount === undefined ? paid : unitsIn(amount, books.decimals)
  if (asked === 'not_an_amount' || (order.price !== undefined && typeof asked === 'string'))
    throw refusal(`amount ${asked}`)
  if (typeof asked === 'string' || paid === 0n || asked === 0n) throw refusal('nothing_to_refund')
  if (asked > paid) throw refusal('amount refund_exceeds')
  order.waived += asked
  giveBack(books, number, asked)
}

function cancel(books: Books, number: number): void {
  const order = orderOf(books, number)
  if (order.status === 'cancelled') return
  if (order.status !== 'open') throw refusal('cancel_refused')
  const paid = balanceIn(books, `order ${number}`)
  if (paid > 0n) giveBack(books, number, paid)
  order.status = 'cancelled'
}

function giveBack(books: Books, number: number, units: bigint): void {
  move(books, orderOf(books, number).customer, 'refund', units, `order ${number}`, number)
  tell(books, number, 'refund', units)
}

/** Moves into a wallet; out of it, if the units are below zero. */
function move(books: Books, customer: number, kind: string, units: bigint, other: string, order?: number): void {
  const { limit, lines } = walletOf(books, customer)
  const account = `wallet ${customer}`
  const after = balanceIn(books, account) + units
  if (units < 0n && after < -limit) throw refusal('insufficient_credits')
  books.entries.push(units < 0n ? { from: account, to: other, units: -units } : { from: other, to: account, units })
  const text = (one: bigint) => written(one, books.decimals)
  const line = { number: lines.length + 1, kind, amount: text(units), balance: text(after) }
  lines.push(order === undefined ? line : { ...line, order })
}

function tell(books: Books, number: number, kind: string, units: bigint): void {
  const order = orderOf(books, number)
  const text = (one: bigint) => written(one, books.decimals)
  order.lines.push({
    ...{ number: order.lines.length + 1, kind, amount: text(units), total_price: text(totalOf(order)) },
    paid_amount: text(balanceIn(books, `order ${number}`)),
    remaining_amount: text(remainingOf(books, number)),
  })
}

/** What is left to pay for an order. */
export function remainingOf(books: Books, number: number): bigint {
  const order = orderOf(books, number)
  const rest = totalOf(order) - balanceIn(books, `order ${number}`) - order.waived
  return rest < 0n ? 0n : rest
}

function totalOf({ price }: Order): bigint {
  return sumOf(price?.parts)
}

function sumOf(parts: Price['parts'] = {}): bigint {
  return Object.values(parts).reduce((sum, part) => sum + part, 0n)
}

/** What the orders of a customer that are not cancelled cost together. */
export function costOf({ orders }: Books, customer: number): bigint {
  const own = [...orders.values()].filter((one) => one.customer === customer && one.status !== 'cancelled')
  return own.reduce((sum, one) => sum + totalOf(one), 0n)
}

function amountIn({ decimals }: Books, text: string, path = 'amount', isSigned = false): bigint {
  const units = unitsIn(text, decimals, isSigned)
  if (typeof units === 'string') throw refusal(`${path} ${units}`)
  return units
}

/** The parts of a price; amounts that are none are refused before those that are too precise. */
function priceIn(books: Books, { currency, ...asked }: Asked): Price {
  const decimals = currency === undefined ? books.decimals : abroad.decimals
  const parts = Object.entries(asked).map(([name, text]) => [name, unitsIn(text, decimals)] as const)
  for (const code of ['not_an_amount', 'too_precise']) {
    const wrong = parts.filter(([, units]) => units === code).map(([name]) => `price.${name} ${code}`)
    if (wrong.length > 0) throw refusal(wrong.join(', '))
  }
  const units = Object.fromEntries(parts) as Price['parts']
  if (currency === undefined) return { parts: units }
  const own = Object.entries(units).map(([name, one]) => [name, converted(one, books.decimals)] as const)
  return { parts: Object.fromEntries(own), given: written(sumOf(units), decimals) }
}

function walletOf({ wallets }: Books, customer: number): Wallet {
  const wallet = wallets.get(customer)
  if (wallet === undefined) throw new Error(`no wallet ${customer}`)
  return wallet
}

function orderOf({ orders }: Books, number: number): Order {
  const order = orders.get(number)
  if (order === undefined) throw new Error(`no order ${number}`)
  return order
}
