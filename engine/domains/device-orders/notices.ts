import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Members } from '../../kernel/members.ts'
import type { Announcement, Notice, NoticeFacts, NoticeSource } from '../../kernel/notice.ts'
import { deviceOrderStream } from './access.ts'
import { deviceOrders } from './decider.ts'
import type { DeviceOrderEvent } from './events.ts'
import { deviceExceptionOf, deviceExceptionRecord, deviceOrderOf, deviceOrderRecord } from './record.ts'
import type { DeviceOrder, DeviceOrderState } from './state.ts'

const exampleOrder = {
  id: 8,
  kind: 'delivery',
  status: 'stored',
  next_actor: 'recipient',
  device_type: 'locker',
  device_id: 4,
  device_name: 'Locker Main Street',
  grid_code: 'A-07',
  reference_number: 'PO-1001',
  order_id: 42,
  external_order_id: null,
  due_at: '2026-06-12T16:00:00.000Z',
  overdue_at: null,
  stored_at: '2026-06-10T16:00:00.000Z',
  ended_at: null,
  removal_reason: null,
} as const

const exampleException = {
  id: 1,
  type: 'door_left_open',
  severity: 'medium',
  status: 'open',
  resolution_action: null,
} as const

const asItStood = v.pipe(deviceOrderRecord, v.description('As it stood then. Its pickup code is never told.'))

/** A notice of a stay; `more` is what its example has otherwise. */
function ofStay(name: `device_order.${string}`, summary: string, more: Members = {}) {
  return {
    ...{ name, summary, channel: 'device_order', field: 'device_order_webhook_url', idMember: 'event_id' },
    data: v.strictObject({ device_order: asItStood }),
    example: { device_order: { ...exampleOrder, ...more } },
  } as const satisfies Notice
}

/** A notice of a problem. */
function ofException(name: `device_order.${string}`, summary: string, more: Members = {}) {
  return {
    ...ofStay(name, summary),
    data: v.strictObject({ device_order: asItStood, exception: deviceExceptionRecord }),
    example: { device_order: exampleOrder, exception: { ...exampleException, ...more } },
  } as const satisfies Notice
}

const ended = { next_actor: null, ended_at: '2026-06-11T08:30:00.000Z' } as const

/** By the type of the event that each comes of. */
const notices = {
  DeviceOrderStored: ofStay('device_order.stored', 'It was put into the machine.'),
  DeviceOrderCollected: ofStay('device_order.collected', 'Whoever it waited for has taken it out.', {
    ...ended,
    status: 'collected',
  }),
  DeviceOrderRemoved: ofStay('device_order.removed', 'Staff took it out; removal_reason says why.', {
    ...ended,
    status: 'removed',
    removal_reason: 'anomaly',
  }),
  DeviceOrderBecameOverdue: ofStay(
    'device_order.overdue',
    'Its deadline has passed. It is still in the machine, and its code still works.',
    { status: 'overdue', next_actor: 'operator', overdue_at: '2026-06-12T16:00:00.000Z' },
  ),
  DeviceExceptionOpened: ofException(
    'device_order.exception_opened',
    'A problem was reported, or opened by its deadline.',
  ),
  DeviceExceptionResolved: ofException('device_order.exception_resolved', 'A problem was settled.', {
    status: 'resolved',
    resolution_action: 'door_closed',
  }),
} as const satisfies Partial<Record<DeviceOrderEvent['type'], Notice>>

type Telling = Extract<DeviceOrderEvent, { readonly type: keyof typeof notices }>

/** What the outside can be told of device orders. */
export const deviceOrderNotices: readonly Notice[] = Object.values(notices)

/** What the events of a device order tell: of the stay as it was with them, and so the same each time. */
export const deviceOrderNoticeSource: NoticeSource = {
  category: 'device_order',
  types: Object.keys(notices),
  announce: async (facts, recorded) => {
    const event = recorded as RecordedEvent<DeviceOrderEvent>
    if (!isTelling(event)) return []
    const order = await orderAt(facts, event)
    return order === undefined ? [] : [announced(event, order)]
  },
  forgets: {
    types: ['DeviceOrderPersonalDataErased'],
    subjects: async (_, { stream }) => [`device-order/${stream.slice('device_order-'.length)}`],
  },
}

function isTelling(event: RecordedEvent<DeviceOrderEvent>): event is RecordedEvent<Telling> {
  return Object.hasOwn(notices, event.type)
}

async function orderAt({ store }: NoticeFacts, event: RecordedEvent<Telling>): Promise<DeviceOrderState> {
  const stream = deviceOrderStream(Number(event.stream.slice('device_order-'.length)))
  const earlier = (await store.read(stream, { limit: event.revision })) as readonly RecordedEvent<DeviceOrderEvent>[]
  return fold(deviceOrders, [...earlier, event])
}

function announced(event: RecordedEvent<Telling>, order: DeviceOrder): Announcement {
  return {
    notice: notices[event.type].name,
    id: `DOE-${event.id}`,
    audience: { kind: 'tenant', businessId: order.businessId, customerId: order.customerId },
    occurredAt: instantIn(event),
    subject: `device-order/${order.id}`,
    data: () => ({ device_order: deviceOrderOf(order), ...exceptionIn(event, order) }),
  }
}

function instantIn(event: Telling): string {
  switch (event.type) {
    case 'DeviceOrderStored':
      return event.data.stored_at
    case 'DeviceOrderBecameOverdue':
      return event.data.overdue_at
    default:
      return event.data.at
  }
}

/** The problem that an event is about, as it stands with it. */
function exceptionIn(event: Telling, { exceptions }: DeviceOrder): Members {
  if (event.type !== 'DeviceExceptionOpened' && event.type !== 'DeviceExceptionResolved') return {}
  const found = exceptions.find(({ id }) => id === event.data.exception_id)
  return found === undefined ? {} : { exception: deviceExceptionOf(found) }
}
