import type { Charge, ChargedMovement, ChargedRange } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import type { Payable } from '../../kernel/payable.ts'

/** What statements need of other domains. */
export interface StatementPorts {
  /**
   * What the orders of the register of a customer, or those of the business without one (`null`), cost now: those that were created
   * before an instant and have changed since another one, and those that were `told` before and are not its own any more.
   */
  charges(
    context: Context,
    customer: number | null,
    range: ChargedRange & { readonly told: readonly number[] },
  ): Promise<readonly Charge[]>
  /** All families that are paid: some have orders that are not in the register. */
  readonly payables: readonly Payable[]
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
