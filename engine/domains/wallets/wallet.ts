import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import { hundredthsOf, isNothing, lessOf, sumOf } from '../../kernel/money.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The stream of the wallet of a customer, by its user id. */
export function walletStream(customerId: number): StreamName {
  return `wallet-${customerId}`
}

/** Money that came or went: `amount` is decimal text with two digits, as money must not be rounded by a float. */
interface Movement {
  readonly customer_id: number
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** ISO 8601, UTC. */
  readonly at: string
  /** Whose account did it; nobody's where the platform did. */
  readonly by: number | null
}

/** Money that an order was paid with. */
interface OrderMovement extends Movement {
  readonly order_id: number
}

/** What happened to a wallet. */
export type WalletEvent =
  | Event<'WalletToppedUp', Movement>
  | Event<'WalletCharged', OrderMovement>
  /** What was charged for an order came back. */
  | Event<'WalletRefunded', OrderMovement>

const types: Readonly<Record<WalletEvent['type'], true>> = {
  WalletToppedUp: true,
  WalletCharged: true,
  WalletRefunded: true,
}

/** The types of the events of wallets. */
export const walletEventTypes: readonly string[] = Object.keys(types)

/** Money that came in. */
export interface TopUp {
  readonly amount: string
  readonly at: string
}

/** A wallet as its facts have it. */
export interface Wallet {
  /** Decimal text with two digits. */
  readonly balance: string
  /** That of the first that came in. */
  readonly currency?: string
  /** The latest, newest first. */
  readonly topUps: readonly TopUp[]
}

/** What can be asked of a wallet. Refusals: `not_a_positive_amount`, `currency_differs`, `insufficient_credits`. */
export type WalletCommand =
  | (Movement & { readonly type: 'TopUpWallet' })
  | (OrderMovement & { readonly type: 'ChargeWallet' | 'RefundWallet' })

/** So many of the latest top-ups are told. */
const maxTopUps = 20

const evolve: Reducer<Wallet, WalletEvent> = (wallet, { type, data }) => {
  const { amount, currency, at } = data
  switch (type) {
    case 'WalletToppedUp':
      return { ...paidIn(wallet, data), topUps: [{ amount, at }, ...wallet.topUps].slice(0, maxTopUps) }
    case 'WalletCharged':
      return { ...wallet, balance: lessOf(wallet.balance, amount) }
    case 'WalletRefunded':
      return paidIn(wallet, { amount, currency })
    default:
      return wallet
  }
}

function paidIn(wallet: Wallet, { amount, currency }: Pick<Movement, 'amount' | 'currency'>): Wallet {
  return { ...wallet, balance: sumOf([wallet.balance, amount]), currency: wallet.currency ?? currency }
}

function decide(command: WalletCommand, wallet: Wallet): readonly WalletEvent[] {
  const { amount, currency } = command
  if (!/^\d+\.\d{2}$/.test(amount) || isNothing(amount)) throw new EngineError('not_a_positive_amount')
  if (wallet.currency !== undefined && wallet.currency !== currency)
    throw new EngineError('currency_differs', { expected: wallet.currency, received: currency })
  if (command.type === 'TopUpWallet') {
    const { type: _, ...data } = command
    return [{ type: 'WalletToppedUp', data }]
  }
  const { type, ...data } = command
  if (type === 'RefundWallet') return [{ type: 'WalletRefunded', data }]
  if (hundredthsOf(amount) > hundredthsOf(wallet.balance))
    throw new EngineError('insufficient_credits', { expected: amount, received: wallet.balance })
  return [{ type: 'WalletCharged', data }]
}

/** The decider of the wallet of one customer: it holds one currency, and never less than nothing. */
export const wallets: Decider<Wallet, WalletCommand, WalletEvent> = {
  initial: () => ({ balance: '0.00', topUps: [] }),
  evolve,
  decide,
}
