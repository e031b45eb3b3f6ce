import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { Notice } from '../../kernel/webhook-event.ts'

/** The id of what an event tells by a notice whose body has none: no two notices of one event have the same. */
export function plainId({ name }: Pick<Notice, 'name'>, { id }: Pick<RecordedEvent, 'id'>): string {
  return `EVT-${deriveId(name, id)}`
}

/** The `event_id` of what an event tells of the life of an order, or of a driver. */
export function lifecycleId({ id }: Pick<RecordedEvent, 'id'>): string {
  return `OLE-${id}`
}
