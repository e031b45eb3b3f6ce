import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isoOf } from '../../kernel/time.ts'
import { decideOnWallet } from './load.ts'
import type { WalletCommand } from './wallet.ts'

/** A payment for an order from a customer's wallet, or its refund. */
export interface Payment {
  readonly customerId: number
  readonly orderId: number
  /** Decimal text, above zero. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
}

/** Payments from customers' wallets, as appends for the same transaction as their purpose. */
export const payments = {
  /** Refuses with `insufficient_credits` or `currency_differs`. */
  charge: (context: Context, payment: Payment) => movement(context, 'ChargeWallet', payment),
  /** Refunds an earlier charge. */
  refund: (context: Context, payment: Payment) => movement(context, 'RefundWallet', payment),
}

async function movement(context: Context, type: 'ChargeWallet' | 'RefundWallet', payment: Payment): Promise<Append> {
  const { customerId: customer_id, orderId: order_id, amount, currency } = payment
  const stamp = { at: isoOf(context.clock()), by: context.caller.account?.id ?? null }
  const command: WalletCommand = { type, customer_id, order_id, amount, currency, ...stamp }
  return (await decideOnWallet(context, command)).append
}
