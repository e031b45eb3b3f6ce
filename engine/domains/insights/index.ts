import type { Domain } from '../../entity/domain.ts'
import { otepClientTracking } from './client-tracking.ts'
import { dailyDigest } from './daily-digest.ts'
import { listExceptions } from './exceptions.ts'
import { insightMessages } from './messages.ts'
import { getOnTimeRate } from './on-time.ts'
import { getOrdersSummary } from './orders-summary.ts'
import type { OrderSchemas } from './ports.ts'
import { getServerState } from './server-state.ts'
import { orderSnapshot } from './snapshot.ts'
import { getToday } from './today.ts'

export type { InsightCode } from './messages.ts'
export { getOnTimeRate } from './on-time.ts'
export type { InsightPorts } from './ports.ts'
export { getServerState } from './server-state.ts'
export { getToday } from './today.ts'

/** Insights: queries about many orders, or all details of one. They record nothing. */
export function insightsDomain(schemas: OrderSchemas): Domain {
  return {
    name: 'insights',
    messages: [insightMessages],
    events: {},
    operations: [
      orderSnapshot(schemas),
      listExceptions,
      dailyDigest,
      getOrdersSummary,
      getToday,
      getOnTimeRate,
      getServerState,
      otepClientTracking(schemas.shipment),
    ],
  }
}
