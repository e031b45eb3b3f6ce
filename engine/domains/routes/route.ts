import * as v from 'valibot'
import { type Entity, everybody, type Fields, nobody, type StateOf } from '../../entity/field.ts'
import { ownedByCells } from '../../entity/list.ts'
import { accountOf } from '../../kernel/call.ts'
import { day, id, word } from '../../kernel/schemas.ts'
import { moves, planners, statuses } from './moves.ts'
import { type Brought, orderIds, orderIdsAbout, type Stops, stopList, withOrders, withoutOrder } from './stops.ts'

/** The decisions of most fields: not personal, not a price, set by planners, visible to all who see the route. */
const shown = {
  personal: false,
  price: 'none',
  setBy: planners,
  carried: false,
  shownTo: everybody,
  listed: 'column',
  webhooks: 'none',
} as const

/** A fact for the engine alone. */
const inner = { ...shown, shownTo: nobody, listed: 'no' } as const

const begun: Stops = { stops: [], next_stop: 1 }

const fields = {
  route_id: {
    ...shown,
    about: 'Id of the route.',
    type: id,
    example: 7,
    set: { plan: 'engine' },
  },
  business_id: {
    ...inner,
    about: 'Id of the business whose orders it carries.',
    type: id,
    example: 1,
    set: { plan: 'engine' },
    listed: 'key',
  },
  name: {
    ...shown,
    about: 'Name of the route; not the name of a person.',
    type: word(100),
    example: 'North',
    set: { plan: 'optional' },
  },
  schedule_date: {
    ...shown,
    about: 'The day of the route, YYYY-MM-DD, in the time zone of the business.',
    type: day,
    example: '2026-06-11',
    set: { plan: 'required' },
    listed: 'filter',
  },
  status: {
    ...shown,
    about: 'Status of the route.',
    type: v.picklist(Object.keys(statuses)),
    example: 'planned',
    set: {},
    listed: 'filter',
  },
  driver_id: {
    ...shown,
    about: 'User id of the driver of the route.',
    type: id,
    example: 12,
    set: {
      plan: 'optional',
      change_driver: {
        input: v.nullable(id),
        about: 'User id of the driver. Null for no driver, before the route has started.',
        example: 12,
        of: ({ driver_id }: { driver_id: number | null }) => driver_id ?? undefined,
      },
    },
    names: 'rule',
    listed: 'filter',
  },
  /** Not stored here: accounts have it, and `read.ts` adds it to answers. */
  driver_name: {
    ...shown,
    about: 'Name of the driver.',
    type: v.string(),
    example: 'Dee Driver',
    set: {},
    personal: true,
    listed: 'no',
  },
  broker_id: {
    ...shown,
    about: 'The contractor who planned it.',
    type: id,
    example: 31,
    set: { plan: 'sometimes' },
  },
  /** Orders say which route they are on; `read.ts` counts them. */
  order_count: {
    ...shown,
    about: 'Number of orders on the route.',
    type: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    example: 2,
    set: {},
    listed: 'no',
    always: true,
  },
  order_ids: {
    ...inner,
    about: orderIdsAbout,
    type: orderIds,
    example: [42, 43],
    set: { plan: 'required', add_orders: 'required' },
    names: 'each',
  },
  order_id: {
    ...inner,
    about: 'Id of the order.',
    type: id,
    example: 42,
    set: { remove_order: 'required' },
    names: 'part',
  },
  /** An order may have left the route by its own event; the state of the order is decisive. */
  stops: {
    ...inner,
    about: 'The orders at their stops.',
    type: stopList,
    example: [{ order_id: 42, stop: 1 }],
    set: {
      plan: { of: (data: Brought) => withOrders(data, begun) },
      add_orders: { of: withOrders },
      remove_order: { of: withoutOrder },
    },
  },
  next_stop: {
    ...inner,
    about: 'Number of the next stop. Numbers are not reused.',
    type: id,
    example: 3,
    set: {
      plan: { of: ({ order_ids }: Brought) => begun.next_stop + order_ids.length },
      add_orders: { of: ({ order_ids }: Brought, { next_stop }: Stops) => next_stop + order_ids.length },
    },
  },
} as const satisfies Fields<keyof typeof moves>

/** Staff see the routes of their business, a contractor those that it has planned, a driver those that it drives. */
const access = ownedByCells((context) => {
  const { id, role, business } = accountOf(context)
  const business_id = business.id
  switch (role) {
    case 'client_admin':
    case 'client_employee':
      return { business_id }
    case 'contractor':
      return { business_id, broker_id: id }
    case 'driver':
      return { business_id, driver_id: id }
    case 'customer':
      // No route has this id.
      return { route_id: 0 }
  }
})

/** Which orders a driver carries on a day, stop by stop. */
export const route = {
  category: 'route',
  noun: 'route',
  id: 'route_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  access,
  listVersion: 2,
  refusals: { missing: 'delivery_route_not_found', forbidden: 'route_status_forbids', param: 'route' },
  indexes: [
    ['business_id', 'schedule_date'],
    ['driver_id', 'schedule_date'],
    ['broker_id', 'schedule_date'],
  ],
  api: {
    tag: 'Client',
    path: '/api/v1/routes',
    one: 'route',
    many: 'routes',
    read: { scope: 'routes:read', by: [...planners, 'driver'] },
    write: { scope: 'routes:write' },
    list: {
      operation: 'get_routes',
      summary:
        'Routes with status, driver and number of orders, newest first. Drivers and contractors only see their own.',
    },
    get: {
      operation: 'get_route_detail',
      summary: 'One route with its stops in order, and the status of each order.',
    },
  },
} as const satisfies Entity

/** A route as its events have left it. */
export type Route = StateOf<typeof route>
