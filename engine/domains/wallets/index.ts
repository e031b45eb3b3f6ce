import type { Domain } from '../../entity/domain.ts'
import { walletMessages } from './messages.ts'
import { getAccountCredits, topUpWallet } from './operations.ts'
import { walletEventShapes } from './wallet.ts'

export type { WalletCode } from './messages.ts'
export { type Wallet, type WalletCommand, type WalletEvent, walletStream, wallets } from './wallet.ts'

/** Prepaid credits of customers, and payments from them. */
export const walletsDomain: Domain = {
  name: 'wallets',
  messages: [walletMessages],
  events: { wallet: walletEventShapes },
  operations: [getAccountCredits, topUpWallet],
}
