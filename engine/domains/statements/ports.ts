import type { Charge, ChargedMovement } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'

/** Orders that changed, and up to where the register was read: the next reading begins there. */
export interface ChargesRead {
  readonly charges: readonly Charge[]
  /** The position of the register; undefined where nothing has changed. */
  readonly until: string | undefined
}

/** What statements need of other domains. */
export interface StatementPorts {
  /**
   * What the orders of a customer, or those of the business without one (`null`), cost now: those that were created before an instant
   * (ISO 8601, UTC) and have changed since a position of the register, and those that were `told` before and are not its own any more. None is left out by
   * the next reading.
   */
  charges(
    context: Context,
    customer: number | null,
    range: { readonly since: string | undefined; readonly before: string; readonly told: readonly number[] },
  ): Promise<ChargesRead>
  /** The movements of a customer's wallet, oldest first. */
  movements(context: Context, customer: number): Promise<readonly ChargedMovement[]>
  /** A page of the customers of the caller's business, in order of id; only the one with an id, if it is given. */
  customers(
    context: Context,
    range: { readonly limit: number; readonly offset: number },
    id?: number,
  ): Promise<{ readonly customers: readonly { readonly id: number; readonly name?: string | undefined }[] }>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly statements: StatementPorts
  }
}
