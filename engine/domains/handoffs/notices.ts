import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import type { Members } from '../../kernel/members.ts'
import type { Announcement, Notice, NoticeSource } from '../../kernel/notice.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { handoffs } from './decider.ts'
import type { HandoffEvent } from './events.ts'
import {
  decisionEntries,
  decisionOf,
  handoffEntries,
  lineRecord,
  lineTold,
  named,
  note,
  notedBy,
  updateRecord,
  updateTold,
} from './record.ts'
import { type Handoff, lineOf, updateOf } from './state.ts'
import { cancellationReasons, rejectionReasons } from './status.ts'

const pushed = { channel: 'order_handoff', idMember: 'message_id' } as const

const accepted = {
  ...{ handoff_id: 7, partner_reference: 'PO-4711', status: 'accepted', order_id: 42 },
  expires_at: '2026-06-10T12:00:00.000Z',
}
const undecided = { ...accepted, order_id: null }

const amended = v.strictObject({ ...handoffEntries, amendment: v.strictObject(decisionEntries) })

/** The notices of handoffs, by the type of the event that each tells (document 3, "Order handoff push events"). */
export const noticesOfEvents = {
  HandoffAccepted: {
    name: 'handoff.accepted',
    ...pushed,
    summary: 'The business carries the order that was handed over.',
    data: v.strictObject(handoffEntries),
    example: accepted,
  },
  HandoffRejected: {
    name: 'handoff.rejected',
    ...pushed,
    summary: 'The business does not take the order.',
    data: v.strictObject({ ...handoffEntries, reason: v.picklist(rejectionReasons), note }),
    example: { ...undecided, status: 'rejected', reason: 'capacity' },
  },
  HandoffExpired: {
    name: 'handoff.expired',
    ...pushed,
    summary: 'The business did not decide in time.',
    data: v.strictObject(handoffEntries),
    example: { ...undecided, status: 'expired' },
  },
  HandoffCancelled: {
    name: 'handoff.cancelled',
    ...pushed,
    summary: 'The partner took the order back.',
    data: v.strictObject({ ...handoffEntries, reason: v.picklist(cancellationReasons), note }),
    example: { ...accepted, status: 'cancelled', reason: 'sender_request' },
  },
  AmendmentAccepted: {
    name: 'amendment.accepted',
    ...pushed,
    summary: 'The business takes a change of the order.',
    data: amended,
    example: { ...accepted, amendment: { amendment_id: 1, status: 'accepted' } },
  },
  AmendmentRejected: {
    name: 'amendment.rejected',
    ...pushed,
    summary: 'The business does not take a change of the order, which stays as it was.',
    data: amended,
    example: { ...accepted, amendment: { amendment_id: 1, status: 'rejected', reason: 'window' } },
  },
  HandoffTracked: {
    name: 'handoff.tracking',
    ...pushed,
    summary: 'The business tells how the order is getting on.',
    data: v.strictObject({ ...handoffEntries, tracking: updateRecord }),
    example: {
      ...accepted,
      tracking: {
        ...{ status_code: 'out_for_delivery', occurred_at: '2026-06-10T11:30:00.000Z' },
        ...{ tracking_number: 'LD0000421', is_last: false },
      },
    },
  },
  SettlementLineCreated: {
    name: 'settlement_line.created',
    ...pushed,
    summary: 'The business put down an amount that it and the partner owe each other.',
    data: v.strictObject({ ...handoffEntries, settlement_line: lineRecord }),
    example: {
      ...accepted,
      settlement_line: { line_id: 1, kind: 'delivery_fee', amount: '12.50', currency: 'EUR' },
    },
  },
} as const satisfies Partial<Record<HandoffEvent['type'], Notice>>

/** An event that is told. */
type ToldEvent = Extract<HandoffEvent, { readonly type: keyof typeof noticesOfEvents }>

/** What partners are told of the orders that they hand over. */
export const handoffNotices: readonly Notice[] = Object.values(noticesOfEvents)

/** The names of these notices: what a subscription can ask for. */
export const handoffNoticeNames = Object.values(noticesOfEvents).map(({ name }) => name)

/** The message id of an event that is told. */
export function messageIdOf({ id }: Pick<RecordedEvent, 'id'>): string {
  return `OHM-${id}`
}

/** Whether an event is told, in a form that types understand. */
export function isTold(event: HandoffEvent): event is ToldEvent {
  return Object.hasOwn(noticesOfEvents, event.type)
}

/** Turns facts about handoffs into what their partner is told. */
export const handoffNoticeSource: NoticeSource = {
  category: 'handoff',
  types: Object.keys(noticesOfEvents),
  announce: async ({ store }, event) => {
    const history = await historyOf(store, event.stream as StreamName, event.revision)
    const announcement = announcementOf(history)
    return announcement === undefined ? [] : [announcement]
  },
  forgets: {
    types: ['HandoffPersonalDataErased'],
    subjects: async (_, { stream }) => [`handoff/${stream.slice('handoff-'.length)}`],
  },
}

/** The events of a handoff up to a revision. */
export async function historyOf(
  store: EventStore,
  stream: StreamName,
  revision: number,
): Promise<readonly RecordedEvent<HandoffEvent>[]> {
  return (await store.read(stream, { limit: revision + 1 })) as readonly RecordedEvent<HandoffEvent>[]
}

/** What the last event of a history tells the partner; nothing where it is not told. */
export function announcementOf(history: readonly RecordedEvent<HandoffEvent>[]): Announcement | undefined {
  const fact = history.at(-1)
  const handoff = fold(handoffs, history)
  if (fact === undefined || handoff === undefined || !isTold(fact)) return undefined
  const { businessId, provider, id } = handoff
  return {
    notice: noticesOfEvents[fact.type].name,
    id: messageIdOf(fact),
    audience: { kind: 'provider', businessId, provider },
    occurredAt: fact.data.at,
    subject: `handoff/${id}`,
    data: () => dataOf(fact, handoff),
  }
}

function dataOf(fact: ToldEvent, handoff: Handoff): Members {
  switch (fact.type) {
    case 'HandoffAccepted':
    case 'HandoffExpired':
      return named(handoff)
    case 'HandoffRejected':
    case 'HandoffCancelled':
      return { ...named(handoff), reason: fact.data.reason, ...notedBy(handoff) }
    case 'AmendmentAccepted':
    case 'AmendmentRejected': {
      const amendments = handoff.amendments.filter(({ id }) => id === fact.data.amendment_id)
      return { ...named(handoff), ...Object.fromEntries(amendments.map((one) => ['amendment', decisionOf(one)])) }
    }
    case 'HandoffTracked':
      return { ...named(handoff), tracking: updateTold(updateOf(fact.data)) }
    case 'SettlementLineCreated':
      return { ...named(handoff), settlement_line: lineTold(lineOf(fact.data)) }
    default:
      return fact satisfies never
  }
}
