import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Wallets. */
export const walletMessages = {
  conflict: {
    insufficient_credits: 'There are not enough credits: {received} of the {expected} needed.',
  },
  value: {
    not_a_positive_amount: 'Expected an amount above zero with two decimals, for example 25.00.',
    currency_differs: 'The wallet is in {expected}, not in {received}.',
  },
} as const satisfies Catalogue

/** A code of wallets. */
export type WalletCode = CodeOf<typeof walletMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<WalletCode, 'wallets'> {}
}
