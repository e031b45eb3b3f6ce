import * as v from 'valibot'
import type { Fields, Part } from '../../entity/field.ts'
import { amountText, currencyCode } from '../../kernel/money.ts'
import { id, instant, word } from '../../kernel/schemas.ts'
import { content, note, shown, utcOf } from './content.ts'
import { moves } from './moves.ts'

const { propose_amendment, accept_amendment, reject_amendment, track, settle, erase } = moves

/** Also in webhook events. */
const shownInWebhooks = { ...shown, webhooks: 'all' } as const

/** Why the business rejects an order, or a change of one. */
export const rejectionReasons = ['capacity', 'area', 'window', 'items', 'price', 'other'] as const

const amendmentStatuses = {
  proposed: 'The business has not decided.',
  accepted: 'The order is as the change says.',
  rejected: 'The order stayed as it was.',
} as const

const amendmentMoves = {
  propose_amendment: { from: 'nothing', to: 'proposed', event: propose_amendment.event },
  accept_amendment: { from: ['proposed'], to: 'accepted', event: accept_amendment.event },
  reject_amendment: { from: ['proposed'], to: 'rejected', event: reject_amendment.event },
  erase: { from: 'any', event: erase.event, erases: true },
} as const

const proposed = { propose_amendment: 'optional' } as const

/** A change of an accepted order that the partner proposes. */
export const amendment = {
  id: 'amendment_id',
  statuses: amendmentStatuses,
  moves: amendmentMoves,
  missing: 'left out',
  groups: { changes: 'What is to change; what is not named stays as it is.' },
  fields: {
    amendment_id: {
      ...shownInWebhooks,
      about: 'Number of the change, counted from 1 within the handoff.',
      type: id,
      example: 1,
      set: { propose_amendment: 'engine', accept_amendment: 'required', reject_amendment: 'required' },
      names: 'part',
    },
    status: {
      ...shownInWebhooks,
      about: 'Status of the change.',
      type: v.picklist(Object.keys(amendmentStatuses)),
      example: 'proposed',
      set: {},
    },
    reason: {
      ...shownInWebhooks,
      about: 'Why the business rejected the change.',
      type: v.picklist(rejectionReasons),
      example: 'window',
      set: { reject_amendment: 'required' },
    },
    note: { ...note, set: { reject_amendment: 'optional' } },
    proposed_at: {
      ...shown,
      about: 'When the partner asked for the change.',
      type: instant,
      example: '2026-06-10T11:00:00.000Z',
      set: { propose_amendment: 'now' },
    },
    pickup: { ...content.pickup, set: proposed, shownAs: 'changes.pickup', inputAs: 'changes.pickup' },
    delivery: { ...content.delivery, set: proposed, shownAs: 'changes.delivery', inputAs: 'changes.delivery' },
    items: { ...content.items, set: proposed, shownAs: 'changes.items', inputAs: 'changes.items' },
    instructions: {
      ...content.instructions,
      set: proposed,
      shownAs: 'changes.instructions',
      inputAs: 'changes.instructions',
    },
    window: { ...content.window, set: proposed, shownAs: 'changes.window', inputAs: 'changes.window' },
  } satisfies Fields<keyof typeof amendmentMoves>,
} as const satisfies Part

const updateMoves = {
  track: { from: 'nothing', event: track.event },
  erase: { from: 'any', event: erase.event, erases: true },
} as const

/** A report of the progress of the order. */
export const update = {
  statuses: {},
  moves: updateMoves,
  missing: 'null',
  fields: {
    status_code: {
      ...shownInWebhooks,
      about: 'Status code of the parcel profile of the tracking event protocol, or an unregistered one: x-...',
      type: word(64),
      example: 'out_for_delivery',
      set: { track: 'required' },
    },
    occurred_at: {
      ...shownInWebhooks,
      about: 'When it happened: RFC 3339 with an offset; now where absent.',
      type: instant,
      input: { type: instant, stored: utcOf },
      example: '2026-06-10T11:30:00.000Z',
      set: { track: 'defaulted' },
    },
    tracking_number: {
      ...shownInWebhooks,
      about: 'Tracking number of the order.',
      type: word(60),
      example: 'LD0000421',
      set: { track: 'optional' },
    },
    is_last: {
      ...shownInWebhooks,
      about: 'Whether nothing is expected to follow.',
      type: v.boolean(),
      example: false,
      set: { track: 'engine' },
    },
    note: { ...note, set: { track: 'optional' } },
  } satisfies Fields<keyof typeof updateMoves>,
} as const satisfies Part

const lineMoves = {
  settle: { from: 'nothing', event: settle.event },
  erase: { from: 'any', event: erase.event, erases: true },
} as const

/** An amount that the business and the partner owe each other. */
export const line = {
  id: 'line_id',
  statuses: {},
  moves: lineMoves,
  missing: 'left out',
  fields: {
    line_id: {
      ...shownInWebhooks,
      about: 'Number of the line, counted from 1 within the handoff.',
      type: id,
      example: 1,
      set: { settle: 'engine' },
    },
    kind: {
      ...shownInWebhooks,
      about: 'What the amount is for.',
      type: v.picklist(['delivery_fee', 'handling_fee', 'surcharge', 'cancellation_fee', 'deduction', 'other']),
      example: 'delivery_fee',
      set: { settle: 'required' },
    },
    amount: {
      ...shownInWebhooks,
      about: 'Decimal text, as 12.50; its kind says who owes it.',
      type: amountText,
      example: '12.50',
      set: { settle: 'required' },
    },
    currency: {
      ...shownInWebhooks,
      about: 'ISO 4217.',
      type: currencyCode,
      example: 'EUR',
      set: { settle: 'required' },
    },
    note: { ...note, set: { settle: 'optional' } },
  } satisfies Fields<keyof typeof lineMoves>,
} as const satisfies Part
