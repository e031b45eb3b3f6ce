import * as v from 'valibot'
import { changeSchema, type Operation } from '../../engine/index.ts'
import { answerSchemaOf, type JsonSchema, jsonSchemaOf, propertiesOf } from '../http/schema.ts'

/** The output schema of tools that write: one envelope for every outcome. */
export function outcomeSchemaOf(operation: Operation): JsonSchema {
  const schema = jsonSchemaOf(outcome)
  return { ...schema, properties: { ...propertiesOf(schema), data: answerSchemaOf(operation) } }
}

const outcome = v.strictObject({
  status: v.picklist(['done', 'dry_run', 'approval_required']),
  data: v.exactOptional(v.unknown()),
  changes: v.exactOptional(
    v.pipe(v.array(changeSchema), v.description('What a dry run would have recorded, without personal data.')),
  ),
  approval: v.exactOptional(
    v.pipe(v.record(v.string(), v.unknown()), v.description('The proposal that waits for an approval.')),
  ),
})
