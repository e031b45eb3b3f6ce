import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Members } from '../../kernel/members.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/notice.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { thirdPartyAssignments } from './decider.ts'
import type { ThirdPartyEvent } from './events.ts'
import { assignmentEntries, named, parcelEntries, parcelsOf } from './record.ts'
import { type Assignment, type AssignmentsState, assignmentIn } from './state.ts'
import { cancelReasons } from './status.ts'

const channel = { channel: 'third_party_delivery', idMember: 'event_id' } as const

const told = { ...assignmentEntries, ...parcelEntries }

const example = {
  ...{ assignment_id: 12, order_id: 42, order_reference: 'R-1007', provider: 'acme', source: 'rule' },
  ...{ status: 'assigned', assigned_at: '2026-06-10T10:00:00.000Z' },
  packages: [
    { tracking_number: 'LD0000421', outcome: 'in_progress' },
    { tracking_number: 'LD0000422', outcome: 'in_progress' },
  ],
  legs: [],
}

const created: Notice = {
  name: 'delivery.assignment.created',
  ...channel,
  summary: 'An order is assigned to the provider, by an automatic rule or by a person.',
  data: v.strictObject(told),
  example,
}

const handedOver: Notice = {
  name: 'delivery.assignment.handed_over',
  ...channel,
  summary: 'The warehouse gave all packages of the assignment to the provider.',
  data: v.strictObject(told),
  example: { ...example, status: 'handed_over' },
}

const cancelled: Notice = {
  name: 'delivery.assignment.cancelled',
  ...channel,
  summary: 'The assignment was withdrawn.',
  data: v.strictObject({
    ...told,
    reason: v.pipe(
      v.picklist(cancelReasons),
      v.description(
        'cancelled: at the carrier; fallback_to_self_delivery: the business delivers; reassigned: to another provider.',
      ),
    ),
  }),
  example: { ...example, status: 'cancelled', reason: 'reassigned' },
}

const partialDelivered: Notice = {
  name: 'delivery.assignment.partial_delivered',
  ...channel,
  summary: 'Part of the packages was delivered while others are still on their way.',
  data: v.strictObject(told),
  example: {
    ...example,
    status: 'partially_delivered',
    packages: [
      { tracking_number: 'LD0000421', outcome: 'delivered' },
      { tracking_number: 'LD0000422', outcome: 'in_progress' },
    ],
    legs: [
      { external_order_id: 'ACME-881', tracking_numbers: ['LD0000421'], outcome: 'delivered' },
      { external_order_id: 'ACME-882', tracking_numbers: ['LD0000422'], outcome: 'in_progress' },
    ],
  },
}

/** What providers are told of the orders that they are to deliver (document 3, "Third-party delivery channel"). */
export const thirdPartyNotices = [created, handedOver, cancelled, partialDelivered] as const

/** Turns facts about assignments into what their provider is told. */
export const thirdPartyNoticeSource: NoticeSource = {
  category: 'third_party',
  types: ['ThirdPartyAssigned', 'ThirdPartyHandedOver', 'ThirdPartyPackagesReported', 'ThirdPartyCancelled'],
  announce: async ({ store }, event) => {
    const history = (await store.read(event.stream as StreamName, {
      limit: event.revision + 1,
    })) as readonly RecordedEvent<ThirdPartyEvent>[]
    const fact = history.at(-1)
    return fact === undefined ? [] : announced(fact, fold(thirdPartyAssignments, history))
  },
}

/** What a fact tells the provider whose assignment it is about, as it stands after it. */
function announced(fact: RecordedEvent<ThirdPartyEvent>, state: AssignmentsState): readonly Announcement[] {
  const notice = noticeOf(fact)
  const assignment = assignmentIn(state, fact.data.assignment_id)
  if (notice === undefined || assignment === undefined) return []
  const { businessId, provider, id } = assignment
  return [
    {
      notice: notice.name,
      id: `TPD-${fact.id}`,
      audience: { kind: 'provider', businessId, provider },
      occurredAt: fact.data.at,
      subject: `assignment/${id}`,
      data: () => dataOf(fact, assignment),
    },
  ]
}

/** Which notice a fact is; that all is delivered, or that a package is lost, is told by nobody but the provider itself. */
function noticeOf(fact: ThirdPartyEvent): Notice | undefined {
  switch (fact.type) {
    case 'ThirdPartyAssigned':
      return created
    case 'ThirdPartyHandedOver':
      return handedOver
    case 'ThirdPartyCancelled':
      return cancelled
    case 'ThirdPartyPackagesReported': {
      const isDelivery = fact.data.packages.some(({ outcome }) => outcome === 'delivered')
      return isDelivery && fact.data.to === 'partially_delivered' ? partialDelivered : undefined
    }
    default:
      return undefined
  }
}

function dataOf(fact: ThirdPartyEvent, assignment: Assignment): Members {
  const data = { ...named(assignment), ...parcelsOf(assignment) }
  return fact.type === 'ThirdPartyCancelled' ? { ...data, reason: fact.data.reason } : data
}
