import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { distinct, id, refusingMember, word } from '../../kernel/schemas.ts'
import { labelNumberModel } from './label.ts'

/** The most labels that are worked on together: all of them change in one transaction. */
export const maxLabels = 200

/** Ids of such labels. */
export const labelIds = v.pipe(v.array(id), v.minLength(1), v.maxLength(maxLabels), distinct<number>())

/** The members that name a label. */
export const namedEntries = {
  order_id: v.exactOptional(v.pipe(id, v.description('Id of the label order.'))),
  tracking_number: v.exactOptional(v.pipe(word(100), v.description('A tracking number of it, in place of its id.'))),
}

/** The input that names a label. */
export const onLabel = v.pipe(
  v.strictObject(namedEntries),
  refusingMember((input: NamedLabel) => namingProblem(input)),
)

/** What names a label. */
export interface NamedLabel {
  readonly order_id?: number
  readonly tracking_number?: string
}

/** A label is named by its id or by a tracking number. */
export function namingProblem({ order_id, tracking_number }: NamedLabel): [string, Code] | undefined {
  return (order_id === undefined) === (tracking_number === undefined) ? ['order_id', 'label_id_or_number'] : undefined
}

/** The id of a label order of the caller's business. Refuses an unknown tracking number with `label_not_found`. */
export async function labelIdIn(context: Context, { order_id, tracking_number = '' }: NamedLabel): Promise<number> {
  if (order_id !== undefined) return order_id
  const where = { business_id: accountOf(context).business.id, tracking_number }
  const [row] = await context.models.rows(labelNumberModel, where, 1)
  if (row === undefined) throw new EngineError('label_not_found', { label: tracking_number })
  return Number(row.order_id)
}
