import type { Event } from '../../kernel/event.ts'
import type { Details, Window } from './content.ts'
import type { CancellationReason, RejectionReason, SettlementKind } from './status.ts'

/** What every fact says beside itself: when (ISO 8601, UTC), by whose account (null for the partner or the platform), whose. */
export interface Told {
  readonly at: string
  readonly by: number | null
  readonly business_id: number
  /** Name of the partner's provider account. */
  readonly provider: string
}

/** What somebody added in words of their own. */
interface Noted {
  readonly personal?: { readonly note: string }
}

/** A partner offered an order. */
export type HandoffProposed = Event<
  'HandoffProposed',
  Told & {
    readonly handoff_id: number
    readonly partner_reference: string
    /** Until when the business can decide: ISO 8601, UTC. */
    readonly expires_at: string
    readonly window?: Window
    readonly personal?: Details
  }
>

/** A partner asked for an accepted order to be otherwise; what is not named stays as it is. */
export type AmendmentProposed = Event<
  'AmendmentProposed',
  Told & {
    /** Counted from 1 within the handoff. */
    readonly amendment_id: number
    readonly window?: Window
    readonly personal?: Details
  }
>

/** The business told how the order is getting on. */
export type HandoffTracked = Event<
  'HandoffTracked',
  Told &
    Noted & {
      /** Code of the parcel profile. */
      readonly status_code: string
      /** ISO 8601, UTC. */
      readonly occurred_at: string
      readonly tracking_number?: string
      /** Nothing is expected to follow: the handoff is completed. */
      readonly is_last: boolean
    }
>

/** The business put down an amount that the two owe each other. */
export type SettlementLineCreated = Event<
  'SettlementLineCreated',
  Told &
    Noted & {
      /** Counted from 1 within the handoff. */
      readonly line_id: number
      readonly kind: SettlementKind
      /** Decimal text with two digits. */
      readonly amount: string
      /** ISO 4217. */
      readonly currency: string
    }
>

/** What happened to a handoff. */
export type HandoffEvent =
  | HandoffProposed
  | AmendmentProposed
  | HandoffTracked
  | SettlementLineCreated
  /** `order_id` is the order that the business made of it, where it said so. */
  | Event<'HandoffAccepted', Told & { readonly order_id?: number }>
  | Event<'HandoffRejected', Told & Noted & { readonly reason: RejectionReason }>
  | Event<'HandoffExpired', Told>
  | Event<'HandoffCancelled', Told & Noted & { readonly reason: CancellationReason }>
  | Event<'AmendmentAccepted', Told & { readonly amendment_id: number }>
  | Event<'AmendmentRejected', Told & Noted & { readonly amendment_id: number; readonly reason: RejectionReason }>
  | Event<'HandoffPersonalDataErased', Told>

const types: Readonly<Record<HandoffEvent['type'], true>> = {
  HandoffProposed: true,
  HandoffAccepted: true,
  HandoffRejected: true,
  HandoffExpired: true,
  HandoffCancelled: true,
  AmendmentProposed: true,
  AmendmentAccepted: true,
  AmendmentRejected: true,
  HandoffTracked: true,
  SettlementLineCreated: true,
  HandoffPersonalDataErased: true,
}

/** The types of the events of handoffs. */
export const handoffEventTypes: readonly string[] = Object.keys(types)

/** A reference of a partner was given to a handoff, and so to no other: it is the only event of its stream. */
export type HandoffReferenceTaken = Event<'HandoffReferenceTaken', { readonly handoff_id: number }>
