import type { Context } from '../../kernel/context.ts'

/** What mark-ups need of carriers. */
export interface MarkUpPorts {
  /** The ids of the accounts at carriers of the caller's business, but for its own fleet, which has a price list. */
  carrierAccounts(context: Context): Promise<readonly number[]>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly markUps: MarkUpPorts
  }
}
