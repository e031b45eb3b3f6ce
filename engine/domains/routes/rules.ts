import type { MoveOf } from '../../entity/field.ts'
import { deciderOf, type MoveCommand, type Noops, type Rules } from '../../entity/machine.ts'
import { EngineError } from '../../kernel/errors.ts'
import { open } from './moves.ts'
import { type Route, route } from './route.ts'

/** A request to move a route. */
export type RouteCommand = MoveCommand<MoveOf<typeof route>>

const rules: Rules<typeof route> = {
  plan: ({ order_ids }) => ({ order_ids: [...new Set(order_ids)] }),
  add_orders: ({ order_ids }, current) => ({
    order_ids: [...new Set(order_ids)].filter((order) => !isOn(current, order)),
  }),
  remove_order: ({ order_id: order }, current) => {
    if (!isOn(current, order)) throw new EngineError('order_not_on_route', { order })
    return undefined
  },
  change_driver: ({ driver_id }, { status }) => {
    if (driver_id === null && status === 'started') throw new EngineError('route_needs_driver')
    return undefined
  },
  start: (_, { driver_id, stops }) => {
    if (driver_id === undefined) throw new EngineError('route_needs_driver')
    if (stops?.length === 0) throw new EngineError('route_without_orders')
    return undefined
  },
  /** `open_orders` is how many of its orders are neither ended nor have failed. */
  complete: ({ open_orders: count = 0 }: { readonly open_orders?: number }) => {
    if (count > 0) throw new EngineError('route_has_open_orders', { count })
    return undefined
  },
}

const noops: Noops<typeof route> = {
  add_orders: ({ order_ids }, current) => isOpen(current) && order_ids.every((order) => isOn(current, order)),
  change_driver: ({ driver_id }, current) => isOpen(current) && driver_id === (current.driver_id ?? null),
}

/** The decider of a route. */
export const routes = deciderOf(route, rules, noops)

function isOpen({ status }: Route): boolean {
  return open.some((one) => one === status)
}

function isOn({ stops = [] }: Route, order: number): boolean {
  return stops.some(({ order_id }) => order_id === order)
}
