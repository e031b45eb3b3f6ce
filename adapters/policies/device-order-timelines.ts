import {
  type Caller,
  deriveId,
  deviceOrders,
  type EntityEvent,
  fold,
  type Policy,
  type RecordedEvent,
  type StreamName,
  trackedStay,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import { contextAfter, refusalsOf } from './report.ts'

const name = 'device-order-timelines'

/** The platform reports events of machines. */
const caller: Caller = { kind: 'operator', name: 'device-orders', scopes: ['otep:ingest'] }

/**
 * Reports device orders to their own timelines, in the storage profile. An event that the timeline refuses for good is
 * logged and skipped, so that it does not block others.
 */
export function deviceOrderTimelines(parts: ContextParts, log: Log): Policy {
  return {
    name,
    filter: { category: 'device_order' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<EntityEvent>
      const order = await orderAfter(parts, event)
      const tracked = order && trackedStay(event, order)
      if (order === undefined || tracked === undefined) return
      const told = { event_id: deriveId(name, event.id), recorded_at: event.recordedAt, ...tracked, source }
      const document = { profile: 'storage', subject: { piece_id: order.piece_id }, events: [told] }
      const codes = await refusalsOf(contextAfter(parts, caller, event), document)
      if (codes.length > 0) log.error({ policy: name, position: event.position, codes }, 'a timeline refused an event')
    },
  }
}

const source = { type: 'node_scan' } as const

/** The device order after an event. */
async function orderAfter({ store }: ContextParts, { stream, revision }: RecordedEvent<EntityEvent>) {
  const history = await store.read(stream as StreamName, { limit: revision + 1 })
  return fold(deviceOrders, history as readonly RecordedEvent<EntityEvent>[])
}
