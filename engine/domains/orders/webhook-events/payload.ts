import type { UrlField } from '../../../kernel/channel.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { Members } from '../../../kernel/members.ts'
import type { Reader, WebhookEvent, WebhookEventType } from '../../../kernel/webhook-event.ts'
import type { OrderEvent } from '../events.ts'
import type { Order } from '../state.ts'

/** The part of a webhook event of an order that depends on its type; the rest is the same for all types. */
export interface Payload extends Pick<WebhookEvent, 'id' | 'data'> {
  readonly type: WebhookEventType
  readonly skippedBy?: UrlField
}

/** The payloads of a recorded event, and of the order as it was after it. Empty for events of other types. */
export type PayloadsOf = (event: RecordedEvent<OrderEvent>, order: Order) => readonly Payload[]

/** A payload whose data fits the schema of its type. */
export function payload(eventType: WebhookEventType, id: string, data: (reader: Reader) => Members): Payload {
  return { type: eventType, id, data }
}
