import type { Context, Facts } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/finding.ts'
import type { Reading } from '../../kernel/projection.ts'

/** What EPCIS needs of other domains. */
export interface EpcisPorts {
  /** Records what the readings of a document say; with `atomic` all or nothing. The findings of each reading, in order. */
  ingest(
    context: Context,
    readings: readonly Reading[],
    atomic: boolean,
  ): Promise<readonly { readonly errors: readonly Finding[] }[]>
  /** The providers that report for a business, or did. */
  providersOf(facts: Pick<Facts, 'store'>, business: number): Promise<readonly string[]>
  /** The source events of a thing, if the caller may see its timeline; none otherwise. Ids are those of their providers. */
  sourcesOfOwn(context: Context, thing: string): Promise<readonly { readonly provider: string; readonly id: string }[]>
  /** The businesses of the orders whose timeline a thing has; empty if there are none. */
  businessesOfThing(context: Context, thing: string): Promise<readonly number[]>
  /** Since when a provider has had keys (ISO 8601, UTC); undefined if it has none that is valid at an instant. */
  activeSince(facts: Pick<Facts, 'store'>, provider: string, at: string): Promise<string | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly epcis: EpcisPorts
  }
}
