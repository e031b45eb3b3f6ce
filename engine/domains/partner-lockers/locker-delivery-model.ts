import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { LockerDeliveryCreated, LockerDeliveryEvent } from './events.ts'

/** Locker deliveries as they are listed and as it is looked for what has expired; nothing of it is personal. */
export const lockerDeliveryModel = {
  name: 'locker_deliveries',
  version: 1,
  category: 'locker_delivery',
  columns: {
    id: 'integer',
    business_id: 'integer',
    provider: 'text',
    mock: 'integer',
    status: 'text',
    device_id: 'integer',
    device_name: 'text',
    order_id: 'integer',
    delivery_expires_at: 'text',
    pickup_expires_at: 'text',
    opened_at: 'text',
    delivered_at: 'text',
    ended_at: 'text',
    // When it expires as it stands; null where nothing does.
    due_at: 'text',
  },
  key: ['id'],
  indexes: [['business_id', 'status'], ['due_at']],
  rows: (event) => {
    const id = Number(event.stream.slice('locker_delivery-'.length))
    const cells = cellsOf(event as RecordedEvent<LockerDeliveryEvent>)
    return cells === undefined ? [] : [{ id, ...cells }]
  },
} as const satisfies ReadModel

function cellsOf({ type, data }: LockerDeliveryEvent): Row | undefined {
  switch (type) {
    case 'LockerDeliveryCreated':
      return created(data)
    case 'LockerPickupCodeAllocated':
      // With the first opening alone.
      return { opened_at: data.at }
    case 'LockerDoorsOpened':
      return { status: 'opened', due_at: null }
    case 'LockerDeliveryConfirmed':
      return { status: 'delivered', delivered_at: data.at, due_at: data.pickup_expires_at }
    case 'LockerCorrectionReopened':
      return { status: 'correcting', due_at: null }
    case 'LockerPickupCompleted':
      return { status: 'collected', ended_at: data.at, due_at: null }
    case 'LockerDeliveryFailed':
      return { status: 'failed', ended_at: data.at, due_at: null }
    case 'LockerDeliveryExpired':
      return { status: 'expired', ended_at: data.at, due_at: null }
    case 'LockerDeliveryCancelled':
      return { status: 'cancelled', ended_at: data.at, due_at: null }
    default:
      return undefined
  }
}

function created(data: LockerDeliveryCreated['data']): Row {
  return {
    business_id: data.business_id,
    provider: data.provider,
    mock: data.mock ? 1 : 0,
    status: 'pending',
    device_id: data.device_id,
    device_name: data.device_name,
    order_id: data.order_id ?? null,
    delivery_expires_at: data.delivery_expires_at,
    pickup_expires_at: data.pickup_expires_at,
    due_at: data.delivery_expires_at,
  }
}
