import type { Context } from '../../kernel/context.ts'

/** What handoffs need of other domains. */
export interface HandoffPorts {
  /** Whether there is an order that the caller may see; what it may not see does not exist for it. */
  orderExists(context: Context, id: number): Promise<boolean>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly handoffs: HandoffPorts
  }
}
