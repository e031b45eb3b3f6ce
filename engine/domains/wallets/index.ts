import type { Domain } from '../../kernel/domain.ts'
import { getAccountCredits, topUpWallet } from './operations.ts'
import { walletEventTypes } from './wallet.ts'

/** What customers have paid in advance, and what was paid from it. */
export const walletsDomain: Domain = {
  name: 'wallets',
  events: { wallet: walletEventTypes },
  operations: [getAccountCredits, topUpWallet],
}
