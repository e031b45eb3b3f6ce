import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Cell } from '../../kernel/read-model.ts'

/**
 * A command of a route on an order, with the caller and the time of the call. `broker_id` is the contractor of the
 * route.
 */
export type RouteOrderCommand =
  | { readonly type: 'PlanOrder'; readonly route_id: number; readonly stop: number; readonly broker_id?: number }
  | { readonly type: 'TakeOffRoute'; readonly route_id: number }
  | { readonly type: 'AssignDriver'; readonly driver: number; readonly source: 'route'; readonly broker_id?: number }
  | { readonly type: 'UnassignDriver'; readonly reason: 'removal' }

/** An order at its stop. */
interface OrderAtStop {
  /** By the schema that the domain was created with. */
  readonly summary: Readonly<Record<string, unknown>>
  readonly stop?: number | undefined
  readonly scheduleDate?: string | undefined
  readonly timeWindow?: { readonly start: string; readonly end: string } | undefined
}

/** An order as routes see it. */
export interface RouteOrder {
  readonly id: number
  readonly driverId?: number | undefined
  /** No driver is under way with it yet. */
  readonly isWaiting: boolean
  /** Its last attempt has failed. */
  readonly hasFailed: boolean
  readonly isEnded: boolean
  /** Its details; undefined if the caller may not see it. */
  readonly shown: OrderAtStop | undefined
  /** The appends of these commands, one after the other. Refuses like the order. */
  decide(commands: readonly RouteOrderCommand[]): readonly Append[]
}

/** What routes need of other domains. */
export interface RoutePorts {
  /** Refuses `driver_id` unless it is an active driver of the caller's business. */
  requireDriver(context: Context, id: number): Promise<void>
  /** An order that the caller may see; refuses with `order_not_found`. */
  orderAt(context: Context, id: number): Promise<RouteOrder>
  /** Those of these orders that are currently on the route, for any caller. */
  ordersOn(context: Context, route: number, ids: readonly number[]): Promise<readonly RouteOrder[]>
  /** The number of orders on each route. */
  countOrders(context: Context, routes: readonly Cell[]): Promise<ReadonlyMap<Cell, number>>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly routes: RoutePorts
  }
}
