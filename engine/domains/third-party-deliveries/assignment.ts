import * as v from 'valibot'
import { idFrom, ofBusinessAndProvider } from '../../entity/access.ts'
import { type Entity, everybody, type Fields, nobody } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'
import { id, instant, providerName, word } from '../../kernel/schemas.ts'
import { moves, type Status, statuses } from './moves.ts'
import {
  type BookedLeg,
  begun,
  bookedLegs,
  legList,
  packageList,
  packageNumbers,
  packageReport,
  type Report,
  withOutcomes,
  withReport,
} from './packages.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to staff and providers. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'all',
  setBy: everybody,
  shownTo: everybody,
} as const

const status = v.picklist(Object.keys(statuses) as [Status, ...Status[]])

type Packages = v.InferOutput<typeof packageList>

/** The data of the event of a report. */
export interface Reported {
  readonly at: string
  readonly packages: readonly Report[]
  readonly to: Status
}

const order = idFrom('order', 'order_not_found', (context, id) =>
  context.ports.thirdPartyDeliveries.orderExists(context, id),
)

const fields = {
  assignment_id: {
    ...shown,
    about: 'Id of the assignment.',
    type: id,
    example: 12,
    set: { assign: 'engine', '*': 'repeated' },
    listed: 'column',
  },
  business_id: {
    ...shown,
    about: 'Id of the business whose order it is.',
    type: id,
    example: 1,
    set: { assign: 'engine' },
    listed: 'key',
    shownTo: nobody,
    webhooks: 'none',
  },
  order_id: {
    ...shown,
    about: 'Id of the order.',
    type: id,
    example: 42,
    set: { assign: 'required' },
    names: order,
    listed: 'filter',
  },
  order_reference: {
    ...shown,
    about: 'Reference of the business for the order.',
    type: word(100),
    example: 'R-1007',
    set: { assign: 'optional' },
  },
  provider: {
    ...shown,
    about: 'Name of the provider that is to deliver. It has a key of this business, or one of no business.',
    type: providerName,
    example: 'acme',
    set: { assign: 'required' },
    setBy: staff,
    listed: 'filter',
  },
  source: {
    ...shown,
    about: 'Whether an automatic rule or a person chose the provider; manual where absent.',
    type: v.picklist(['rule', 'manual']),
    example: 'rule',
    set: { assign: 'defaulted' },
  },
  status: {
    ...shown,
    about: 'Status of the assignment.',
    type: status,
    example: 'partially_delivered',
    set: { report: { of: ({ to }: Reported) => to } },
    listed: 'filter',
  },
  /** The data that the event of a report records, which is all that lists need. */
  to: {
    ...shown,
    about: 'Status after the last report.',
    type: status,
    example: 'partially_delivered',
    set: { report: 'engine' },
    shownTo: nobody,
    webhooks: 'none',
  },
  assigned_at: {
    ...shown,
    about: 'When the order was assigned.',
    type: instant,
    example: '2026-06-10T10:00:00.000Z',
    set: { assign: 'now' },
  },
  packages: {
    ...shown,
    about: 'The packages, and what has become of each.',
    type: packageList,
    example: [
      { tracking_number: 'LD0000421', outcome: 'delivered' },
      { tracking_number: 'LD0000422', outcome: 'in_progress' },
    ],
    set: {
      assign: {
        input: packageNumbers,
        about: 'Tracking numbers of the packages.',
        example: ['LD0000421', 'LD0000422'],
        of: ({ packages }: { packages: readonly string[] }) => begun(packages),
      },
      report: {
        input: packageReport,
        about: 'What has become of packages; the others are still on their way.',
        example: [{ tracking_number: 'LD0000421', outcome: 'delivered' }],
        of: (reported: Reported, before: { packages: Packages }) => withReport(before.packages, reported.packages),
      },
    },
  },
  legs: {
    ...shown,
    about: 'Orders booked with the carrier: one for each package if the carrier takes no shipment of several pieces.',
    type: legList,
    example: [
      { external_order_id: 'ACME-881', tracking_numbers: ['LD0000421'], outcome: 'delivered' },
      { external_order_id: 'ACME-882', tracking_numbers: ['LD0000422'], outcome: 'in_progress' },
    ],
    set: {
      assign: { is: [] },
      book_legs: {
        input: bookedLegs,
        about: 'Orders booked with the carrier.',
        example: [{ external_order_id: 'ACME-881', tracking_numbers: ['LD0000421'] }],
        of: ({ legs }: { legs: readonly BookedLeg[] }, before: { legs: readonly BookedLeg[]; packages: Packages }) =>
          withOutcomes([...before.legs, ...legs], before.packages),
      },
      report: {
        of: (reported: Reported, before: { legs: readonly BookedLeg[]; packages: Packages }) =>
          withOutcomes(before.legs, withReport(before.packages, reported.packages)),
      },
    },
  },
  handed_over_at: {
    ...shown,
    about: 'When the warehouse gave the packages to the provider.',
    type: instant,
    example: '2026-06-10T11:00:00.000Z',
    set: { hand_over: 'now' },
    webhooks: 'none',
  },
  ended_at: {
    ...shown,
    about: 'When the last package was reported, or the assignment was withdrawn.',
    type: instant,
    example: '2026-06-10T14:00:00.000Z',
    set: {
      report: { of: ({ at, to }: Reported) => (to === 'delivered' || to === 'undelivered' ? at : undefined) },
      cancel: 'now',
      reassign: 'now',
    },
    webhooks: 'none',
  },
  reason: {
    ...shown,
    about:
      'Why the assignment was withdrawn. cancelled: at the carrier; fallback_to_self_delivery: the business delivers; reassigned: to another provider.',
    type: v.picklist(['cancelled', 'fallback_to_self_delivery', 'reassigned']),
    example: 'reassigned',
    set: { cancel: { required: v.picklist(['cancelled', 'fallback_to_self_delivery']) }, reassign: 'engine' },
    webhooks: ['delivery.assignment.cancelled'],
  },
} as const satisfies Fields<keyof typeof moves>

/** Where staff and providers find the operations, and what both see there. */
const both = { tag: 'Third-Party Deliveries', one: 'assignment', many: 'assignments' } as const

/** An order that another provider is to deliver. The assignments of an order share its stream. */
export const assignment = {
  category: 'third_party',
  noun: 'assignment',
  id: 'assignment_id',
  statuses,
  moves,
  fields,
  missing: 'null',
  access: ofBusinessAndProvider,
  listVersion: 2,
  refusals: {
    missing: 'third_party_assignment_not_found',
    forbidden: 'third_party_status_forbids',
    param: 'assignment',
  },
  indexes: [['business_id', 'status'], ['business_id', 'provider'], ['order_id']],
  api: {
    ...both,
    path: '/api/v1/third-party-deliveries',
    read: { scope: 'orders:read', by: staff },
    write: { scope: 'orders:write' },
    list: {
      operation: 'list_third_party_deliveries',
      summary: 'The assignments of orders of the business to providers, newest first.',
      shows: 'records',
    },
    get: {
      operation: 'get_third_party_delivery',
      summary: 'One assignment of an order to a provider, with its packages and what was booked for them.',
    },
  },
  providerApi: {
    ...both,
    path: '/api/v1/provider/third-party-deliveries',
    read: { scope: 'third_party:write', by: ['provider'] },
    write: { scope: 'third_party:write' },
    list: {
      operation: 'list_provider_assignments',
      summary: 'For the key of a provider: the orders that are assigned to it, newest first.',
      shows: 'records',
    },
  },
} as const satisfies Entity
