import type { Context } from '../../kernel/context.ts'

/** An order of a driver's day, as the caller may see it. */
interface OrderOfDay {
  /** By the schema that the domain was created with. */
  readonly summary: Readonly<Record<string, unknown>>
  readonly route?: { readonly id: number; readonly stop: number } | undefined
  readonly timeWindow?: { readonly start: string; readonly end: string } | undefined
}

/** Counts of a driver's orders. */
interface OrderCounts {
  readonly orders: number
  readonly open: number
  readonly delivered: number
  /** Failed attempts and returned orders. */
  readonly failed: number
}

/** What drivers need of other domains. Days are `YYYY-MM-DD`. */
export interface DriverPorts {
  /** Ids of a driver's routes on a day, in the caller's business. */
  routesOn(context: Context, driver: number, day: string): Promise<readonly number[]>
  /**
   * Ids of a driver's orders that the caller may see: first those on these routes by their stops, then those of the
   * day without a route.
   */
  ordersOn(context: Context, driver: number, day: string, routes: readonly number[]): Promise<readonly number[]>
  /** An order; undefined if the caller may not see it. */
  orderOfDay(context: Context, id: number): Promise<OrderOfDay | undefined>
  /** Counts the orders of each driver on a day, as far as the caller may see them. */
  countOrders(context: Context, drivers: readonly number[], day: string): Promise<(driver: number) => OrderCounts>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly drivers: DriverPorts
  }
}
