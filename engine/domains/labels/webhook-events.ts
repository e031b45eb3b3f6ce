import type { EntityEvent } from '../../entity/machine.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { type OrderStatus, orderStatuses, statusForCustomer } from '../../kernel/order-status.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Reader, WebhookEventSource } from '../../kernel/webhook-event.ts'
import { labels } from './label.ts'
import { label } from './table.ts'

const { report, void: voided, give_up: givenUp } = label.moves

type Operation = readonly [type: number, description: string, forCustomers: number]

/** How a change is reported: a number of document 3, and English words; customers get another number, and no words. */
const operations: Readonly<Partial<Record<OrderStatus, Operation>>> = {
  WITH_CARRIER: [6007, 'The carrier has it.', 1001],
  DELIVERED_BY_CARRIER: [2009, 'The carrier delivered it.', 2002],
  FAILED: [6008, 'An attempt of the carrier failed.', 6002],
  RETURNED: [6010, 'The carrier returned it to its sender.', 6002],
  CANCELLED: [6009, 'The carrier does not carry it.', 6002],
}

/**
 * Makes `order.status_change` of labels, as orders have it: by how far their parcels are. A customer who has bought one is sent it
 * as of a shipment that the business carries (document 3).
 */
export const labelStatusChanges: WebhookEventSource = {
  category: label.category,
  types: [report.event, voided.event, givenUp.event],
  webhookEventsOf: async ({ store }, event) => {
    const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
    const events = history as readonly RecordedEvent<EntityEvent>[]
    const [before, after] = [fold(labels, events.slice(0, -1)), fold(labels, events)]
    if (before === undefined || after === undefined || before.order_status === after.order_status) return []
    if (isCopy(events)) return []
    const { order_id, business_id, customer_id: customerId, reference = null, label: bought, parcels, carrier } = after
    const { at = '' } = (events.at(-1) as EntityEvent).data
    const operation: Operation =
      event.type === report.event
        ? (operations[after.order_status] ?? [6000, '', 6000])
        : [6001, 'It was cancelled.', 6001]
    const data = (reader: Reader) => {
      const isOwn = reader === 'business'
      const statusOf = (status: OrderStatus) => (isOwn ? status : statusForCustomer(status))
      const [status, previous] = [statusOf(after.order_status), statusOf(before.order_status)]
      const [type, description, forCustomers] = operation
      return {
        ...{ order_id, tracking_number: bought?.tracking_numbers[0] ?? '', external_tracking_number: null },
        ...{ order_ref: reference, type: 'P2P', ...(isOwn && { provider: carrier }), items: parcels.length },
        ...{ status: orderStatuses[status].id, status_name: status },
        ...{ previous_status: orderStatuses[previous].id, previous_status_name: previous },
        ...{ operation_type: isOwn ? type : forCustomers, operation_description: isOwn ? description : '' },
        ...{ ip_address: '', operated_at: at },
      }
    }
    return [
      {
        type: 'order.status_change',
        id: `EVT-${deriveId('order.status_change', event.id)}`,
        audience: { kind: 'tenant', businessId: business_id, customerId },
        occurredAt: at,
        subject: `order/${order_id}`,
        data,
      },
    ]
  },
}

/** Whether the last event was moved with its label from a stream of an earlier number: webhooks had it then, or it is too old. */
function isCopy(events: readonly RecordedEvent<EntityEvent>[]): boolean {
  const [first, last] = [events[0], events.at(-1)]
  return first?.data.former_id !== undefined && String(last?.data.at) < first.recordedAt
}
