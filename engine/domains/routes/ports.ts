import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Cell } from '../../kernel/read-model.ts'

/** What a route asks of an order; the caller gives it, now. `broker_id` is the contractor of the route. */
export type RouteOrderCommand =
  | { readonly type: 'PlanOrder'; readonly route_id: number; readonly stop: number; readonly broker_id?: number }
  | { readonly type: 'TakeOffRoute'; readonly route_id: number }
  | { readonly type: 'AssignDriver'; readonly driver: number; readonly source: 'route'; readonly broker_id?: number }
  | { readonly type: 'UnassignDriver'; readonly reason: 'removal' }

/** What is told of an order at its stop. */
export interface OrderAtStop {
  /** By the schema that the domain was made with. */
  readonly summary: Readonly<Record<string, unknown>>
  readonly stop?: number | undefined
  readonly scheduleDate?: string | undefined
  readonly timeWindow?: { readonly start: string; readonly end: string } | undefined
}

/** An order as a route sees it. */
export interface RouteOrder {
  readonly id: number
  readonly driverId?: number | undefined
  /** Nobody is under way with it yet. */
  readonly isWaiting: boolean
  /** Its last attempt has failed. */
  readonly hasFailed: boolean
  readonly isEnded: boolean
  /** What is told of it; undefined where the caller may not see it. */
  readonly shown: OrderAtStop | undefined
  /** What these commands record, one after the other. Refuses as the order does. */
  decide(commands: readonly RouteOrderCommand[]): readonly Append[]
}

/** What routes need of other domains. */
export interface RoutePorts {
  /** Refuses `driver_id` where it is no driver of the caller's business who can sign in. */
  requireDriver(context: Context, id: number): Promise<void>
  /** An order that the caller may see; refuses with `order_not_found`. */
  orderAt(context: Context, id: number): Promise<RouteOrder>
  /** Those of these orders that are on a route by their own account, whoever asks. */
  ordersOn(context: Context, route: number, ids: readonly number[]): Promise<readonly RouteOrder[]>
  /** How many orders are on each of these routes. */
  countOrders(context: Context, routes: readonly Cell[]): Promise<ReadonlyMap<Cell, number>>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly routes: RoutePorts
  }
}
