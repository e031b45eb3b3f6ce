import type { Event } from '../../kernel/event.ts'

/** A provider was given a key; only the key's SHA-256 is kept. */
export type ProviderAdded = Event<
  'ProviderAdded',
  {
    readonly name: string
    readonly key_hash: string
    readonly at: string
    /** The business that it reports for; any where absent. */
    readonly business_id?: number
  }
>

/** The provider's key was made void. */
export type ProviderRevoked = Event<'ProviderRevoked', { readonly name: string; readonly at: string }>

/** The provider's key was used; recorded at most once a day. */
export type ProviderKeyUsed = Event<'ProviderKeyUsed', { readonly name: string; readonly at: string }>

/** The events of the register of providers. */
export type ProviderEvent = ProviderAdded | ProviderRevoked | ProviderKeyUsed

const types: Readonly<Record<ProviderEvent['type'], true>> = {
  ProviderAdded: true,
  ProviderRevoked: true,
  ProviderKeyUsed: true,
}

/** The types of the events of the register of providers. */
export const providerEventTypes: readonly string[] = Object.keys(types)
