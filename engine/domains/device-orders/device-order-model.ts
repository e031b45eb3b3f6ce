import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { DeviceOrderCreated, DeviceOrderEvent } from './events.ts'

/** Device orders as they are listed and as the clock looks for them; nothing of it is personal. */
export const deviceOrderModel = {
  name: 'device_orders',
  version: 1,
  category: 'device_order',
  columns: {
    id: 'integer',
    business_id: 'integer',
    customer_id: 'integer',
    kind: 'text',
    status: 'text',
    next_actor: 'text',
    device_type: 'text',
    device_id: 'integer',
    device_name: 'text',
    grid_code: 'text',
    reference_number: 'text',
    order_id: 'integer',
    external_order_id: 'text',
    due_at: 'text',
    overdue_at: 'text',
    stored_at: 'text',
    ended_at: 'text',
    removal_reason: 'text',
  },
  key: ['id'],
  indexes: [
    ['business_id', 'status'],
    ['customer_id', 'status'],
    ['status', 'due_at'],
  ],
  rows: (event) => {
    const id = Number(event.stream.slice('device_order-'.length))
    const cells = cellsOf(event as RecordedEvent<DeviceOrderEvent>)
    return cells === undefined ? [] : [{ id, ...cells }]
  },
} as const satisfies ReadModel

function cellsOf(event: DeviceOrderEvent): Row | undefined {
  switch (event.type) {
    case 'DeviceOrderCreated':
      return created(event.data)
    case 'DeviceOrderStored': {
      const { stored_at, due_at, next_actor, grid_code } = event.data
      return { status: 'stored', stored_at, due_at, next_actor, ...(grid_code === undefined ? {} : { grid_code }) }
    }
    case 'DeviceOrderBecameOverdue':
      return { status: 'overdue', overdue_at: event.data.overdue_at, next_actor: event.data.next_actor }
    case 'DeviceOrderCollected':
      return { status: 'collected', ended_at: event.data.at, next_actor: null }
    case 'DeviceOrderCancelled':
      return { status: 'cancelled', ended_at: event.data.at, next_actor: null }
    case 'DeviceOrderRemoved': {
      const { at, removal_reason } = event.data
      return { status: 'removed', ended_at: at, removal_reason, next_actor: null }
    }
    default:
      return undefined
  }
}

function created(data: DeviceOrderCreated['data']): Row {
  return {
    business_id: data.business_id,
    customer_id: data.customer_id ?? null,
    kind: data.kind,
    status: 'pending',
    next_actor: data.next_actor,
    device_type: data.device_type,
    device_id: data.device_id,
    device_name: data.device_name,
    grid_code: data.grid_code ?? null,
    reference_number: data.reference_number ?? null,
    order_id: data.order_id ?? null,
    external_order_id: data.external_order_id ?? null,
    due_at: data.due_at ?? null,
  }
}
