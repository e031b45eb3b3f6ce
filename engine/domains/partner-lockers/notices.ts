import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Members } from '../../kernel/members.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/notice.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { lockerDeliveries } from './decider.ts'
import type { LockerDeliveryEvent } from './events.ts'
import { maxParcels } from './input.ts'
import {
  compartmentEntries,
  compartmentOf,
  failedParcelRecord,
  instant,
  type LockerDeliveryRecord,
  lockerDeliveryOf,
  lockerDeliveryRecord,
} from './record.ts'
import type { LockerDelivery } from './state.ts'
import { codeKinds, confirmations, expiries, type LockerDeliveryStatus, openingWays } from './status.ts'

const channel = { channel: 'provider_locker', idMember: 'event_id' } as const

const compartments = v.pipe(v.array(v.strictObject(compartmentEntries)), v.maxLength(maxParcels))
const about = { locker_delivery: lockerDeliveryRecord }

function exampleOf(status: LockerDeliveryStatus, more: Partial<LockerDeliveryRecord>): LockerDeliveryRecord {
  return {
    ...{ id: 17, provider: 'acme', status, mock: false, device_id: 4, device_name: 'Locker Main St', order_id: 42 },
    ...{ parcels: [{ reference_number: 'AC-1' }], delivery_expires_at: '2026-06-10T18:00:00.000Z' },
    ...{ pickup_expires_at: '2026-06-13T18:00:00.000Z', opened_at: null, delivered_at: null, ended_at: null },
    ...more,
  }
}

const opened = { opened_at: '2026-06-10T10:00:00.000Z' }
const delivered = { ...opened, delivered_at: '2026-06-10T10:02:00.000Z' }
const ended = { ended_at: '2026-06-10T11:00:00.000Z' }
const compartment = { grid_id: 31, compartment_number: 7, pickup_locker_number: 3, pickup_locker_code: 'A-3' }

const doorsOpened = {
  name: 'partner_locker.delivery.doors_opened',
  ...channel,
  summary: 'Compartments were opened for the courier; the pickup code cannot be used yet.',
  data: v.strictObject({
    ...about,
    opening: v.strictObject({ opened_at: instant, opened_by: v.picklist(openingWays), compartments }),
    pickup_code: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(20),
        v.description(
          'For the recipient: allocated by the first opening, and to be used once the deposit is confirmed. Missing once another has replaced it.',
        ),
      ),
    ),
  }),
  example: {
    locker_delivery: exampleOf('opened', opened),
    opening: { ...opened, opened_by: 'locker_screen', compartments: [compartment] },
    pickup_code: '048213',
  },
} as const satisfies Notice

const deliveryDelivered = {
  name: 'partner_locker.delivery.delivered',
  ...channel,
  summary: 'The deposit is confirmed: the parcels lie in the locker, and the pickup code can be used.',
  data: v.strictObject({
    ...about,
    confirmed_by: v.pipe(v.picklist(confirmations), v.description('door_close: the last of the doors was closed.')),
  }),
  example: { locker_delivery: exampleOf('delivered', delivered), confirmed_by: 'courier_terminal' },
} as const satisfies Notice

const pickupCompleted = {
  name: 'partner_locker.pickup.completed',
  ...channel,
  summary: 'The recipient has collected the parcels.',
  data: v.strictObject({
    ...about,
    pickup: v.strictObject({
      completed_at: instant,
      with_code: v.pipe(v.boolean(), v.description('Whether the pickup code was given; else staff handed them out.')),
    }),
  }),
  example: {
    locker_delivery: exampleOf('collected', { ...delivered, ...ended }),
    pickup: { completed_at: ended.ended_at, with_code: true },
  },
} as const satisfies Notice

const deliveryFailed = {
  name: 'partner_locker.delivery.failed',
  ...channel,
  summary: 'The parcels did not come into the locker.',
  data: v.strictObject({ ...about, packages: v.pipe(v.array(failedParcelRecord), v.maxLength(maxParcels)) }),
  example: {
    locker_delivery: exampleOf('failed', ended),
    packages: [{ reference_number: 'AC-1', failure_code: 'too_large' }],
  },
} as const satisfies Notice

const deliveryExpired = {
  name: 'partner_locker.delivery.expired',
  ...channel,
  summary: 'The code of the courier was not used, or the deposit was not collected, before its expiry.',
  data: v.strictObject({
    ...about,
    expiry: v.strictObject({
      expired: v.pipe(v.picklist(expiries), v.description('Which of the two was left lying.')),
      expired_at: v.pipe(instant, v.description('When that was recorded. ISO 8601, UTC.')),
    }),
  }),
  example: {
    locker_delivery: exampleOf('expired', { ended_at: '2026-06-10T18:00:00.000Z' }),
    expiry: { expired: 'delivery_code', expired_at: '2026-06-10T18:00:00.000Z' },
  },
} as const satisfies Notice

const deliveryCancelled = {
  name: 'partner_locker.delivery.cancelled',
  ...channel,
  summary: 'The delivery was cancelled before its deposit was confirmed.',
  data: v.strictObject(about),
  example: { locker_delivery: exampleOf('cancelled', ended) },
} as const satisfies Notice

const correctionReopened = {
  name: 'partner_locker.delivery.correction_reopened',
  ...channel,
  summary: 'Compartments of a deposit were opened again within the correction window.',
  data: v.strictObject({ ...about, correction: v.strictObject({ reopened_at: instant, compartments }) }),
  example: {
    locker_delivery: exampleOf('correcting', delivered),
    correction: { reopened_at: '2026-06-10T10:05:00.000Z', compartments: [compartment] },
  },
} as const satisfies Notice

const codeRotated = {
  name: 'partner_locker.delivery.code_rotated',
  ...channel,
  summary: 'The access code or the pickup code was replaced. No webhook tells the new one.',
  data: v.strictObject({
    ...about,
    rotation: v.strictObject({
      code: v.pipe(v.picklist(codeKinds), v.description('Which of the codes was replaced.')),
      replaced_at: instant,
      recipient_notified: v.pipe(v.boolean(), v.description('Whether the recipient was told anew.')),
    }),
  }),
  example: {
    locker_delivery: exampleOf('delivered', delivered),
    rotation: { code: 'pickup', replaced_at: '2026-06-10T10:30:00.000Z', recipient_notified: true },
  },
} as const satisfies Notice

/** What partners are told of their deliveries into lockers (document 3, "Provider locker delivery"). */
export const lockerNotices: readonly Notice[] = [
  ...[doorsOpened, deliveryDelivered, pickupCompleted, deliveryFailed],
  ...[deliveryExpired, deliveryCancelled, correctionReopened, codeRotated],
]

const noticeOf = {
  LockerDoorsOpened: doorsOpened,
  LockerDeliveryConfirmed: deliveryDelivered,
  LockerPickupCompleted: pickupCompleted,
  LockerDeliveryFailed: deliveryFailed,
  LockerDeliveryExpired: deliveryExpired,
  LockerDeliveryCancelled: deliveryCancelled,
  LockerCorrectionReopened: correctionReopened,
  LockerCodeRotated: codeRotated,
} as const satisfies Partial<Record<LockerDeliveryEvent['type'], Notice>>

type Told = Extract<LockerDeliveryEvent, { readonly type: keyof typeof noticeOf }>

function isTold(event: LockerDeliveryEvent): event is Told {
  return Object.hasOwn(noticeOf, event.type)
}

/** Tells partners of their deliveries into lockers. */
export const lockerNoticeSource: NoticeSource = {
  category: 'locker_delivery',
  types: Object.keys(noticeOf),
  announce: async ({ store }, event) => {
    const recorded = event as RecordedEvent<LockerDeliveryEvent>
    if (!isTold(recorded)) return []
    const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
    const delivery = fold(lockerDeliveries, history as readonly LockerDeliveryEvent[])
    return delivery === undefined ? [] : [announced(recorded, delivery)]
  },
}

function announced(event: RecordedEvent & Told, delivery: LockerDelivery): Announcement {
  const { id, businessId, provider, isMock } = delivery
  return {
    notice: noticeOf[event.type].name,
    id: `${isMock ? 'PLE-MOCK' : 'PLE'}-${event.id}`,
    audience: { kind: 'provider', businessId, provider },
    occurredAt: event.data.at,
    subject: `locker-delivery/${id}`,
    isSandbox: isMock,
    data: () => ({ locker_delivery: lockerDeliveryOf(delivery), ...blockOf(event, delivery) }),
  }
}

/** What a notice tells beside the delivery as it stands after the event. */
function blockOf(event: Told, { pickupCode, compartments: known }: LockerDelivery): Members {
  const { at } = event.data
  switch (event.type) {
    case 'LockerDoorsOpened': {
      const { opened_by, compartments } = event.data
      const opening = { opened_at: at, opened_by, compartments: compartments.map(compartmentOf) }
      return { opening, ...(pickupCode === undefined ? {} : { pickup_code: pickupCode }) }
    }
    case 'LockerDeliveryConfirmed':
      return { confirmed_by: event.data.confirmed_by }
    case 'LockerPickupCompleted':
      return { pickup: { completed_at: at, with_code: event.data.with_code } }
    case 'LockerDeliveryFailed':
      return { packages: event.data.packages }
    case 'LockerDeliveryExpired':
      return { expiry: { expired: event.data.expired, expired_at: at } }
    case 'LockerDeliveryCancelled':
      return {}
    case 'LockerCorrectionReopened': {
      const { grid_ids } = event.data
      const reopened = known.filter(({ grid_id }) => grid_ids.includes(grid_id))
      return { correction: { reopened_at: at, compartments: reopened.map(compartmentOf) } }
    }
    case 'LockerCodeRotated': {
      const { code, recipient_notified } = event.data
      return { rotation: { code, replaced_at: at, recipient_notified } }
    }
    default:
      return event satisfies never
  }
}
