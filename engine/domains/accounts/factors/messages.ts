import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Second factors. */
export const factorMessages = {
  unauthenticated: {
    second_factor_required: 'The password is right. Go on with your second factor.',
  },
  forbidden: {
    second_factor_setup_required:
      'Your business asks for a second factor, and your account has none. Set one up by signing in at {url}.',
    sign_in_again: 'For this, your sign-in must be at most 15 minutes old. Sign in again.',
  },
  not_found: {
    factor_not_found: 'Your account has no such second factor.',
  },
  conflict: {
    second_factor_needed: 'Your business asks for a second factor. Add another before you remove this one.',
    own_factors_kept: 'Remove your own second factors on the page of your account.',
    passkeys_unavailable: 'This server cannot check passkeys.',
    passkey_exists: 'Your account has this passkey already.',
    too_many_passkeys: 'An account can have {limit} passkeys.',
  },
  gone: {
    ticket_not_valid: 'This step is over or has run out. Begin again.',
  },
  invalid: {
    passkey_not_valid: 'The answer for this passkey is not right.',
  },
} as const satisfies Catalogue

/** A code of second factors. */
export type FactorCode = CodeOf<typeof factorMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<FactorCode, 'accounts'> {}
}
