import type { Context } from '../../kernel/context.ts'

/** What is looked for; at least one of words and postal code is there. */
export interface AddressQuery {
  /** Each word has to be in the street, the locality or the postal code, as a whole, whatever its case and accents. */
  readonly text?: string
  /** White space, hyphens and case do not matter. */
  readonly postalCode?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  readonly limit: number
}

/** An address, and when it was last used: ISO 8601, UTC. */
export interface KnownAddress {
  readonly street: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly usedAt: string
}

/** What addresses need of other domains: those that know some. */
export interface AddressPorts {
  /** Addresses that the caller has used, each once, those that were used last first. */
  search(context: Context, query: AddressQuery): Promise<readonly KnownAddress[]>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly addresses: AddressPorts
  }
}
