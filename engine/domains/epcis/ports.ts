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
  /** Since when a provider has had keys (ISO 8601, UTC); undefined if it has none that is valid at an instant. */
  activeSince(facts: Pick<Facts, 'store'>, provider: string, at: string): Promise<string | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly epcis: EpcisPorts
  }
}
