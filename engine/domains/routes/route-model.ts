import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { RouteEvent, RouteStatus } from './route.ts'

/** Routes for lists, one row each. Their orders are in the order model. */
export const routeModel = {
  name: 'routes',
  version: 1,
  category: 'route',
  columns: {
    route_id: 'integer',
    business_id: 'integer',
    /** The contractor who planned it. */
    broker_id: 'integer',
    driver_id: 'integer',
    name: 'text',
    schedule_date: 'text',
    status: 'text',
  },
  key: ['route_id'],
  indexes: [
    ['business_id', 'schedule_date'],
    ['driver_id', 'schedule_date'],
    ['broker_id', 'schedule_date'],
  ],
  rows: (event) => rowsOf(event as RecordedEvent<RouteEvent>),
} as const satisfies ReadModel

function rowsOf({ stream, ...event }: RecordedEvent<RouteEvent>): readonly Row[] {
  const key = { route_id: Number(stream.slice('route-'.length)) }
  const at = (status: RouteStatus) => [{ ...key, status }]
  switch (event.type) {
    case 'RoutePlanned': {
      const { business_id, broker_id = null, driver_id = null, name = null, schedule_date } = event.data
      return [
        { ...key, business_id, broker_id, driver_id, name, schedule_date, status: 'planned' satisfies RouteStatus },
      ]
    }
    case 'RouteDriverChanged':
      return [{ ...key, driver_id: event.data.driver_id }]
    case 'RouteStarted':
      return at('started')
    case 'RouteCompleted':
      return at('completed')
    case 'RouteCancelled':
      return at('cancelled')
    default:
      return []
  }
}
