import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../kernel/event-shape.ts'
import { compareAmounts, isPrinted, lessOf, sumOf } from '../../kernel/money.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The stream of a customer's wallet, by user id. */
export function walletStream(customerId: number): StreamName {
  return `wallet-${customerId}`
}

/** A movement of money. `amount` is decimal text, because floats would round money. */
interface Movement {
  readonly customer_id: number
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** ISO 8601, UTC. */
  readonly at: string
  /** The acting account; null for the platform. */
  readonly by: number | null
}

/** A movement of money for an order. */
interface OrderMovement extends Movement {
  readonly order_id: number
}

/** The events of a wallet. */
export type WalletEvent =
  | Event<'WalletToppedUp', Movement>
  | Event<'WalletCharged', OrderMovement>
  /** The charge for an order was refunded. */
  | Event<'WalletRefunded', OrderMovement>

/** The shapes of the events of wallets. */
export const walletEventShapes: ShapesOf<WalletEvent> = {
  WalletToppedUp: { ...stamped, customer_id: 'number', amount: 'text', currency: 'text' },
  WalletCharged: { ...stamped, order_id: 'number', customer_id: 'number', amount: 'text', currency: 'text' },
  WalletRefunded: { ...stamped, order_id: 'number', customer_id: 'number', amount: 'text', currency: 'text' },
}

/** A top-up. */
interface TopUp {
  readonly amount: string
  readonly at: string
}

/** The state of a wallet. */
export interface Wallet {
  /** Decimal text. */
  readonly balance: string
  /** The currency of the first top-up. */
  readonly currency?: string
  /** The latest top-ups, newest first. */
  readonly topUps: readonly TopUp[]
}

/** The commands of a wallet. Refusals: `not_a_positive_amount`, `currency_differs`, `insufficient_credits`. */
export type WalletCommand =
  | (Movement & { readonly type: 'TopUpWallet' })
  | (OrderMovement & { readonly type: 'ChargeWallet' | 'RefundWallet' })

/** The number of latest top-ups that are kept. */
const maxTopUps = 20

const evolve: Reducer<Wallet, WalletEvent> = (wallet, { type, data }) => {
  const { amount, currency, at } = data
  switch (type) {
    case 'WalletToppedUp':
      return { ...paidIn(wallet, data), topUps: [{ amount, at }, ...wallet.topUps].slice(0, maxTopUps) }
    case 'WalletCharged':
      return { ...wallet, balance: lessOf(wallet.balance, amount, currency) }
    case 'WalletRefunded':
      return paidIn(wallet, { amount, currency })
    default:
      return wallet
  }
}

function paidIn(wallet: Wallet, { amount, currency }: Pick<Movement, 'amount' | 'currency'>): Wallet {
  return { ...wallet, balance: sumOf([wallet.balance, amount], currency), currency: wallet.currency ?? currency }
}

function decide(command: WalletCommand, wallet: Wallet): readonly WalletEvent[] {
  const { amount, currency } = command
  if (!isPrinted(amount, currency)) throw new EngineError('not_a_positive_amount')
  if (wallet.currency !== undefined && wallet.currency !== currency)
    throw new EngineError('currency_differs', { expected: wallet.currency, received: currency })
  if (command.type === 'TopUpWallet') {
    const { type: _, ...data } = command
    return [{ type: 'WalletToppedUp', data }]
  }
  const { type, ...data } = command
  if (type === 'RefundWallet') return [{ type: 'WalletRefunded', data }]
  if (compareAmounts(amount, wallet.balance) > 0)
    throw new EngineError('insufficient_credits', { expected: amount, received: wallet.balance })
  return [{ type: 'WalletCharged', data }]
}

/** The decider of a customer's wallet. It has one currency, and its balance is never negative. */
export const wallets: Decider<Wallet, WalletCommand, WalletEvent> = {
  initial: () => ({ balance: '0', topUps: [] }),
  evolve,
  decide,
}
