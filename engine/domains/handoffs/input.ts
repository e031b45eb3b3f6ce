import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { id, text } from '../../kernel/schemas.ts'

/** The member of the path that names a handoff. */
export const handoffId = { handoff_id: v.pipe(id, v.description('Id of the handoff.')) }

/** The members of the path that name a change of an accepted order. */
export const amendmentId = {
  ...handoffId,
  amendment_id: v.pipe(id, v.description('Counted from 1 within the handoff.')),
}

/** What somebody adds in words of their own. */
export const noteEntry = { note: v.exactOptional(v.pipe(text(500), v.description('The other side reads it.'))) }

/** An amount of money: decimal text with at most two digits behind the point. */
export const amount = v.pipe(
  v.string(),
  v.maxLength(12),
  v.regex(/^(0|[1-9]\d{0,8})(\.\d{1,2})?$/, 'not_an_amount' satisfies Code),
  v.description('Decimal text, as 12.50; its kind says who owes it.'),
)

/** What an amount is in. */
export const currency = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/, 'not_currency' satisfies Code),
  v.description('ISO 4217.'),
)
