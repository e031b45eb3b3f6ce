import type { GenericSchema, ObjectEntries } from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Cell, Condition, Page, Query } from '../../kernel/read-model.ts'

/** Schemas of the orders for the answers of insights. */
export interface OrderSchemas {
  /** `NamedOrder.record`. */
  readonly record: GenericSchema
  /** Members of `NamedOrder.shipment`. */
  readonly shipment: ObjectEntries
  /** `OrderEvents.events`. */
  readonly events: GenericSchema
}

/** An order as the caller may see it. */
interface NamedOrder {
  readonly id: number
  /** Of the parcel that is named, which is the first unless the name is the number of another; undefined if it has none. */
  readonly trackingNumber: string | undefined
  /** The complete record. */
  readonly record: Readonly<Record<string, unknown>>
  /** The details of the shipment for its owner. */
  readonly shipment: Readonly<Record<string, unknown>>
}

/** The names of an order: its id, or one of its two numbers in their compared form. */
type OrderName = 'order_id' | 'tracking_key' | 'external_key'

/** The first operation events of an order, and their total number. */
interface OrderEvents {
  readonly total: unknown
  readonly events: unknown
}

/** The order statuses that insights use. */
export type OrderStatus =
  | 'NEW_ORDER'
  | 'ASSIGNED'
  | 'ACCEPTED'
  | 'PICKUP_STARTED'
  | 'DELIVERED'
  | 'DELIVERED_BY_CARRIER'
  | 'FAILED'
  | 'RETURNED'

/**
 * What insights need of other domains. Rows only contain orders that the caller may see; `status` is an id, instants
 * are in UTC.
 */
export interface InsightPorts {
  /** The newest visible order with this name. The kinds of name are tried in order. Refuses with `order_not_found`. */
  orderNamed(context: Context, name: string, by: readonly OrderName[]): Promise<NamedOrder>
  /** When an order was last delivered: ISO 8601, UTC. */
  deliveredAt(context: Context, id: number): Promise<string | undefined>
  eventsOf(context: Context, id: number, limit: number): Promise<OrderEvents>
  orderRows(context: Context, query: Query): Promise<Page>
  /** The number of orders for each value of a column. */
  orderCounts(context: Context, column: string, condition: Condition): Promise<ReadonlyMap<Cell, number>>
  /** The number of orders that are listed as late, undeliverable, unassigned, reported on or contradicted. */
  countListed(
    context: Context,
    as: 'late' | 'undeliverable' | 'unassigned' | 'reported' | 'contradicting',
  ): Promise<number>
  statusId(status: OrderStatus): number
  /** The ids of the statuses of orders that have not ended. */
  openStatusIds(): readonly number[]
  /** A status as the caller may see it, by id; the name is empty if there is no such status. */
  visibleStatus(context: Context, id: number): { readonly id: number; readonly name: string }
  /** The timeline of an identifier, like `data` of `otep_tracking`; undefined if there is none. */
  timelineOf(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly insights: InsightPorts
  }
}
