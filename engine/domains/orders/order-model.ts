import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { statuses } from './status.ts'
import { orderOf } from './streams.ts'

/** Orders as they are listed and looked for: one row an order. `status` is the numeric id, instants are ISO 8601 in UTC. */
export const orderModel = {
  name: 'orders',
  version: 1,
  category: 'order',
  columns: {
    order_id: 'integer',
    business_id: 'integer',
    customer_id: 'integer',
    driver_id: 'integer',
    /** The contractor who has it, and by which assignment. */
    broker_id: 'integer',
    assignment_id: 'integer',
    route_id: 'integer',
    stop: 'integer',
    provider: 'text',
    type: 'text',
    status: 'integer',
    tracking_number: 'text',
    external_tracking_number: 'text',
    reference: 'text',
    /** The three numbers as `numberKey` compares them. */
    tracking_key: 'text',
    external_key: 'text',
    reference_key: 'text',
    schedule_date: 'text',
    window_start: 'text',
    window_end: 'text',
    items: 'integer',
    replaces: 'integer',
    replaced_by: 'integer',
    created_at: 'text',
    updated_at: 'text',
    /** Of the last attempt that failed. */
    failed_at: 'text',
    failed_stage: 'text',
    failed_reason: 'text',
    /** Of the last time that it was delivered, by whomever. */
    delivered_at: 'text',
    is_deleted: 'integer',
  },
  key: ['order_id'],
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'schedule_date'],
    ['business_id', 'created_at'],
    ['customer_id'],
    ['driver_id'],
    ['broker_id'],
    ['route_id'],
    ['tracking_key'],
    ['external_key'],
    ['reference_key'],
  ],
  rows: (event) => rowsOf(event as RecordedEvent<OrderEvent>),
} as const satisfies ReadModel

/** How numbers and references are compared: without white space, without regard to case, in Unicode's composed form. */
export function numberKey(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
}

function rowsOf(event: RecordedEvent<OrderEvent>): readonly Row[] {
  if (event.type === 'OrderCreated') return [createdRow(event.data)]
  return [{ order_id: orderOf(event.stream), updated_at: event.data.at, ...changedCells(event) }]
}

function createdRow(data: OrderCreated['data']): Row {
  const { external_tracking_number = null, reference = null } = data
  return {
    order_id: data.order_id,
    business_id: data.business_id,
    customer_id: data.customer_id ?? null,
    type: data.type,
    status: statuses[data.to].id,
    tracking_number: data.tracking_number,
    external_tracking_number,
    reference,
    tracking_key: numberKey(data.tracking_number),
    external_key: external_tracking_number === null ? null : numberKey(external_tracking_number),
    reference_key: reference === null ? null : numberKey(reference),
    ...scheduleCells(data),
    items: data.items,
    replaces: data.replaces ?? null,
    created_at: data.at,
    updated_at: data.at,
    is_deleted: 0,
  }
}

function changedCells(fact: Exclude<OrderEvent, OrderCreated>): Row {
  switch (fact.type) {
    case 'OrderHeld':
    case 'OrderReleased':
    case 'OrderAccepted':
    case 'OrderPickupStarted':
    case 'OrderPickedUp':
    case 'OrderOnTheWay':
    case 'OrderReturned':
      return statusCell(fact.data)
    case 'OrderCompleted':
    case 'OrderDeliveredByCarrier':
      return { ...statusCell(fact.data), delivered_at: fact.data.at }
    case 'OrderFailed':
      return {
        ...statusCell(fact.data),
        failed_at: fact.data.at,
        failed_stage: fact.data.stage,
        failed_reason: fact.data.reason,
      }
    case 'OrderAssigned':
      return { ...statusCell(fact.data), driver_id: fact.data.driver_id }
    case 'OrderUnassigned':
    case 'OrderRejected':
      return { ...statusCell(fact.data), driver_id: null }
    case 'OrderCancelled':
      return { ...statusCell(fact.data), replaced_by: fact.data.replaced_by ?? null }
    case 'OrderHandedToCarrier':
      return { ...statusCell(fact.data), provider: fact.data.provider }
    case 'OrderTakenBack':
      return { ...statusCell(fact.data), provider: null }
    case 'OrderPlanned':
      return { route_id: fact.data.route_id, stop: fact.data.stop }
    case 'OrderTakenOffRoute':
      return { route_id: null, stop: null }
    case 'OrderScheduleChanged':
      return scheduleCells(fact.data.to)
    case 'ContractorAssigned':
      return { broker_id: fact.data.broker_id, assignment_id: fact.data.assignment_id }
    case 'ContractorRevoked':
    case 'ContractorReleased':
      return { broker_id: null, assignment_id: null }
    case 'OrderDeleted':
      return { is_deleted: 1 }
    default:
      return {}
  }
}

function statusCell({ to }: { readonly to: keyof typeof statuses }): Row {
  return { status: statuses[to].id }
}

function scheduleCells({
  schedule_date,
  time_window,
}: Pick<OrderCreated['data'], 'schedule_date' | 'time_window'>): Row {
  return {
    schedule_date: schedule_date ?? null,
    window_start: time_window?.start ?? null,
    window_end: time_window?.end ?? null,
  }
}
