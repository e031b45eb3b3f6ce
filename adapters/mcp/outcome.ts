import * as v from 'valibot'
import { type Append, categoryOf, isObject } from '../../engine/index.ts'

const change = v.strictObject({
  about: v.pipe(v.string(), v.description('What it concerns: a category and an id, as order 12.')),
  fact: v.pipe(v.string(), v.description('Type of the event that would be recorded.')),
  from: v.exactOptional(v.unknown()),
  to: v.exactOptional(v.unknown()),
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

/** What a dry run would have recorded, by kind and id and without what it tells of people. */
export function changesOf(appends: readonly Append[]): readonly object[] {
  return appends
    .filter(({ stream }) => categoryOf(stream) !== 'sequence')
    .flatMap(({ stream, events }) =>
      events.map(({ type, data }) => ({ about: nameOf(stream), fact: type, ...move(data) })),
    )
}

function nameOf(stream: string): string {
  const category = categoryOf(stream)
  return `${category} ${stream.slice(category.length + 1)}`
}

/** Personal data stands in `personal` alone, so what stands beside it can be shown. */
function move(data: unknown): object {
  if (!isObject(data)) return {}
  return { ...('from' in data && { from: data.from }), ...('to' in data && { to: data.to }) }
}
