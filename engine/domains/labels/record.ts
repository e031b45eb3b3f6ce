import type * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import type { CarrierRefusal } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Label } from './label.ts'
import { label } from './table.ts'

/** A label in answers. */
export const labelRecord = recordSchemaOf(label, [], 'Label')

/** A label as answers show it. */
type LabelRecord = v.InferOutput<typeof labelRecord> & {
  readonly refusal?: { readonly code: CarrierRefusal['code']; readonly message?: string }
}

/** A label as answers show it. */
export function labelRecordOf(context: Pick<Context, 'caller'>, state: Label): LabelRecord {
  return recordOf(label, state, viewOf(context)) as LabelRecord
}
