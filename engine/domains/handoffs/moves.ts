import * as v from 'valibot'
import type { Moves } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'

/** The statuses of a handoff. */
export const statuses = {
  proposed: 'The partner offers the order; the business has not decided.',
  accepted: 'The business carries the order.',
  rejected: 'The business does not take the order.',
  expired: 'Nobody decided in time.',
  cancelled: 'The partner took the order back.',
  completed: 'The business has reported the last of the order.',
} as const

const amendmentErrors = ['amendment_not_found', 'amendment_settled'] as const

/** The moves of a handoff. */
export const moves = {
  propose: {
    from: 'nothing',
    to: 'proposed',
    event: 'HandoffProposed',
    providerCall: {
      operation: 'propose_handoff',
      by: ['provider'],
      summary:
        'For the handoff token of a partner: offer an order to the business, which accepts or rejects it in time.',
      errors: ['handoff_reference_taken', 'expiry_too_early', 'ends_before_start', 'contention'],
    },
  },
  accept: {
    from: ['proposed'],
    to: 'accepted',
    event: 'HandoffAccepted',
    call: {
      operation: 'accept_handoff',
      verb: 'accept',
      by: staff,
      summary:
        'Accept an order that a partner hands over. This creates no order: create one beside it, and name it here.',
      errors: ['handoff_has_expired', 'order_not_found'],
    },
    webhook: { event: 'handoff.accepted', summary: 'The business carries the order that was handed over.' },
  },
  reject: {
    from: ['proposed'],
    to: 'rejected',
    event: 'HandoffRejected',
    call: {
      operation: 'reject_handoff',
      verb: 'reject',
      by: staff,
      summary: 'Reject an order that a partner hands over.',
      errors: ['handoff_has_expired'],
    },
    webhook: { event: 'handoff.rejected', summary: 'The business does not take the order.' },
  },
  expire: {
    from: ['proposed'],
    to: 'expired',
    event: 'HandoffExpired',
    webhook: { event: 'handoff.expired', summary: 'The business did not decide in time.' },
  },
  cancel: {
    from: ['proposed', 'accepted'],
    to: 'cancelled',
    event: 'HandoffCancelled',
    providerCall: {
      operation: 'cancel_handoff',
      verb: 'cancel',
      by: ['provider'],
      summary: 'For the handoff token of a partner: take an order back.',
      errors: ['handoff_has_expired'],
    },
    webhook: { event: 'handoff.cancelled', summary: 'The partner took the order back.' },
  },
  propose_amendment: {
    from: ['accepted'],
    event: 'AmendmentProposed',
    providerCall: {
      operation: 'propose_handoff_amendment',
      verb: 'amendments',
      by: ['provider'],
      summary: 'For the handoff token of a partner: ask the business to accept a change of an accepted order.',
      errors: ['amendment_open', 'amendment_empty', 'ends_before_start', 'handoff_full'],
      answers: { amendment_id: v.number() },
      hidesStatus: true,
    },
  },
  accept_amendment: {
    from: ['accepted'],
    event: 'AmendmentAccepted',
    call: {
      operation: 'accept_handoff_amendment',
      verb: 'amendments/{amendment_id}/accept',
      by: staff,
      summary: 'Accept a change of an accepted order; what it names takes the place of what was there.',
      errors: amendmentErrors,
    },
    webhook: {
      event: 'amendment.accepted',
      summary: 'The business accepts a change of the order.',
      part: { as: 'amendment', of: 'amendments' },
    },
  },
  reject_amendment: {
    from: ['accepted'],
    event: 'AmendmentRejected',
    call: {
      operation: 'reject_handoff_amendment',
      verb: 'amendments/{amendment_id}/reject',
      by: staff,
      summary: 'Reject a change of an accepted order, which stays as it was.',
      errors: amendmentErrors,
    },
    webhook: {
      event: 'amendment.rejected',
      summary: 'The business rejects a change of the order, which stays as it was.',
      part: { as: 'amendment', of: 'amendments' },
    },
  },
  /** The last update completes the handoff. */
  track: {
    from: ['accepted'],
    event: 'HandoffTracked',
    call: {
      operation: 'track_handoff',
      verb: 'tracking',
      by: staff,
      summary:
        'Report the progress of an accepted order to the partner. A status code after which nothing follows completes it.',
      errors: ['unknown_status_code', 'handoff_full'],
    },
    webhook: {
      event: 'handoff.tracking',
      summary: 'The business reports the progress of the order.',
      part: { as: 'tracking', of: 'tracking' },
    },
  },
  settle: {
    from: ['accepted', 'cancelled', 'completed'],
    event: 'SettlementLineCreated',
    call: {
      operation: 'create_settlement_line',
      verb: 'settlement-lines',
      by: staff,
      summary: 'Record an amount that the business and the partner owe each other for an order.',
      errors: ['handoff_full', 'too_precise'],
      answers: { line_id: v.number() },
      hidesStatus: true,
    },
    webhook: {
      event: 'settlement_line.created',
      summary: 'The business recorded an amount that it and the partner owe each other.',
      part: { as: 'settlement_line', of: 'settlement_lines' },
    },
  },
  erase: {
    from: 'any',
    event: 'HandoffPersonalDataErased',
    erases: true,
    call: {
      operation: 'erase_handoff',
      verb: 'erase',
      by: ['client_admin'],
      risk: 'high',
      summary: 'Erase the personal data of a handoff for good: contacts, addresses, items and notes.',
    },
  },
} as const satisfies Moves<keyof typeof statuses>
