import type { EventBase } from '../../../entity/machine.ts'
import type { Event } from '../../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../../kernel/event-shape.ts'

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

/** The shapes of the events of API keys. */
export const apiKeyEventShapes: ShapesOf<ApiKeyEvent> = {
  ApiKeyMade: {
    ...stamped,
    key_id: 'number',
    scopes: 'list',
    operations: 'list?',
    read_only: 'flag?',
    account_id: 'number',
    business_id: 'number',
    generation: 'number',
    hash: 'text',
    expires_at: 'text',
  },
  ApiKeyRotated: { ...stamped, key_id: 'number', hash: 'text', expires_at: 'text', overlap_until: 'text' },
  ApiKeyRevoked: { ...stamped, key_id: 'number' },
  ApiKeyUsed: { at: 'text', key_id: 'number' },
  ApiKeyErased: { ...stamped, key_id: 'number' },
}
