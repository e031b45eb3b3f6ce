import type { EntityEvent } from '../../entity/machine.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { type OrderStatus, orderStatuses } from '../../kernel/order-status.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { labels } from './label.ts'
import { label } from './table.ts'

const { report, void: voided, give_up: givenUp } = label.moves

/** How a change is reported: a number of document 3, and English words. */
const operations: Readonly<Partial<Record<OrderStatus, readonly [type: number, description: string]>>> = {
  WITH_CARRIER: [6007, 'The carrier has it.'],
  DELIVERED_BY_CARRIER: [2009, 'The carrier delivered it.'],
  FAILED: [6008, 'An attempt of the carrier failed.'],
  RETURNED: [6010, 'The carrier returned it to its sender.'],
  CANCELLED: [6009, 'The carrier does not carry it.'],
}

/**
 * Makes `order.status_change` of labels, as orders have it: by how far their parcels are. A label belongs to the business, so no
 * customer is sent any.
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
    const { order_id, business_id, order_status, reference = null, label: bought, parcels, carrier } = after
    const [type, description] =
      event.type === report.event ? (operations[order_status] ?? [6000, '']) : [6001, 'It was cancelled.']
    const { at = '' } = (events.at(-1) as EntityEvent).data
    const data = {
      ...{ order_id, tracking_number: bought?.tracking_numbers[0] ?? '', external_tracking_number: null },
      ...{ order_ref: reference, type: 'P2P', provider: carrier, items: parcels.length },
      ...{ status: orderStatuses[order_status].id, status_name: order_status },
      previous_status: orderStatuses[before.order_status].id,
      previous_status_name: before.order_status,
      ...{ operation_type: type, operation_description: description, ip_address: '', operated_at: at },
    }
    return [
      {
        type: 'order.status_change',
        id: `EVT-${deriveId('order.status_change', event.id)}`,
        audience: { kind: 'tenant', businessId: business_id },
        occurredAt: at,
        subject: `order/${order_id}`,
        data: () => data,
      },
    ]
  },
}

/** Whether the last event was moved with its label from a stream of an earlier number: webhooks had it then, or it is too old. */
function isCopy(events: readonly RecordedEvent<EntityEvent>[]): boolean {
  const [first, last] = [events[0], events.at(-1)]
  return first?.data.former_id !== undefined && String(last?.data.at) < first.recordedAt
}
