import type { Gives, Giving } from '../../entity/domain.ts'
import { adjustWallet, setCreditLimit } from './correct.ts'
import { chargedMovements } from './for-statements.ts'
import { listWallets } from './list.ts'
import { walletMessages } from './messages.ts'
import { getCreditMovements, getWalletMovements } from './movements.ts'
import { getAccountCredits, topUpWallet } from './operations.ts'
import { deposit, payments } from './payments.ts'
import { walletEventShapes } from './wallet.ts'

export { listWallets } from './list.ts'
export type { WalletCode } from './messages.ts'
export { getCreditMovements, getWalletMovements } from './movements.ts'
export type { WalletPorts } from './ports.ts'
export { type Wallet, type WalletCommand, type WalletEvent, walletStream, wallets } from './wallet.ts'

/** What others get from here, by who needs it. */
const gives = {
  ...{ deviceOrders: payments, labels: payments, orders: payments },
  payments: { deposit },
  statements: { movements: chargedMovements },
} satisfies Gives

/** Prepaid credits of customers, and payments from them. */
export const walletsDomain: Giving<typeof gives> = {
  gives,
  name: 'wallets',
  messages: [walletMessages],
  events: { wallet: walletEventShapes },
  operations: [
    ...[getAccountCredits, getCreditMovements, topUpWallet],
    ...[listWallets, getWalletMovements, adjustWallet, setCreditLimit],
  ],
}
