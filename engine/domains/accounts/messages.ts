import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Businesses, accounts and sign-in. */
export const accountMessages = {
  unauthenticated: {
    invalid_id_token: 'The ID token is not valid here.',
    invalid_credentials: 'The email address or the password is wrong.',
  },
  forbidden: {
    app_unavailable: 'The app is not available for this client.',
    sign_in_method_not_allowed: 'This sign-in method is not allowed in this app.',
    app_role_not_allowed: 'Accounts of kind {received} cannot sign in to this app.',
    client_access_not_allowed: 'The account has no access to this client.',
  },
  not_found: {
    account_not_found: 'There is no such account.',
    business_not_found: 'There is no such business.',
    app_context_not_found: 'There is no such app for this client.',
  },
  conflict: {
    email_taken: 'There is already an account with this email address.',
    role_kept: 'An account of kind {received} cannot become {expected}. Open another account, and disable this one.',
    own_role_kept: 'An account cannot change its own role.',
    account_erased: 'The person of this account was erased, so it cannot be changed.',
    module_not_switchable: 'The module {module} is {received} by the platform and cannot be switched here.',
    module_not_built: 'The module {module} does not exist in this version and cannot be switched on.',
    registration_required: 'There is no account for this identity. Register first.',
    binding_conflict: 'The account is bound to another identity of this provider.',
  },
  unavailable: {
    identity_provider_unavailable: 'The identity provider cannot be reached. Try again in a moment.',
  },
  value: {
    wrong_password: 'The current password is wrong.',
    password_too_short: 'A password needs at least 10 characters.',
    password_too_common:
      'This password is too common: it would soon be guessed. Use several words that do not belong together.',
    password_names_owner: 'This password is made of the name, address or business of the account, which others know.',
    not_an_email: 'Expected an email address.',
    not_a_customer: 'The business has no customer {customer}.',
    unknown_time_zone: '{received} is not a time zone of the IANA database.',
    own_account_kept: 'An account cannot disable itself.',
    module_not_of_account: 'The module {module} cannot be switched for an account of kind {received}.',
    not_a_version: 'Expected a semantic version, for example 1.4.0.',
  },
} as const satisfies Catalogue

/** A code of businesses, accounts and sign-in. */
export type AccountCode = CodeOf<typeof accountMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AccountCode, 'accounts'> {}
}
