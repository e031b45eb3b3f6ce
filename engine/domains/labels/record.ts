import type * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { recordOf, type recordSchemaOf } from '../../entity/record.ts'
import type { CarrierRefusal } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Label } from './label.ts'
import { label } from './table.ts'

/** A label as answers show it. */
type LabelRecord = v.InferOutput<ReturnType<typeof recordSchemaOf<typeof label>>> & {
  readonly refusal?: { readonly code: CarrierRefusal['code']; readonly message?: string }
}

/** A label as answers show it. */
export function labelRecordOf(context: Pick<Context, 'caller'>, state: Label): LabelRecord {
  return recordOf(label, state, viewOf(context)) as LabelRecord
}
