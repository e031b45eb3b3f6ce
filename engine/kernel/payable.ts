import type { Family } from './account.ts'
import type { Charge, ChargedRange } from './charge.ts'
import type { Context, Facts } from './context.ts'
import { EngineError } from './errors.ts'
import type { Append } from './event-store.ts'
import { compareAmounts, isNothing, lessOf, printedAmount, refuseImprecise } from './money.ts'

/** The ways in which an order is paid outside of this server. */
export const offlineMethods = ['cash', 'card', 'transfer', 'other'] as const

/** How an order was paid outside of this server. */
export interface Offline {
  readonly method: (typeof offlineMethods)[number]
  readonly reference?: string
}

/** What is to be paid for an order, and what was paid. */
export interface Bill {
  readonly customerId?: number | undefined
  /** ISO 4217; nothing is to be paid where there is none. */
  readonly currency?: string | undefined
  /** Decimal text. */
  readonly total: string
  /** Paid and not given back, in whatever way. */
  readonly paid: string
  /** Whether its status lets it be paid. */
  readonly isOpen: boolean
}

/** What is paid: all that is left where no amount is given, from the wallet where no other way is. */
export interface Settlement {
  readonly amount?: string | undefined
  readonly offline?: Offline | undefined
}

/** A payment that is decided and not recorded yet, and the bill after it. */
export interface Settled {
  readonly amount: string
  readonly bill: Bill
  readonly appends: readonly Append[]
}

/** A family of orders that is paid: the only things that payments need to know of it. */
export interface Payable {
  readonly family: Family
  /** The bill of an order, for any caller; undefined if there is none. */
  bill(facts: Facts, id: number): Promise<Bill | undefined>
  /**
   * What records a payment in the order, without the wallet. Refuses what its status forbids, with `nothing_to_pay`, and with
   * `amount_exceeds`.
   */
  settle(context: Context, id: number, settlement: Settlement): Promise<Settled>
  /**
   * What its orders cost a customer of the caller's business, or those without one (`null`), if they are not in the register of orders:
   * those that were created before an instant and have changed since another one.
   */
  charges?(context: Context, customer: number | null, range: ChargedRange): Promise<readonly Charge[]>
}

/** A payment for an order from a customer's wallet, or its refund. */
export interface WalletMove {
  readonly customerId: number
  readonly orderId: number
  /** The family whose number that is; absent where it is one of the sequence of orders. */
  readonly family?: Family
  /** Decimal text, above zero. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
}

/** A payment that a provider outside is to take. */
export interface AskedPayment extends WalletMove {
  readonly family: Family
  /** The account of the business at the provider. */
  readonly accountId: number
}

/** A payment that was begun: where the payer is to go, once the provider has said it. */
export interface BegunPayment {
  readonly payment_id: number
  readonly status: 'pending' | 'succeeded' | 'failed' | 'expired'
  readonly url?: string
}

/** What families of orders need to be paid. The appends are recorded in one transaction with those of the order. */
export interface PayingPorts {
  /** Charges the wallet of a customer. Refuses with `insufficient_credits` or `currency_differs`. */
  charge(context: Context, move: WalletMove): Promise<Append>
  /** Refunds an earlier charge. */
  refund(context: Context, move: WalletMove): Promise<Append>
  /** Begins a payment by a provider outside. Refuses with `payment_account_not_found` and `currency_differs`. */
  beginPayment(
    context: Context,
    payment: AskedPayment,
  ): Promise<{ readonly payment: BegunPayment; readonly appends: readonly Append[] }>
  /**
   * Asks the provider where the payer is to go, once a payment is recorded; a repeated call answers the same. Refuses with
   * `payment_refused` and `payment_provider_silent`.
   */
  offerPayment(context: Context, id: number): Promise<BegunPayment>
}

/** The amount that is left to pay. */
export function remainingOn({ currency, total, paid, isOpen }: Bill): string {
  return currency === undefined || !isOpen ? '0' : lessOf(total, paid, currency)
}

/** The amount that is paid, as it is recorded. Refuses with `nothing_to_pay`, `amount_exceeds` and `too_precise`. */
export function amountOn(bill: Bill, order: number, requested: string | undefined): string {
  const { currency } = bill
  const remaining = remainingOn(bill)
  if (requested !== undefined && currency !== undefined) refuseImprecise(requested, currency)
  const amount = requested ?? remaining
  if (currency === undefined || isNothing(remaining) || isNothing(amount))
    throw new EngineError('nothing_to_pay', { order })
  if (compareAmounts(amount, remaining) > 0) throw exceeds('amount_exceeds', order, remaining)
  return printedAmount(amount, currency)
}

/** The refusal of an amount above a limit. */
export function exceeds(code: 'amount_exceeds' | 'refund_exceeds', order: number, limit: string): EngineError {
  const params = { order, limit }
  return new EngineError(code, params, [{ path: 'amount', code, params }])
}
