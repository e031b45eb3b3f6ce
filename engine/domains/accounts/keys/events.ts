import type { EventBase } from '../../../entity/machine.ts'
import type { Event } from '../../../kernel/event.ts'

/** What an API key may do. */
export interface KeyTerms {
  readonly scopes: readonly string[]
  /** The only operations that it may call; all of its scopes if absent. */
  readonly operations?: readonly string[]
  readonly read_only?: true
}

type KeyEventBase = EventBase & { readonly key_id: number }

/** The events of an API key. Only the SHA-256 of the key is stored. */
export type ApiKeyEvent =
  | Event<
      'ApiKeyMade',
      KeyEventBase &
        KeyTerms & {
          readonly account_id: number
          readonly business_id: number
          /** The account's `key_generation` at that time; when it has increased, the key has ended. */
          readonly generation: number
          readonly hash: string
          readonly expires_at: string
          readonly personal?: { readonly name: string }
        }
    >
  /** The key before is accepted until `overlap_until`, unless it expires earlier. */
  | Event<
      'ApiKeyRotated',
      KeyEventBase & { readonly hash: string; readonly expires_at: string; readonly overlap_until: string }
    >
  | Event<'ApiKeyRevoked', KeyEventBase>
  /** Recorded once a day, and from another source once an hour. */
  | Event<
      'ApiKeyUsed',
      { readonly at: string; readonly key_id: number; readonly personal?: { readonly source: string } }
    >
  /** The name and the source were erased with the person of the account; the key is revoked. */
  | Event<'ApiKeyErased', KeyEventBase>

const types: Readonly<Record<ApiKeyEvent['type'], true>> = {
  ApiKeyMade: true,
  ApiKeyRotated: true,
  ApiKeyRevoked: true,
  ApiKeyUsed: true,
  ApiKeyErased: true,
}

/** The types of the events of API keys, by stream category. */
export const apiKeyEventTypes = { api_key: Object.keys(types) }
