import type { Event } from '../../kernel/event.ts'

/** A provider got a key; only its SHA-256 is stored. */
export type ProviderAdded = Event<
  'ProviderAdded',
  {
    readonly name: string
    readonly key_hash: string
    readonly at: string
    /** The only business that it reports for; any business if absent. */
    readonly business_id?: number
  }
>

/** The provider's key was revoked. */
export type ProviderRevoked = Event<'ProviderRevoked', { readonly name: string; readonly at: string }>

/** The provider's key was used; recorded at most once a day. */
export type ProviderKeyUsed = Event<'ProviderKeyUsed', { readonly name: string; readonly at: string }>

/** The events of the provider register. */
export type ProviderEvent = ProviderAdded | ProviderRevoked | ProviderKeyUsed

const types: Readonly<Record<ProviderEvent['type'], true>> = {
  ProviderAdded: true,
  ProviderRevoked: true,
  ProviderKeyUsed: true,
}

/** The types of the events of the provider register. */
export const providerEventTypes: readonly string[] = Object.keys(types)
