import type { Context } from '../../kernel/context.ts'

/** A query with words, a postal code, or both. */
interface AddressQuery {
  /**
   * Each word must be a whole word of the street (both lines), locality or postal code, or words together the postal code; case and
   * accents are ignored.
   */
  readonly text?: string
  /** White space, dashes and case are ignored. */
  readonly postalCode?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  readonly limit: number
}

/** An address, and when it was last used: ISO 8601, UTC. */
export interface KnownAddress {
  readonly street: string
  readonly street2?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly usedAt: string
}

/** What addresses need of other domains. */
export interface AddressPorts {
  /** The distinct addresses that the caller has used, most recent first. */
  search(context: Context, query: AddressQuery): Promise<readonly KnownAddress[]>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly addresses: AddressPorts
  }
}
