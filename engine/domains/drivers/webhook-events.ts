import type { Move, Table } from '../../entity/field.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import { business, carriedBy, exampleAfter } from '../../entity/webhook-events.ts'
import type { Channel, UrlField } from '../../kernel/channel.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { WebhookEvent, WebhookEventSource, WebhookEventType } from '../../kernel/webhook-event.ts'
import { type DriverDutyChanged, duty } from './duty.ts'
import { forgottenDrivers, subjectOf } from './erase.ts'
import { type DriverLocated, location } from './location.ts'

const changed = duty.moves.change
const located = location.moves.locate

/** The types of webhook events about drivers. */
export const driverWebhookEventTypes: readonly WebhookEventType[] = [
  webhookEventTypeOf(duty, changed.webhook, 'order_lifecycle', 'order_lifecycle_webhook_url'),
  webhookEventTypeOf(location, located.webhook, 'driver_location', 'driver_location_webhook_url'),
]

/** The type of the webhook event of a table with one move. Only the business receives it. */
function webhookEventTypeOf(
  table: Table,
  { event, summary }: NonNullable<Move['webhook']>,
  channel: Channel,
  field: UrlField,
): WebhookEventType {
  const carried = carriedBy(table, event)
  const moves = Object.keys(table.moves)
  const example = recordOf(carried, exampleAfter(table, moves[0] ?? ''), business)
  const data = recordSchemaOf(carried, moves)
  return { name: event, channel, field, summary, data, example, idMember: 'event_id', isInternal: true }
}

/** Makes webhook events from duty changes. */
const dutySource: WebhookEventSource = {
  category: duty.category,
  types: [changed.event],
  webhookEventsOf: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverDutyChanged>
    if (event.type !== changed.event) return []
    const { event: eventType } = changed.webhook
    return [
      {
        ...aboutDriver(event),
        type: eventType,
        data: () => recordOf(carriedBy(duty, eventType), event.data, business),
      },
    ]
  },
}

/** Makes webhook events from locations that were not erased. */
const locationSource: WebhookEventSource = {
  category: location.category,
  types: [located.event],
  webhookEventsOf: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverLocated>
    if (event.type !== located.event || event.data.personal === undefined) return []
    const { driver_id, personal } = event.data
    const { event: eventType } = located.webhook
    const about = aboutDriver(event)
    const data = () => recordOf(carriedBy(location, eventType), { driver_id, ...personal }, business)
    return [{ ...about, type: eventType, throttle: about.subject, data }]
  },
  forgets: forgottenDrivers,
}

/** What makes webhook events from the events of drivers. */
export const driverWebhookEventSources: readonly WebhookEventSource[] = [dutySource, locationSource]

function aboutDriver(
  event: RecordedEvent<DriverDutyChanged | DriverLocated>,
): Pick<WebhookEvent, 'id' | 'audience' | 'occurredAt' | 'subject'> {
  const { driver_id, business_id: businessId, at } = event.data
  return {
    id: `OLE-${event.id}`,
    audience: { kind: 'tenant', businessId },
    occurredAt: at,
    subject: subjectOf(driver_id),
  }
}
