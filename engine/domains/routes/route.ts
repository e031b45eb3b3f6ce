import type { EventBase } from '../../entity/machine.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** Statuses of a route; completed and cancelled are final. */
export const routeStatuses = ['planned', 'started', 'completed', 'cancelled'] as const

/** A status of a route. */
export type RouteStatus = (typeof routeStatuses)[number]

/** A route was planned with these orders as its stops, from 1. `broker_id` is the contractor who planned it. */
export type RoutePlanned = Event<
  'RoutePlanned',
  EventBase & {
    readonly route_id: number
    readonly business_id: number
    readonly broker_id?: number
    readonly name?: string
    /** `YYYY-MM-DD`, in the time zone of the business. */
    readonly schedule_date: string
    readonly driver_id?: number
    readonly order_ids: readonly number[]
  }
>

/** The events of a route. */
export type RouteEvent =
  | RoutePlanned
  | Event<'RouteDriverChanged', EventBase & { readonly driver_id: number | null }>
  /** The orders are the next stops. */
  | Event<'RouteOrdersAdded', EventBase & { readonly order_ids: readonly number[] }>
  | Event<'RouteOrderRemoved', EventBase & { readonly order_id: number }>
  | Event<'RouteStarted' | 'RouteCompleted' | 'RouteCancelled', EventBase>

/** The commands of a route. Refusals: `delivery_route_not_found`, `route_status_forbids`, and those of each command. */
export type RouteCommand =
  | { readonly type: 'PlanRoute'; readonly data: RoutePlanned['data'] }
  /** Refusal: `route_needs_driver` if a started route would lose its driver. */
  | (EventBase & { readonly type: 'ChangeDriver'; readonly driver_id: number | null })
  /** Ignores orders that are already on the route. */
  | (EventBase & { readonly type: 'AddOrders'; readonly order_ids: readonly number[] })
  /** Refusal: `order_not_on_route`. */
  | (EventBase & { readonly type: 'RemoveOrder'; readonly order_id: number })
  /** Refusals: `route_needs_driver`, `route_without_orders`. */
  | (EventBase & { readonly type: 'StartRoute' })
  /** `open` is its number of open orders. Refusal: `route_has_open_orders`. */
  | (EventBase & { readonly type: 'CompleteRoute'; readonly open: number })
  | (EventBase & { readonly type: 'CancelRoute' })

/** An order and its stop on a route. */
export interface Stop {
  readonly orderId: number
  readonly stop: number
}

/** The state of a route. An order may have left it by an event of its own; the order's state is decisive. */
export interface Route {
  readonly id: number
  readonly businessId: number
  readonly brokerId?: number | undefined
  readonly name?: string | undefined
  readonly scheduleDate: string
  readonly driverId?: number | undefined
  readonly status: RouteStatus
  readonly stops: readonly Stop[]
  /** The number of the next stop; numbers are not reused. */
  readonly nextStop: number
}

/** Undefined before the route was planned. */
export type RouteState = Route | undefined

const evolve: Reducer<RouteState, RouteEvent> = (route, event) => {
  if (event.type === 'RoutePlanned') return planned(event.data)
  if (route === undefined) return route
  switch (event.type) {
    case 'RouteDriverChanged':
      return { ...route, driverId: event.data.driver_id ?? undefined }
    case 'RouteOrdersAdded':
      return withStops(route, event.data.order_ids)
    case 'RouteOrderRemoved':
      return { ...route, stops: route.stops.filter(({ orderId }) => orderId !== event.data.order_id) }
    case 'RouteStarted':
      return { ...route, status: 'started' }
    case 'RouteCompleted':
      return { ...route, status: 'completed' }
    case 'RouteCancelled':
      return { ...route, status: 'cancelled' }
    default: {
      // Ignores events of later versions.
      void (event satisfies never)
      return route
    }
  }
}

function planned({ order_ids, ...data }: RoutePlanned['data']): Route {
  const route: Route = {
    id: data.route_id,
    businessId: data.business_id,
    brokerId: data.broker_id,
    name: data.name,
    scheduleDate: data.schedule_date,
    driverId: data.driver_id,
    status: 'planned',
    stops: [],
    nextStop: 1,
  }
  return withStops(route, order_ids)
}

function withStops(route: Route, orderIds: readonly number[]): Route {
  const added = orderIds.map((orderId, index) => ({ orderId, stop: route.nextStop + index }))
  return { ...route, stops: [...route.stops, ...added], nextStop: route.nextStop + added.length }
}

const allowed: Readonly<Record<Exclude<RouteCommand['type'], 'PlanRoute'>, readonly RouteStatus[]>> = {
  ChangeDriver: ['planned', 'started'],
  AddOrders: ['planned', 'started'],
  RemoveOrder: ['planned', 'started'],
  StartRoute: ['planned'],
  CompleteRoute: ['started'],
  CancelRoute: ['planned', 'started'],
}

function decide(command: RouteCommand, route: RouteState): readonly RouteEvent[] {
  if (command.type === 'PlanRoute') {
    if (route !== undefined) throw statusForbids(command, route)
    return [{ type: 'RoutePlanned', data: command.data }]
  }
  if (route === undefined) throw new EngineError('delivery_route_not_found', { route: 0 })
  if (!allowed[command.type].includes(route.status)) throw statusForbids(command, route)
  const base = { at: command.at, by: command.by }
  switch (command.type) {
    case 'ChangeDriver':
      return changeDriver(command, route)
    case 'AddOrders': {
      const order_ids = command.order_ids.filter((id) => !has(route, id))
      return order_ids.length === 0 ? [] : [{ type: 'RouteOrdersAdded', data: { ...base, order_ids } }]
    }
    case 'RemoveOrder':
      if (!has(route, command.order_id)) throw new EngineError('order_not_on_route', { order: command.order_id })
      return [{ type: 'RouteOrderRemoved', data: { ...base, order_id: command.order_id } }]
    case 'StartRoute':
      if (route.driverId === undefined) throw new EngineError('route_needs_driver')
      if (route.stops.length === 0) throw new EngineError('route_without_orders')
      return [{ type: 'RouteStarted', data: base }]
    case 'CompleteRoute':
      if (command.open > 0) throw new EngineError('route_has_open_orders', { count: command.open })
      return [{ type: 'RouteCompleted', data: base }]
    case 'CancelRoute':
      return [{ type: 'RouteCancelled', data: base }]
  }
}

function changeDriver(
  { at, by, driver_id }: RouteCommand & { readonly type: 'ChangeDriver' },
  { driverId, status }: Route,
): readonly RouteEvent[] {
  if (driver_id === (driverId ?? null)) return []
  if (driver_id === null && status === 'started') throw new EngineError('route_needs_driver')
  return [{ type: 'RouteDriverChanged', data: { at, by, driver_id } }]
}

function has({ stops }: Route, id: number): boolean {
  return stops.some(({ orderId }) => orderId === id)
}

function statusForbids({ type }: RouteCommand, { status }: Route): EngineError {
  return new EngineError('route_status_forbids', { command: type, status })
}

/** The decider of a route. */
export const routes: Decider<RouteState, RouteCommand, RouteEvent> = { initial: () => undefined, evolve, decide }

/** The stream of a route. */
export function routeStream(id: number): StreamName {
  return `route-${id}`
}

const types: Readonly<Record<RouteEvent['type'], true>> = {
  RoutePlanned: true,
  RouteDriverChanged: true,
  RouteOrdersAdded: true,
  RouteOrderRemoved: true,
  RouteStarted: true,
  RouteCompleted: true,
  RouteCancelled: true,
}

/** The types of the events of routes. */
export const routeEventTypes: readonly string[] = Object.keys(types)
