import type { Context } from '../../kernel/context.ts'
import type { PayingPorts } from '../../kernel/payable.ts'

/** What device orders need of other domains. */
export interface DeviceOrderPorts extends PayingPorts {
  /** Whether the caller may see an order with this id. Orders that the caller may not see do not exist for it. */
  orderExists(context: Context, id: number): Promise<boolean>
  /** The timeline of an identifier, like `data` of `otep_tracking`; undefined if there is none. */
  timelineOf(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly deviceOrders: DeviceOrderPorts
  }
}
