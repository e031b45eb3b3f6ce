import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/notice.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { carrierPackages } from './decider.ts'
import type { CarrierPackageEvent } from './events.ts'
import { type CarrierPackageRecord, carrierPackageOf, carrierPackageRecord } from './record.ts'
import type { CarrierPackage } from './state.ts'

type Distributed = CarrierPackageRecord & {
  readonly distribution: NonNullable<CarrierPackageRecord['distribution']>
  readonly distribution_order: NonNullable<CarrierPackageRecord['distribution_order']>
}

const created: Distributed = {
  package_id: 5,
  provider: 'acme',
  status: 'ordered',
  package_number: 'PK-5',
  carrier_reference: 'AC-5',
  member_number: 'M-1001',
  distribution_order: { order_id: 42, order_ref: 'DIST-42', status: 'created' },
  origin: { location_id: 1, location_name: 'Warehouse North' },
  destination: { location_id: 9, location_name: 'Locker Main St' },
  distribution: { status: 'created', reason: null, loaded_at: null, delivered_at: null },
  location: null,
}

const loaded: Distributed = {
  ...created,
  status: 'in_transit',
  distribution_order: { ...created.distribution_order, status: 'in_transit' },
  distribution: { ...created.distribution, status: 'in_transit', loaded_at: '2026-06-10T08:00:00.000Z' },
}

const delivered: Distributed = {
  ...loaded,
  status: 'delivered',
  distribution_order: { ...created.distribution_order, status: 'delivered' },
  distribution: { ...loaded.distribution, status: 'delivered', delivered_at: '2026-06-10T10:00:00.000Z' },
}

const shelved: Distributed = {
  ...delivered,
  status: 'shelved',
  location: { grid_id: 31, grid_code: 'A-07', shelf_code: 'A' },
}

const removed: Distributed = {
  ...created,
  status: 'listed',
  distribution: { ...created.distribution, status: 'removed', reason: 'removed' },
}

function noticeOf(name: string, summary: string, example: Distributed): Notice {
  return {
    name: `carrier_package.distribution.${name}`,
    channel: 'provider_locker',
    summary,
    data: carrierPackageRecord,
    example,
    idMember: 'event_id',
  }
}

const notices = {
  CarrierPackageDistributed: noticeOf('created', 'A package was put on a distribution order to its location.', created),
  CarrierPackageLoaded: noticeOf('loaded', 'A package was scanned onto the truck at its warehouse.', loaded),
  CarrierPackageHandedOver: noticeOf('delivered', 'The driver has handed a package over at its location.', delivered),
  CarrierPackageShelved: noticeOf(
    'shelved',
    'A package lies in a compartment or on a shelf, for its recipient.',
    shelved,
  ),
  CarrierPackageTakenOff: noticeOf(
    'removed',
    'A package was taken off its order, or the order was cancelled; it is on the list of its warehouse again.',
    removed,
  ),
} as const satisfies Partial<Record<CarrierPackageEvent['type'], Notice>>

/** What carriers are told of their packages (document 3, "Carrier package distribution"). */
export const carrierPackageNotices: readonly Notice[] = Object.values(notices)

type Told = Extract<CarrierPackageEvent, { readonly type: keyof typeof notices }>

function isTold(event: CarrierPackageEvent): event is Told {
  return Object.hasOwn(notices, event.type)
}

/** Tells carriers of their packages. */
export const carrierPackageNoticeSource: NoticeSource = {
  category: 'carrier_package',
  types: Object.keys(notices),
  announce: async ({ store }, event) => {
    const recorded = event as RecordedEvent<CarrierPackageEvent>
    if (!isTold(recorded)) return []
    const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
    const found = fold(carrierPackages, history as readonly CarrierPackageEvent[])
    return found === undefined ? [] : [announced(recorded, found)]
  },
  forgets: {
    types: ['CarrierPackagePersonalDataErased'],
    subjects: async (_, { stream }) => [`carrier-package/${stream.slice('carrier_package-'.length)}`],
  },
}

function announced(event: RecordedEvent & Told, found: CarrierPackage): Announcement {
  const { id, businessId, provider } = found
  return {
    notice: notices[event.type].name,
    id: `PLE-${event.id}`,
    audience: { kind: 'provider', businessId, provider },
    occurredAt: event.data.at,
    subject: `carrier-package/${id}`,
    data: () => carrierPackageOf(found),
  }
}
