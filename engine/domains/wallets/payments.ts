import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { WalletMove } from '../../kernel/payable.ts'
import { isoOf } from '../../kernel/time.ts'
import { decideOnWallet } from './load.ts'
import type { WalletCommand } from './wallet.ts'

/** Payments from customers' wallets, as appends for the same transaction as their purpose. */
export const payments = {
  /** Refuses with `insufficient_credits` or `currency_differs`. */
  charge: (context: Context, payment: WalletMove) => movement(context, 'ChargeWallet', payment),
  /** Refunds an earlier charge. */
  refund: (context: Context, payment: WalletMove) => movement(context, 'RefundWallet', payment),
}

async function movement(context: Context, type: 'ChargeWallet' | 'RefundWallet', payment: WalletMove): Promise<Append> {
  const { customerId: customer_id, orderId: order_id, family, amount, currency } = payment
  const stamp = { at: isoOf(context.clock()), by: context.caller.account?.id ?? null }
  const command: WalletCommand = {
    type,
    customer_id,
    order_id,
    ...omitUndefined({ family }),
    amount,
    currency,
    ...stamp,
  }
  return (await decideOnWallet(context, command)).append
}

/** What a payment from outside brings to a wallet, and what of it goes on to an order at once. */
interface Deposit {
  readonly customerId: number
  readonly amount: string
  readonly currency: string
  readonly paymentId: number
  readonly charged?: Pick<WalletMove, 'orderId' | 'family' | 'amount'> | undefined
}

/** Money from outside comes to a wallet, and an order takes as much of it as it needs. Refuses with `currency_differs`. */
export async function deposit(context: Context, given: Deposit): Promise<Append> {
  const { customerId: customer_id, amount, currency, paymentId: payment_id, charged } = given
  const stamp = { customer_id, currency, at: isoOf(context.clock()), by: null }
  const received = { type: 'TopUpWallet', ...stamp, amount, payment_id } as const
  if (charged === undefined) return (await decideOnWallet(context, received)).append
  const { orderId: order_id, family, amount: taken } = charged
  const ofOrder = { order_id, ...omitUndefined({ family }), amount: taken }
  const charge = { type: 'ChargeWallet', ...stamp, ...ofOrder, isCovered: true } as const
  return (await decideOnWallet(context, received, charge)).append
}
