import type { Context } from '../../kernel/context.ts'

/** What handoffs need of other domains. */
export interface HandoffPorts {
  /** Whether the caller may see an order with this id. Orders that the caller may not see do not exist for it. */
  orderExists(context: Context, id: number): Promise<boolean>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly handoffs: HandoffPorts
  }
}
