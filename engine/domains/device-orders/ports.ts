import type { Context } from '../../kernel/context.ts'

/** What device orders need of other domains. */
export interface DeviceOrderPorts {
  /** Whether there is an order that the caller may see; what it may not see does not exist for it. */
  orderExists(context: Context, id: number): Promise<boolean>
  /** The timeline that an identifier leads to, as `otep_tracking` answers it in `data`; undefined where there is none. */
  timelineOf(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly deviceOrders: DeviceOrderPorts
  }
}
