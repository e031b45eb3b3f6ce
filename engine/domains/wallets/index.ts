import type { Domain } from '../../kernel/domain.ts'
import { walletMessages } from './messages.ts'
import { getAccountCredits, topUpWallet } from './operations.ts'
import { walletEventTypes } from './wallet.ts'

/** What customers have paid in advance, and what was paid from it. */
export const walletsDomain: Domain = {
  name: 'wallets',
  messages: [walletMessages],
  events: { wallet: walletEventTypes },
  operations: [getAccountCredits, topUpWallet],
}
