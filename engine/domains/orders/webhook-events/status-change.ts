import * as v from 'valibot'
import { instant } from '../../../kernel/schemas.ts'
import type { Reader, WebhookEventType } from '../../../kernel/webhook-event.ts'
import type { Order } from '../state.ts'
import { type Status, statuses } from '../status.ts'
import { plainId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries, statusFor } from './members.ts'
import { isMoving, type MovingEvent, operationOf } from './operation-types.ts'
import { type PayloadsOf, payload } from './payload.ts'

const statusId = v.picklist(Object.values(statuses).map((status) => status.id))
const statusName = v.picklist(Object.keys(statuses) as [Status, ...Status[]])

/** The status before a change. */
export const previousEntries = { previous_status: statusId, previous_status_name: statusName }

/** Every change of the status of an order. */
export const orderStatusChange = {
  name: 'order.status_change',
  channel: 'tenant',
  field: 'order_status_change_webhook_url',
  summary: 'The status of an order has changed.',
  data: v.strictObject({
    ...orderEntries('order.status_change'),
    ...previousEntries,
    operation_type: v.pipe(
      v.number(),
      v.safeInteger(),
      v.description('What was done: 1xxx until it is on its way, 2xxx delivered, 6xxx anything else.'),
    ),
    operation_description: v.pipe(
      v.string(),
      v.maxLength(100),
      v.description('In English. Empty for a customer with the types 1001, 2002 and 6002.'),
    ),
    ip_address: v.pipe(
      v.string(),
      v.maxLength(45),
      v.description(
        'Where it was done from, or the block of an IPv6 address. Empty for customers, for what the server or a carrier did, and once it was erased.',
      ),
    ),
    operated_at: instant,
  }),
  example: {
    ...exampleMembers('order.status_change', 'assign'),
    previous_status: 1,
    previous_status_name: 'NEW_ORDER',
    operation_type: 1002,
    operation_description: 'A driver was assigned.',
    ip_address: '203.0.113.7',
    operated_at: '2026-06-10T16:00:00.000Z',
  },
} as const satisfies WebhookEventType

/** The payload of a change of status. Events that keep the status, such as a change of driver, have none. */
export const statusChangePayloads: PayloadsOf = (event, order) =>
  isMoving(event) && event.data.from !== event.data.to
    ? [payload(orderStatusChange, plainId(orderStatusChange, event), (reader) => changeOf(event, order, reader))]
    : []

function changeOf(event: MovingEvent, order: Order, reader: Reader) {
  const previous = statusFor(reader, event.data.from)
  const { type, description } = operationOf(event, order, reader)
  return {
    ...membersOf(orderStatusChange.name, order)(reader),
    previous_status: statuses[previous].id,
    previous_status_name: previous,
    operation_type: type,
    operation_description: description,
    ip_address: reader === 'business' ? (event.data.personal?.ip_address ?? '') : '',
    operated_at: event.data.at,
  }
}
