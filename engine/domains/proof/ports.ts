import type { Context, Facts } from '../../kernel/context.ts'
import type { ProofFact, ProofFileFact } from './facts.ts'

/** An event and its revision in the stream of the order. */
type ProofFactAt = ProofFact & { readonly revision: number }

/** What proof needs of other domains. */
export interface ProofPorts {
  /** The proof events of an order that the caller may see, and its revision; refuses with `order_not_found`. */
  factsFor(
    context: Context,
    order: number,
  ): Promise<{ readonly revision: number; readonly facts: readonly ProofFact[] }>
  /** The proof events of an order up to a revision (inclusive), for any caller. */
  factsUpTo(facts: Facts, order: number, revision: number): Promise<readonly ProofFactAt[]>
  /** Records events in the order's stream, which must be at this revision. */
  record(context: Context, order: number, facts: readonly ProofFileFact[], revision: number): Promise<void>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly proof: ProofPorts
  }
}
