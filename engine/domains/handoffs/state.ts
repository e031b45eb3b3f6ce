import type { Reducer } from '../../kernel/decider.ts'
import type { Content } from './content.ts'
import type {
  AmendmentProposed,
  HandoffEvent,
  HandoffProposed,
  HandoffTracked,
  SettlementLineCreated,
} from './events.ts'
import type { AmendmentStatus, CancellationReason, HandoffStatus, RejectionReason, SettlementKind } from './status.ts'

/** A change of an accepted order. */
export interface Amendment {
  /** Counted from 1 within the handoff. */
  readonly id: number
  readonly status: AmendmentStatus
  readonly proposedAt: string
  readonly changes: Content
  readonly reason?: RejectionReason
  readonly note?: string | undefined
}

/** How the order was getting on at a moment. */
export interface TrackingUpdate {
  readonly statusCode: string
  readonly occurredAt: string
  readonly trackingNumber?: string | undefined
  readonly isLast: boolean
  readonly note?: string | undefined
}

/** An amount that the two owe each other. */
export interface SettlementLine {
  /** Counted from 1 within the handoff. */
  readonly id: number
  readonly kind: SettlementKind
  readonly amount: string
  readonly currency: string
  readonly note?: string | undefined
}

/** An order that a partner hands over, as its facts have it; instants are ISO 8601 in UTC. */
export interface Handoff {
  readonly id: number
  readonly businessId: number
  readonly provider: string
  readonly partnerReference: string
  readonly status: HandoffStatus
  readonly proposedAt: string
  readonly expiresAt: string
  readonly orderId?: number | undefined
  /** What is left of it once it was erased. */
  readonly content: Content
  readonly reason?: RejectionReason | CancellationReason
  readonly note?: string | undefined
  readonly amendments: readonly Amendment[]
  readonly tracking: readonly TrackingUpdate[]
  readonly lines: readonly SettlementLine[]
  readonly isForgotten: boolean
}

/** Nothing before it was proposed. */
export type HandoffState = Handoff | undefined

/** What follows from a fact about a handoff. */
export const evolve: Reducer<HandoffState, HandoffEvent> = (state, event) => {
  if (event.type === 'HandoffProposed') return proposed(event.data)
  return state === undefined ? state : { ...state, ...changed(state, event) }
}

function proposed(data: HandoffProposed['data']): Handoff {
  return {
    id: data.handoff_id,
    businessId: data.business_id,
    provider: data.provider,
    partnerReference: data.partner_reference,
    status: 'proposed',
    proposedAt: data.at,
    expiresAt: data.expires_at,
    content: contentOf(data),
    amendments: [],
    tracking: [],
    lines: [],
    isForgotten: false,
  }
}

function changed(state: Handoff, fact: Exclude<HandoffEvent, HandoffProposed>): Partial<Handoff> {
  switch (fact.type) {
    case 'HandoffAccepted':
      return { status: 'accepted', orderId: fact.data.order_id }
    case 'HandoffRejected':
      return { status: 'rejected', reason: fact.data.reason, note: fact.data.personal?.note }
    case 'HandoffExpired':
      return { status: 'expired' }
    case 'HandoffCancelled':
      return { status: 'cancelled', reason: fact.data.reason, note: fact.data.personal?.note }
    case 'AmendmentProposed':
      return { amendments: [...state.amendments, amendmentOf(fact.data)] }
    case 'AmendmentAccepted': {
      const { amendment_id } = fact.data
      const changes = state.amendments.find(({ id }) => id === amendment_id)?.changes
      return { content: { ...state.content, ...changes }, ...settled(state, amendment_id, { status: 'accepted' }) }
    }
    case 'AmendmentRejected': {
      const { amendment_id, reason, personal } = fact.data
      return settled(state, amendment_id, { status: 'rejected', reason, note: personal?.note })
    }
    case 'HandoffTracked':
      return {
        tracking: [...state.tracking, updateOf(fact.data)],
        ...(fact.data.is_last ? { status: 'completed' } : {}),
      }
    case 'SettlementLineCreated':
      return { lines: [...state.lines, lineOf(fact.data)] }
    case 'HandoffPersonalDataErased':
      return forgotten(state)
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}

function contentOf({ window, personal }: Pick<AmendmentProposed['data'], 'window' | 'personal'>): Content {
  return { ...personal, ...(window === undefined ? {} : { window }) }
}

function amendmentOf(data: AmendmentProposed['data']): Amendment {
  return { id: data.amendment_id, status: 'proposed', proposedAt: data.at, changes: contentOf(data) }
}

function settled(state: Handoff, id: number, how: Partial<Amendment>): Pick<Handoff, 'amendments'> {
  return { amendments: state.amendments.map((one) => (one.id === id ? { ...one, ...how } : one)) }
}

/** A tracking update, as its fact has it. */
export function updateOf(data: HandoffTracked['data']): TrackingUpdate {
  return {
    statusCode: data.status_code,
    occurredAt: data.occurred_at,
    trackingNumber: data.tracking_number,
    isLast: data.is_last,
    note: data.personal?.note,
  }
}

/** A line of the settlement, as its fact has it. */
export function lineOf({
  line_id: id,
  kind,
  amount,
  currency,
  personal,
}: SettlementLineCreated['data']): SettlementLine {
  return { id, kind, amount, currency, note: personal?.note }
}

function forgotten(state: Handoff): Partial<Handoff> {
  const { window } = state.content
  return {
    isForgotten: true,
    content: window === undefined ? {} : { window },
    note: undefined,
    amendments: state.amendments.map(({ changes, note: _, ...rest }) => ({
      ...rest,
      changes: changes.window === undefined ? {} : { window: changes.window },
    })),
    tracking: state.tracking.map((one) => ({ ...one, note: undefined })),
    lines: state.lines.map((one) => ({ ...one, note: undefined })),
  }
}
