import type { Context, Facts } from '../../kernel/context.ts'
import type { ProofFact, ProofFileFact } from './facts.ts'

/** A fact, and the revision of the order's stream that it is recorded at. */
export type ProofFactAt = ProofFact & { readonly revision: number }

/** What proof needs of other domains. */
export interface ProofPorts {
  /** The facts of an order that the caller may see, and its revision; refuses with `order_not_found`. */
  factsFor(
    context: Context,
    order: number,
  ): Promise<{ readonly revision: number; readonly facts: readonly ProofFact[] }>
  /** The facts of an order up to a revision and with it, whoever asks. */
  factsUpTo(facts: Facts, order: number, revision: number): Promise<readonly ProofFactAt[]>
  /** Records facts in the order's stream, which has to be at this revision. */
  record(context: Context, order: number, facts: readonly ProofFileFact[], revision: number): Promise<void>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly proof: ProofPorts
  }
}
