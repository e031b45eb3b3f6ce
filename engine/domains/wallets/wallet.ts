import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../kernel/event-shape.ts'
import { compareAmounts, isPrinted, lessOf, negativeOf, sumOf } from '../../kernel/money.ts'
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

/** Money that came: by which payment of a provider outside, if it was one. */
interface Received extends Movement {
  readonly payment_id?: number
}

/** A movement of money for an order. */
interface OrderMovement extends Movement {
  readonly order_id: number
  /** The family whose number that is; absent where it is one of the sequence of orders. */
  readonly family?: string
}

/** Why the business itself moves money: to correct something, as a credit note, or as a fee. */
export const adjustmentKinds = ['adjustment', 'credit_note', 'fee'] as const

interface Adjustment extends Movement {
  readonly kind: (typeof adjustmentKinds)[number]
  /** Why, for the customer and for the books; it names nobody. */
  readonly reason: string
}

interface Credit extends Omit<Movement, 'amount'> {
  /** How far below zero the balance may go: decimal text. */
  readonly limit: string
}

/** An event that moves money. */
export type MovementEvent =
  | Event<'WalletToppedUp', Received>
  | Event<'WalletCharged', OrderMovement>
  /** The charge for an order was refunded, all of it or a part. */
  | Event<'WalletRefunded', OrderMovement>
  /** Its amount is below zero where it takes. */
  | Event<'WalletAdjusted', Adjustment>

/** The events of a wallet. */
export type WalletEvent = MovementEvent | Event<'WalletCreditSet', Credit>

const ofOrder = {
  order_id: 'number',
  family: 'text?',
  customer_id: 'number',
  amount: 'text',
  currency: 'text',
} as const

/** The shapes of the events of wallets. */
export const walletEventShapes: ShapesOf<WalletEvent> = {
  WalletToppedUp: { ...stamped, customer_id: 'number', payment_id: 'number?', amount: 'text', currency: 'text' },
  WalletCharged: { ...stamped, ...ofOrder },
  WalletRefunded: { ...stamped, ...ofOrder },
  WalletAdjusted: { ...stamped, customer_id: 'number', amount: 'text', currency: 'text', kind: 'text', reason: 'text' },
  WalletCreditSet: { ...stamped, customer_id: 'number', limit: 'text', currency: 'text' },
}

/** A top-up. */
interface TopUp {
  readonly amount: string
  readonly at: string
}

/** The state of a wallet. */
export interface Wallet {
  /** Decimal text; below zero for what the customer owes. */
  readonly balance: string
  /** How far below zero it may go: decimal text. */
  readonly creditLimit: string
  /** The currency of its first event. */
  readonly currency?: string
  /** The latest top-ups, newest first. */
  readonly topUps: readonly TopUp[]
  /** When it last changed (ISO 8601, UTC). */
  readonly updatedAt?: string
}

/**
 * The commands of a wallet. Refusals: `not_a_positive_amount` at the path of the amount, `currency_differs`,
 * `insufficient_credits`.
 */
export type WalletCommand =
  | (Received & { readonly type: 'TopUpWallet' })
  | (OrderMovement & {
      readonly type: 'ChargeWallet' | 'RefundWallet'
      /** The amount has just come for this order, so it is there whatever is owed. */
      readonly isCovered?: true
    })
  | (Adjustment & { readonly type: 'AdjustWallet' })
  /** Changes nothing if it is the limit already. */
  | (Credit & { readonly type: 'SetCredit' })

/** The number of latest top-ups that are kept. */
const maxTopUps = 20

/** What a movement adds to the balance: below zero for what it takes. */
export function changeOf({ type, data }: MovementEvent): string {
  return type === 'WalletCharged' ? negativeOf(data.amount, data.currency) : data.amount
}

/** Whether an event of a wallet moves money. */
export function isMovement(event: WalletEvent): event is MovementEvent {
  switch (event.type) {
    case 'WalletToppedUp':
    case 'WalletCharged':
    case 'WalletRefunded':
    case 'WalletAdjusted':
      return true
    default:
      return false
  }
}

const evolve: Reducer<Wallet, WalletEvent> = (wallet, event) => {
  if (!isMovement(event) && event.type !== 'WalletCreditSet') return wallet
  const { at, currency } = event.data
  const after = { ...wallet, currency: wallet.currency ?? currency, updatedAt: at }
  if (!isMovement(event)) return { ...after, creditLimit: event.data.limit }
  const balance = sumOf([wallet.balance, changeOf(event)], currency)
  if (event.type !== 'WalletToppedUp') return { ...after, balance }
  return { ...after, balance, topUps: [{ amount: event.data.amount, at }, ...wallet.topUps].slice(0, maxTopUps) }
}

function decide(command: WalletCommand, wallet: Wallet): readonly WalletEvent[] {
  const { currency } = command
  if (wallet.currency !== undefined && wallet.currency !== currency)
    throw new EngineError('currency_differs', { expected: wallet.currency, received: currency })
  if (command.type === 'SetCredit') {
    const { type: _, ...data } = command
    return compareAmounts(data.limit, wallet.creditLimit) === 0 ? [] : [{ type: 'WalletCreditSet', data }]
  }
  requireAmount(command)
  const event = movementOf(command)
  const change = changeOf(event)
  const available = sumOf([wallet.balance, wallet.creditLimit], currency)
  const isCovered = command.type === 'ChargeWallet' && command.isCovered
  if (!isCovered && compareAmounts(change, '0') < 0 && compareAmounts(sumOf([available, change], currency), '0') < 0)
    throw new EngineError('insufficient_credits', {
      expected: negativeOf(change, currency),
      received: lessOf(available, '0', currency),
    })
  return [event]
}

type MovementCommand = Exclude<WalletCommand, { readonly type: 'SetCredit' }>

/** Only a correction may be below zero: what others give or take, their kind says. */
function requireAmount({ amount, currency, ...command }: MovementCommand): void {
  const isSigned = command.type === 'AdjustWallet' && command.kind === 'adjustment' && amount.startsWith('-')
  if (isPrinted(isSigned ? amount.slice(1) : amount, currency)) return
  const code = 'not_a_positive_amount'
  throw new EngineError(code, {}, [{ path: 'amount', code, params: {} }])
}

function movementOf(command: MovementCommand): MovementEvent {
  switch (command.type) {
    case 'TopUpWallet': {
      const { type: _, ...data } = command
      return { type: 'WalletToppedUp', data }
    }
    case 'ChargeWallet':
    case 'RefundWallet': {
      const { type, isCovered: _, ...data } = command
      return { type: type === 'ChargeWallet' ? 'WalletCharged' : 'WalletRefunded', data }
    }
    case 'AdjustWallet': {
      const { type: _, ...data } = command
      const amount = data.kind === 'fee' ? negativeOf(data.amount, data.currency) : data.amount
      return { type: 'WalletAdjusted', data: { ...data, amount } }
    }
  }
}

/** The decider of a customer's wallet. It has one currency, and its balance is never below its limit of credit. */
export const wallets: Decider<Wallet, WalletCommand, WalletEvent> = {
  initial: () => ({ balance: '0', creditLimit: '0', topUps: [] }),
  evolve,
  decide,
}
