import { cellsOf, columnsOf } from '../../entity/list.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { numberKey, searchKey } from '../../kernel/number-key.ts'
import { dueOf, type Schedule } from '../../kernel/order-due.ts'
import { localDelivery } from '../../kernel/order-family.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { orderTable } from './order.ts'
import { finalStatuses, isStatus, statuses } from './status.ts'
import { orderOf } from './streams.ts'

/**
 * The register of orders, as they are listed and looked up: one row each, of any family, with the listed fields of the table and these columns. `status` is
 * the numeric id; instants are ISO 8601 in UTC.
 */
export const orderModel = {
  name: 'orders',
  version: 9,
  category: 'order',
  columns: {
    ...columnsOf(orderTable),
    /** Its order family; other domains feed those of theirs. */
    family: 'text',
    /** The status in the words of another family; empty for local deliveries. */
    state: 'text',
    status: 'integer',
    /** The numbers as `numberKey` compares them, and the reference as `searchKey` does. */
    tracking_key: 'text',
    external_key: 'text',
    reference_key: 'text',
    window_start: 'text',
    window_end: 'text',
    /** Until when it is on time, as `dueOf` writes it; `open_due` is empty once the order has ended. */
    due: 'text',
    open_due: 'text',
    /** Of the last attempt that failed. */
    failed_at: 'text',
    failed_stage: 'text',
    failed_reason: 'text',
    /** Of the last time that it was delivered, by whomever. */
    delivered_at: 'text',
    /** The position of its last event: each change of any order comes behind those before it. */
    changed: 'text',
  },
  key: ['order_id'],
  indexes: [
    // It is counted by this one, without a look at the rows, and so is one family. The family is last: an index that began with it
    // would be taken instead of those of owners, because it has the usual order, too.
    ['business_id', 'order_id', 'is_deleted', 'family'],
    // So are those of one status, and each of them is read in the usual order.
    ['business_id', 'status', 'order_id', 'is_deleted', 'family'],
    ['business_id', 'reported_by'],
    ['business_id', 'contradicting'],
    ['business_id', 'open_due'],
    ['business_id', 'due'],
    ['business_id', 'schedule_date'],
    ['business_id', 'created_at'],
    ['business_id', 'changed'],
    ...(['customer_id', 'driver_id', 'broker_id'] as const).flatMap((owner) => [
      [owner, 'business_id'],
      [owner, 'changed'],
    ]),
    ['route_id'],
    ['respond_by'],
    // By a number alone, SQLite would rather look through all orders of the business, which are in the usual order.
    ...(['tracking_key', 'external_key', 'reference_key'] as const).map(
      (number) => [number, 'business_id', 'is_deleted'] as const,
    ),
  ],
  rows: (event) => rowsOf(event as RecordedEvent<OrderEvent>),
} as const satisfies ReadModel

const cellsIn = cellsOf(orderTable)

function rowsOf(event: RecordedEvent<OrderEvent>): readonly Row[] {
  const cells = cellsIn(event)
  return cells === undefined
    ? []
    : [{ ...cells, ...statusCell(event), ...ownCells(event), changed: event.position, ...keyOfRow(event) }]
}

function keyOfRow({ stream }: RecordedEvent): Row {
  return { order_id: orderOf(stream), family: localDelivery }
}

function statusCell({ data }: OrderEvent): Row {
  if (!('to' in data) || !isStatus(data.to)) return {}
  return { status: statuses[data.to].id, ...(finalStatuses.includes(data.to) ? { open_due: null } : {}) }
}

/** The cells that no field has by itself. */
function ownCells({ type, data, stream }: RecordedEvent<OrderEvent>): Row {
  switch (type) {
    case 'OrderCreated':
      return { ...keyCells(data), ...scheduleCells(data, stream) }
    case 'OrderCorrected':
      return 'reference' in data ? { reference_key: searchKeyOf(data.reference) } : {}
    case 'OrderScheduleChanged':
      return scheduleCells(data.to, stream)
    case 'OrderCompleted':
    case 'OrderDeliveredByCarrier':
      return { delivered_at: data.reported?.occurred_at ?? data.at }
    case 'OrderFailed':
      return { failed_at: data.reported?.occurred_at ?? data.at, failed_stage: data.stage, failed_reason: data.reason }
    default:
      return {}
  }
}

function keyCells({ tracking_number, external_tracking_number, reference }: OrderCreated['data']): Row {
  return {
    tracking_key: numberKey(tracking_number),
    external_key: keyOf(external_tracking_number),
    reference_key: searchKeyOf(reference),
  }
}

function keyOf(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : numberKey(text)
}

function searchKeyOf(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : searchKey(text)
}

/** An order that has ended is not scheduled any more, so whatever is scheduled is open. */
function scheduleCells(schedule: Schedule, stream: string): Row {
  const { time_window } = schedule
  const due = dueOf(schedule, orderOf(stream))
  return { window_start: time_window?.start ?? null, window_end: time_window?.end ?? null, due, open_due: due }
}
