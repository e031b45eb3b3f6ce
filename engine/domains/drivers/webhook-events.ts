import type { Move, Table } from '../../entity/field.ts'
import { business, carriedBy, exampleAfter } from '../../entity/webhook-events.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import type { Channel, UrlField } from '../../kernel/channel.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/webhook-event.ts'
import { type DriverDutyChanged, duty } from './duty.ts'
import { type DriverLocated, location } from './location.ts'

const changed = duty.moves.change
const located = location.moves.locate

/** The notices of drivers. */
export const driverNotices: readonly Notice[] = [
  noticeOf(duty, changed.webhook, 'order_lifecycle', 'order_lifecycle_webhook_url'),
  noticeOf(location, located.webhook, 'driver_location', 'driver_location_webhook_url'),
]

/** The webhook event of a table with one move. Its channel is for the business alone. */
function noticeOf(
  table: Table,
  { event, summary }: NonNullable<Move['webhook']>,
  channel: Channel,
  field: UrlField,
): Notice {
  const carried = carriedBy(table, event)
  const moves = Object.keys(table.moves)
  const example = recordOf(carried, exampleAfter(table, moves[0] ?? ''), business)
  const data = recordSchemaOf(carried, moves)
  return { name: event, channel, field, summary, data, example, idMember: 'event_id', isInternal: true }
}

/** Announces duty changes. */
const dutySource: NoticeSource = {
  category: duty.category,
  types: [changed.event],
  announce: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverDutyChanged>
    if (event.type !== changed.event) return []
    const { event: notice } = changed.webhook
    return [{ ...aboutDriver(event), notice, data: () => recordOf(carriedBy(duty, notice), event.data, business) }]
  },
}

/** Announces locations, unless they were erased. */
const locationSource: NoticeSource = {
  category: location.category,
  types: [located.event],
  announce: async (_, recorded) => {
    const event = recorded as RecordedEvent<DriverLocated>
    if (event.type !== located.event || event.data.personal === undefined) return []
    const { driver_id, personal } = event.data
    const { event: notice } = located.webhook
    const about = aboutDriver(event)
    const data = () => recordOf(carriedBy(location, notice), { driver_id, ...personal }, business)
    return [{ ...about, notice, throttle: about.subject, data }]
  },
}

/** What turns the events of drivers into notices. */
export const driverNoticeSources: readonly NoticeSource[] = [dutySource, locationSource]

function aboutDriver(
  event: RecordedEvent<DriverDutyChanged | DriverLocated>,
): Pick<Announcement, 'id' | 'audience' | 'occurredAt' | 'subject'> {
  const { driver_id, business_id: businessId, at } = event.data
  return {
    id: `OLE-${event.id}`,
    audience: { kind: 'tenant', businessId },
    occurredAt: at,
    subject: `driver/${driver_id}`,
  }
}
