import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'

/** A provider got a key; only its SHA-256 is stored. */
type ProviderAdded = Event<
  'ProviderAdded',
  {
    readonly name: string
    readonly key_hash: string
    readonly at: string
    /** The only business that it reports for; any business if absent. */
    readonly business_id?: number
    /** When the key is no longer accepted (ISO 8601, UTC); never if absent, as before keys could expire. */
    readonly expires_at?: string
  }
>

/** The provider got another key. The one before is accepted until `overlap_until`, unless it expires earlier. */
type ProviderKeyRotated = Event<
  'ProviderKeyRotated',
  {
    readonly name: string
    readonly key_hash: string
    readonly at: string
    readonly overlap_until: string
    readonly expires_at?: string
  }
>

/** All keys of the provider were revoked. */
type ProviderRevoked = Event<'ProviderRevoked', { readonly name: string; readonly at: string }>

/** A key of the provider was used; recorded at most once a day. */
type ProviderKeyUsed = Event<'ProviderKeyUsed', { readonly name: string; readonly at: string }>

/** The provider sends webhooks in a format, and proves it with a secret. */
type ProviderWebhookSet = Event<
  'ProviderWebhookSet',
  {
    readonly name: string
    readonly format: string
    readonly at: string
    /** Sealed as personal data is. */
    readonly personal?: { readonly secret: string }
  }
>

/** The provider sends no webhooks any more. */
type ProviderWebhookRemoved = Event<'ProviderWebhookRemoved', { readonly name: string; readonly at: string }>

/** An operator recorded events under a name that no provider had, so only an operator gives it to one. */
type ProviderNameReserved = Event<'ProviderNameReserved', { readonly name: string; readonly at: string }>

/** The events of the provider register. */
export type ProviderEvent =
  | ProviderAdded
  | ProviderKeyRotated
  | ProviderRevoked
  | ProviderKeyUsed
  | ProviderWebhookSet
  | ProviderWebhookRemoved
  | ProviderNameReserved

/** The shapes of the events of the provider register. */
export const providerEventShapes: ShapesOf<ProviderEvent> = {
  ProviderAdded: { name: 'text', key_hash: 'text', at: 'text', business_id: 'number?', expires_at: 'text?' },
  ProviderKeyRotated: { name: 'text', key_hash: 'text', at: 'text', overlap_until: 'text', expires_at: 'text?' },
  ProviderRevoked: { name: 'text', at: 'text' },
  ProviderKeyUsed: { name: 'text', at: 'text' },
  ProviderWebhookSet: { name: 'text', format: 'text', at: 'text' },
  ProviderWebhookRemoved: { name: 'text', at: 'text' },
  ProviderNameReserved: { name: 'text', at: 'text' },
}
