import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Providers. */
export const providerMessages = {
  unauthenticated: {
    key_expired: 'The key expired at {at}. Ask the operator of this server for another.',
  },
  bad_request: {
    webhooks_not_proved: 'Webhooks of {received} cannot be verified. These can: {expected}.',
  },
  not_found: {
    provider_not_found: 'There is no provider {name} with a valid key.',
  },
  conflict: {
    provider_exists: 'Provider {name} already has a key. Rotate or revoke it.',
    provider_name_taken: 'The name {name} is taken. Choose another.',
    too_many_providers:
      'Your business has {limit} names of providers, the most that there can be. Use one of a revoked provider again.',
    too_many_provider_keys:
      'The provider got {limit} keys today, the most that there can be. Try again tomorrow, or ask the operator of this server.',
    provider_key_replaced:
      'This key has been replaced, and only its successor can be. If you do not have the successor, ask for the keys to be revoked.',
  },
  value: {
    provider_reach_required:
      'Name the business of the provider (business_id), or allow it all businesses (all_businesses).',
    provider_required: 'provider is required, because an account is not a provider itself.',
    not_provider_name: 'Expected lower-case letters and digits, with single hyphens between words.',
  },
} as const satisfies Catalogue

/** A code of providers. */
export type ProviderCode = CodeOf<typeof providerMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ProviderCode, 'providers'> {}
}
