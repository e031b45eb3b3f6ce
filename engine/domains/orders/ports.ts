import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'

/** Payments for orders from a customer's wallet, and their refunds. */
export interface WalletMove {
  readonly customerId: number
  readonly orderId: number
  /** Decimal text with two digits, above zero. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
}

/** What orders need of other domains. The appends of a wallet are recorded in one transaction with the order's. */
export interface OrderPorts {
  /** Whether an identifier leads to a timeline. */
  isTracked(context: Context, identifier: string): Promise<boolean>
  /** Charges the wallet of a customer. Refuses with `insufficient_credits` or `currency_differs`. */
  charge(context: Context, move: WalletMove): Promise<Append>
  /** Refunds an earlier charge. */
  refund(context: Context, move: WalletMove): Promise<Append>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly orders: OrderPorts
  }
}
