import * as v from 'valibot'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId } from '../../../kernel/id.ts'
import type { WebhookEventType } from '../../../kernel/webhook-event.ts'
import type { OrderEvent } from '../events.ts'
import type { Order } from '../state.ts'
import { statuses } from '../status.ts'
import { exampleMembers, membersOf, orderEntries, statusFor } from './members.ts'
import { isMoving } from './operation-types.ts'
import { type Payload, payload } from './payload.ts'
import { previousEntries } from './status-change.ts'

/** An order with a callback was taken. */
export const openOrderAccepted = {
  ...{ name: 'open.order_accepted', channel: 'callback', idMember: 'event_id' },
  summary: 'An order with a callback was created, by itself, in a batch, or in the place of a rerouted one.',
  data: v.strictObject(orderEntries('open.order_accepted')),
  example: exampleMembers('open.order_accepted', 'create'),
} as const satisfies WebhookEventType

/** The status of an order with a callback changed. */
export const openOrderStatusChanged = {
  ...{ name: 'open.order_status_changed', channel: 'callback', idMember: 'event_id' },
  summary: 'The status of an order with a callback has changed.',
  data: v.strictObject({ ...orderEntries('open.order_status_changed'), ...previousEntries }),
  example: {
    ...exampleMembers('open.order_status_changed', 'assign'),
    previous_status: 1,
    previous_status_name: 'NEW_ORDER',
  },
} as const satisfies WebhookEventType

/** The payloads for the callback of an order. */
export function openPayloads(event: RecordedEvent<OrderEvent>, order: Order): readonly Payload[] {
  const idOf = ({ name }: WebhookEventType) => `OPE-${deriveId(name, event.id)}`
  if (event.type === 'OrderCreated')
    return [payload(openOrderAccepted, idOf(openOrderAccepted), membersOf(openOrderAccepted.name, order))]
  if (!isMoving(event) || event.data.from === event.data.to) return []
  const { from } = event.data
  return [
    payload(openOrderStatusChanged, idOf(openOrderStatusChanged), (reader) => {
      const previous = statusFor(reader, from)
      const told = { previous_status: statuses[previous].id, previous_status_name: previous }
      return { ...membersOf(openOrderStatusChanged.name, order)(reader), ...told }
    }),
  ]
}
