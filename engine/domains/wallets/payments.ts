import type { Context, WalletMove, Wallets } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isoOf } from '../../kernel/time.ts'
import { decideOnWallet } from './load.ts'
import type { WalletCommand } from './wallet.ts'

/** The wallets of customers, as what is paid from them sees them. */
export const payments: Wallets = {
  charge: (context, move) => moved(context, 'ChargeWallet', move),
  refund: (context, move) => moved(context, 'RefundWallet', move),
}

async function moved(context: Context, type: 'ChargeWallet' | 'RefundWallet', move: WalletMove): Promise<Append> {
  const { customerId: customer_id, orderId: order_id, amount, currency } = move
  const told = { at: isoOf(context.clock()), by: context.caller.account?.id ?? null }
  const command: WalletCommand = { type, customer_id, order_id, amount, currency, ...told }
  return (await decideOnWallet(context, command)).append
}
