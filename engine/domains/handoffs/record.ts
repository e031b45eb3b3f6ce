import * as v from 'valibot'
import { id, instant, text, word } from '../../kernel/schemas.ts'
import { contentChanges } from './content.ts'
import type { Amendment, Handoff, SettlementLine, TrackingUpdate } from './state.ts'
import {
  amendmentStatuses,
  cancellationReasons,
  handoffStatusNames,
  rejectionReasons,
  settlementKinds,
} from './status.ts'

const amount = v.pipe(word(20), v.description('Decimal text with two digits behind the point.'))
const currency = v.pipe(word(3), v.description('ISO 4217.'))

/** A note in words; missing where there is none, and once it was erased. */
export const note = v.exactOptional(
  v.pipe(text(500), v.description('Missing where there is none, and once it was erased.')),
)

/** What names a handoff and says how it stands, wherever it is told. */
export const handoffEntries = {
  handoff_id: id,
  partner_reference: v.pipe(word(100), v.description('What the partner calls the order.')),
  status: v.picklist(handoffStatusNames),
  order_id: v.pipe(v.nullable(id), v.description('The order that the business made of it; null where it said none.')),
  expires_at: v.pipe(instant, v.description('Until when the business can decide.')),
}

/** A tracking update. */
export const updateRecord = v.strictObject({
  status_code: v.pipe(word(64), v.description('Code of the parcel profile of the tracking event protocol.')),
  occurred_at: instant,
  tracking_number: v.nullable(word(60)),
  is_last: v.pipe(v.boolean(), v.description('Whether nothing is expected to follow.')),
  note,
})

/** A line of the settlement. */
export const lineRecord = v.strictObject({
  line_id: v.pipe(id, v.description('Counted from 1 within the handoff.')),
  kind: v.picklist(settlementKinds),
  amount,
  currency,
  note,
})

/** A change of an accepted order that was decided, without what it changes. */
export const decisionEntries = {
  amendment_id: v.pipe(id, v.description('Counted from 1 within the handoff.')),
  status: v.picklist(amendmentStatuses),
  reason: v.exactOptional(v.picklist(rejectionReasons)),
  note,
}

/** What is left of the content of an order: people are missing once they were erased. */
const keptContent = contentChanges

/** A handoff as answers tell it. */
export const handoffRecord = v.strictObject({
  ...handoffEntries,
  provider: v.pipe(word(60), v.description('The partner that hands over.')),
  proposed_at: instant,
  reason: v.pipe(
    v.nullable(v.picklist([...new Set([...rejectionReasons, ...cancellationReasons])])),
    v.description('Why it was rejected or cancelled; null where it was not.'),
  ),
  note,
  order: v.pipe(keptContent, v.description('The order with all accepted amendments; people are missing once erased.')),
  amendments: v.array(v.strictObject({ ...decisionEntries, proposed_at: instant, changes: keptContent })),
  tracking: v.array(updateRecord),
  settlement_lines: v.array(lineRecord),
})

/** What names a handoff. */
export function named(handoff: Handoff) {
  return {
    handoff_id: handoff.id,
    partner_reference: handoff.partnerReference,
    status: handoff.status,
    order_id: handoff.orderId ?? null,
    expires_at: handoff.expiresAt,
  }
}

/** The record of a handoff. */
export function recordOf(handoff: Handoff): v.InferOutput<typeof handoffRecord> {
  return {
    ...named(handoff),
    provider: handoff.provider,
    proposed_at: handoff.proposedAt,
    reason: handoff.reason ?? null,
    ...notedBy(handoff),
    order: handoff.content,
    amendments: handoff.amendments.map((one) => ({
      ...decisionOf(one),
      proposed_at: one.proposedAt,
      changes: one.changes,
    })),
    tracking: handoff.tracking.map(updateTold),
    settlement_lines: handoff.lines.map(lineTold),
  }
}

/** The record of an amendment, without what it changes. */
export function decisionOf(amendment: Amendment) {
  const { id: amendment_id, status, reason } = amendment
  return { amendment_id, status, ...(reason === undefined ? {} : { reason }), ...notedBy(amendment) }
}

/** The record of a tracking update. */
export function updateTold(update: TrackingUpdate): v.InferOutput<typeof updateRecord> {
  return {
    status_code: update.statusCode,
    occurred_at: update.occurredAt,
    tracking_number: update.trackingNumber ?? null,
    is_last: update.isLast,
    ...notedBy(update),
  }
}

/** The record of a line of the settlement. */
export function lineTold(line: SettlementLine): v.InferOutput<typeof lineRecord> {
  const { id: line_id, kind, amount, currency } = line
  return { line_id, kind, amount, currency, ...notedBy(line) }
}

/** A note, where there is one. */
export function notedBy({ note }: { readonly note?: string | undefined }): { readonly note?: string } {
  return note === undefined ? {} : { note }
}
