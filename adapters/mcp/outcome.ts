import * as v from 'valibot'

const change = v.strictObject({
  about: v.pipe(v.string(), v.description('What it concerns: a category and an id, as order 12.')),
  fact: v.pipe(v.string(), v.description('Type of the event that would be recorded.')),
  from: v.exactOptional(v.unknown()),
  to: v.unknown(),
})

/** The one envelope of the answers of tools that write: whatever became of a call fits into it. */
export function outcomeSchema(output: v.GenericSchema): v.GenericSchema {
  return v.strictObject({
    status: v.picklist(['done', 'dry_run', 'approval_required']),
    data: v.exactOptional(output),
    changes: v.exactOptional(
      v.pipe(v.array(change), v.description('What a dry run would have recorded, without personal data.')),
    ),
    approval: v.exactOptional(
      v.pipe(v.record(v.string(), v.unknown()), v.description('The proposal that waits for an approval.')),
    ),
  })
}
