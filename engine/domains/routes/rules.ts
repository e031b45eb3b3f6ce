import type { Kind } from '../../entity/access.ts'
import type { MoveOf } from '../../entity/field.ts'
import { deciderOf, type MoveCommand, type Rules, type Steps } from '../../entity/machine.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Route, route } from './route.ts'

/** A request to move a route. */
export type RouteCommand = MoveCommand<MoveOf<typeof route>>

const rules: Rules<typeof route> = {
  plan: ({ order_ids }) => ({ order_ids: [...new Set(order_ids)] }),
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
  /** `open_orders` is how many of its orders have neither ended nor failed. */
  complete: ({ open_orders: count = 0 }: { readonly open_orders?: number }) => {
    if (count > 0) throw new EngineError('route_has_open_orders', { count })
    return undefined
  },
}

/** Adding orders that the route has changes nothing, and neither does assigning the driver that it has. */
const steps: Steps<typeof route> = {
  add_orders: (values, current) => {
    const order_ids = [...new Set(values.order_ids)].filter((order) => !isOn(current, order))
    return order_ids.length === 0 ? [] : [['add_orders', { order_ids }]]
  },
  change_driver: ({ driver_id }, current) =>
    driver_id === (current.driver_id ?? null) ? [] : [['change_driver', { driver_id }]],
}

/** The decider of a route. */
export const routes = deciderOf(route, rules, {}, steps)

/** Routes, as callers name them. */
export const kind: Kind<typeof route> = { entity: route, decider: routes }

function isOn({ stops = [] }: Route, order: number): boolean {
  return stops.some(({ order_id }) => order_id === order)
}
