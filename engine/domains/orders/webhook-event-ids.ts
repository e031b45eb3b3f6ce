import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'

/** The id of a webhook event whose body has no id. It differs between the webhook events of one recorded event. */
export function plainId({ name }: Pick<WebhookEventType, 'name'>, { id }: Pick<RecordedEvent, 'id'>): string {
  return `EVT-${deriveId(name, id)}`
}

/** The `event_id` of a webhook event about the life cycle of an order, or about a driver. */
export function lifecycleId({ id }: Pick<RecordedEvent, 'id'>): string {
  return `OLE-${id}`
}
