import type { GenericSchema, ObjectEntries } from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Cell, Condition, Page, Query } from '../../kernel/read-model.ts'

/** What insights show of orders, by the schemas of the orders. */
export interface OrderSchemas {
  /** `NamedOrder.record`. */
  readonly record: GenericSchema
  /** Members of `NamedOrder.shipment`. */
  readonly shipment: ObjectEntries
  /** `OrderEvents.events`. */
  readonly events: GenericSchema
}

/** An order as the caller is told of it. */
export interface NamedOrder {
  readonly id: number
  readonly trackingNumber: string
  /** All of it. */
  readonly record: Readonly<Record<string, unknown>>
  /** What its owner is told of it as a shipment. */
  readonly shipment: Readonly<Record<string, unknown>>
}

/** What an order can be named by: its id, or one of its two numbers as they are compared. */
export type OrderName = 'order_id' | 'tracking_key' | 'external_key'

/** The first operation events of an order, and how many there are. */
export interface OrderEvents {
  readonly total: unknown
  readonly events: unknown
}

/** The statuses of an order that insights name. */
export type OrderStatus =
  | 'NEW_ORDER'
  | 'ASSIGNED'
  | 'ACCEPTED'
  | 'PICKUP_STARTED'
  | 'DELIVERED'
  | 'DELIVERED_BY_CARRIER'
  | 'FAILED'
  | 'RETURNED'

/** What insights need of other domains. Rows of orders are those that the caller may see; `status` is an id, instants are in UTC. */
export interface InsightPorts {
  /** The newest order that the caller may see which one of these names, the first of them that names any. Refuses with `order_not_found`. */
  orderNamed(context: Context, name: string, by: readonly OrderName[]): Promise<NamedOrder>
  /** When an order was last delivered, by whomever: ISO 8601, UTC. */
  deliveredAt(context: Context, id: number): Promise<string | undefined>
  eventsOf(context: Context, id: number, limit: number): Promise<OrderEvents>
  orderRows(context: Context, query: Query): Promise<Page>
  /** How many orders there are for each value of a column. */
  orderCounts(context: Context, column: string, condition: Condition): Promise<ReadonlyMap<Cell, number>>
  statusId(status: OrderStatus): number
  /** A status by its id, as the caller is told it; without a name where there is none of this id. */
  visibleStatus(context: Context, id: number): { readonly id: number; readonly name: string }
  /** The timeline that an identifier leads to, as `otep_tracking` answers it in `data`; undefined where there is none. */
  timelineOf(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly insights: InsightPorts
  }
}
