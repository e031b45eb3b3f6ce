import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Payments by providers outside. */
export const paymentMessages = {
  unauthenticated: {
    payment_events_refused: 'There is no such account of a payment provider, or its provider did not sign this.',
  },
  not_found: {
    payment_account_not_found: 'There is no account {account} at a payment provider.',
    payment_not_found: 'There is no payment {payment}.',
  },
  conflict: {
    payment_account_status_forbids: 'The account {account} at a payment provider is {status}, so this is not possible.',
    payment_account_in_use: 'Payments of this account are pending. Remove it once they have ended.',
    payment_status_forbids: 'The payment {payment} is {status}, so this is not possible.',
    payment_refused: 'The payment provider does not take this payment: {reason}',
  },
  unavailable: {
    payment_provider_silent: 'The payment provider did not answer. Nothing was paid; try again later.',
  },
  value: {
    unknown_payment_provider: 'There is no payment provider {received}; expected one of: {expected}.',
  },
} as const satisfies Catalogue

/** A code of payments. */
export type PaymentCode = CodeOf<typeof paymentMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<PaymentCode, 'payments'> {}
}
