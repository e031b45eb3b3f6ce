import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Payable, WalletMove } from '../../kernel/payable.ts'

/** What a payment from outside brings to a wallet: all of it, and what goes on to an order at once. */
export interface Deposit {
  readonly customerId: number
  /** Decimal text, above zero. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  readonly paymentId: number
  /** What the order takes of it; nothing if it takes none. */
  readonly charged?: Pick<WalletMove, 'orderId' | 'family' | 'amount'> | undefined
}

/** What payments need of other domains. */
export interface PaymentPorts {
  /** The families of orders that are paid. */
  readonly payables: readonly Payable[]
  /** Brings money from outside to a wallet. Refuses with `currency_differs`. */
  deposit(context: Context, deposit: Deposit): Promise<Append>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly payments: PaymentPorts
  }
}
