import type { Moves, Party } from '../../entity/field.ts'

/** Who plans routes. A contractor plans routes of the orders that are assigned to it. */
export const planners: readonly Party[] = ['client_admin', 'client_employee', 'contractor']

/** Who drives routes. The planners may start and complete a route in the driver's place. */
const driversAndPlanners: readonly Party[] = [...planners, 'driver']

/** The statuses of a route. `completed` and `cancelled` are final. */
export const statuses = {
  planned: 'It has a day and orders; nobody is on the way yet.',
  started: 'Its driver is on the way.',
  completed: 'None of its orders is open any more.',
  cancelled: 'It was given up, and its open orders have left it.',
} as const

/** The statuses in which the orders and the driver of a route may change. */
const open = ['planned', 'started'] as const satisfies readonly (keyof typeof statuses)[]

/** The moves of a route. What they do to its orders is in `order-steps.ts`. */
export const moves = {
  plan: {
    from: 'nothing',
    to: 'planned',
    event: 'RoutePlanned',
    call: {
      operation: 'plan_route',
      by: planners,
      summary: 'Plan a route of orders, with or without a driver. Contractors plan the orders assigned to them.',
      errors: ['invalid_input', 'contention'],
    },
  },
  add_orders: {
    from: open,
    event: 'RouteOrdersAdded',
    call: {
      operation: 'add_route_orders',
      verb: 'orders',
      by: planners,
      summary: 'Add orders after the last stop of a route. They are assigned to its driver.',
      errors: ['invalid_input', 'contention'],
    },
  },
  remove_order: {
    from: open,
    event: 'RouteOrderRemoved',
    call: {
      operation: 'remove_route_order',
      verb: 'remove',
      by: planners,
      summary: 'Take an order off a route and its driver. Not possible while the driver is under way with it.',
      errors: ['contention', 'order_not_on_route', 'order_status_forbids'],
    },
  },
  change_driver: {
    from: open,
    event: 'RouteDriverChanged',
    call: {
      operation: 'change_route_driver',
      verb: 'driver',
      by: planners,
      summary: 'Give a route to another driver, with all orders that are not under way.',
      errors: ['contention', 'route_needs_driver', 'invalid_input'],
    },
  },
  start: {
    from: ['planned'],
    to: 'started',
    event: 'RouteStarted',
    call: {
      operation: 'start_route',
      verb: 'start',
      by: driversAndPlanners,
      summary: 'Start a route that has a driver and orders.',
      errors: ['contention', 'route_needs_driver', 'route_without_orders'],
    },
  },
  complete: {
    from: ['started'],
    to: 'completed',
    event: 'RouteCompleted',
    call: {
      operation: 'complete_route',
      verb: 'complete',
      by: driversAndPlanners,
      summary: 'Complete a route without open orders. Failed orders leave it and can be planned again.',
      errors: ['contention', 'route_has_open_orders'],
    },
  },
  cancel: {
    from: open,
    to: 'cancelled',
    event: 'RouteCancelled',
    call: {
      operation: 'cancel_route',
      verb: 'cancel',
      by: planners,
      summary:
        'Cancel a route. Its open orders leave it and their driver. Not possible while a driver is under way with one.',
      errors: ['contention', 'order_status_forbids'],
    },
  },
} as const satisfies Moves<keyof typeof statuses>
