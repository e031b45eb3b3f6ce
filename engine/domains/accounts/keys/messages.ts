import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** API keys and service accounts. */
export const apiKeyMessages = {
  unauthenticated: {
    api_key_expired: 'The API key expired at {at}. Rotate it, or make another.',
  },
  forbidden: {
    not_own_api_key: 'Only the account of an API key can rotate it. You can revoke it.',
  },
  not_found: {
    api_key_not_found: 'There is no such API key.',
  },
  conflict: {
    api_key_ended: 'This API key has been revoked, or its account was disabled. Make another.',
    too_many_api_keys: 'The account has {limit} valid API keys. Revoke those that nobody needs.',
    service_account: 'Nobody signs in to a service account: it has no password, address or second factor.',
    not_service_account:
      'Account {account} is that of a person, who makes its API keys. Others make those of service accounts.',
  },
  value: {
    scope_not_of_account: 'You do not have the scope {received}.',
    not_an_operation: 'There is no operation {received}.',
  },
} as const satisfies Catalogue

/** A code of API keys and service accounts. */
export type ApiKeyCode = CodeOf<typeof apiKeyMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ApiKeyCode, 'accounts'> {}
}
