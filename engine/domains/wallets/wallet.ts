import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The stream of the wallet of a customer, by its user id. */
export function walletStream(customerId: number): StreamName {
  return `wallet-${customerId}`
}

/** Money that came or went: `amount` is decimal text with two digits, as money must not be rounded by a float. */
interface Moved {
  readonly customer_id: number
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** ISO 8601, UTC. */
  readonly at: string
  /** Whose account did it. */
  readonly by: number | null
}

/** What happened to a wallet. */
export type WalletEvent = Event<'WalletToppedUp', Moved> | Event<'WalletCharged', Moved & { readonly order_id: number }>

const types: Readonly<Record<WalletEvent['type'], true>> = { WalletToppedUp: true, WalletCharged: true }

/** The types of the events of wallets. */
export const walletEventTypes: readonly string[] = Object.keys(types)

/** Money that came in. */
export interface TopUp {
  readonly amount: string
  readonly at: string
}

/** A wallet as its facts have it. */
export interface Wallet {
  readonly cents: number
  /** That of the first top-up. */
  readonly currency?: string
  /** The latest, newest first. */
  readonly topUps: readonly TopUp[]
}

/** What can be asked of a wallet. */
export type WalletCommand =
  | (Moved & { readonly type: 'TopUpWallet' })
  | (Moved & { readonly type: 'ChargeWallet'; readonly order_id: number })

/** So many of the latest top-ups are told. */
const recent = 20

/** Cents of a decimal text with two digits. */
export function centsOf(amount: string): number {
  return Number(amount.replace('.', ''))
}

/** Decimal text with two digits. */
export function decimalOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const evolve: Reducer<Wallet, WalletEvent> = (wallet, { type, data }) => {
  const { amount, currency, at } = data
  switch (type) {
    case 'WalletToppedUp': {
      const topUps = [{ amount, at }, ...wallet.topUps].slice(0, recent)
      return { cents: wallet.cents + centsOf(amount), currency: wallet.currency ?? currency, topUps }
    }
    case 'WalletCharged':
      return { ...wallet, cents: wallet.cents - centsOf(amount) }
    default:
      return wallet
  }
}

function decide(command: WalletCommand, wallet: Wallet): readonly WalletEvent[] {
  const { amount, currency } = command
  if (!/^\d+\.\d{2}$/.test(amount) || centsOf(amount) <= 0) throw new EngineError('not_an_amount')
  if (wallet.currency !== undefined && wallet.currency !== currency)
    throw new EngineError('currency_differs', { expected: wallet.currency, received: currency })
  if (command.type === 'TopUpWallet') {
    const { type: _, ...data } = command
    return [{ type: 'WalletToppedUp', data }]
  }
  if (centsOf(amount) > wallet.cents)
    throw new EngineError('insufficient_credits', { expected: amount, received: decimalOf(wallet.cents) })
  const { type: _, ...data } = command
  return [{ type: 'WalletCharged', data }]
}

/** The decider of the wallet of one customer: it holds one currency, and never less than nothing. */
export const wallets: Decider<Wallet, WalletCommand, WalletEvent> = {
  initial: () => ({ cents: 0, topUps: [] }),
  evolve,
  decide,
}
