import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { word } from '../../../kernel/schemas.ts'
import type { Subject } from '../../../kernel/timeline.ts'
import { timelineName } from '../identifiers.ts'
import { numberSchema } from '../schema.ts'
import { readOwn } from '../visible.ts'
import { sharedNumbers } from './shared-numbers.ts'
import { splitOff } from './split.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Makes the events of some providers a separate timeline. */
export const splitTimeline = operation({
  name: 'split_timeline',
  summary:
    'Split a timeline of two parcels that have one number: the events of the named providers, also later ones, become a separate timeline. It cannot be undone.',
  scopes: ['orders:write'],
  roles: ['client_admin', 'client_employee'],
  risk: 'high',
  tag: 'OTEP',
  mcp: {
    title: 'Split a timeline by provider',
    server: 'developer',
    idempotent: true,
    hint: 'Name the providers that report another parcel than that of the order. The number leads to the timeline of the others.',
  },
  ids: { tracking_number: 'rule' },
  input: v.strictObject({
    tracking_number: numberSchema,
    providers: v.pipe(
      v.array(word(100)),
      v.minLength(1),
      v.maxLength(20),
      v.description('The providers whose events are of another parcel, by their names in the events.'),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    timeline: v.pipe(v.string(), v.description('The unique name of the timeline that the number leads to.')),
    split_off: v.pipe(v.string(), v.description('The unique name of the timeline of the named providers.')),
    providers: v.array(v.string()),
    moved: v.pipe(count, v.description('Events in the timeline of the named providers.')),
    left: v.pipe(count, v.description('Events in the timeline of the others.')),
    state: v.pipe(v.picklist(['split', 'already_split']), v.description('already_split: it was done before.')),
  }),
  errors: [
    ...(['timeline_not_found', 'ambiguous_identifier', 'other_business', 'contention'] as const),
    ...(['provider_not_in_timeline', 'nothing_left_of_timeline', 'too_many_events'] as const),
  ],
  rest: { method: 'POST', path: `${sharedNumbers}/{tracking_number}/split` },
  audited: { event: () => 'timeline_split' },
  handle: async (context, { tracking_number, providers }) => {
    const { stream, timeline } = await readOwn(context, tracking_number)
    await requireOnlyOwn(context, timeline.subject)
    const { splitOff: other, moved, left, isNew } = await splitOff(context, stream, providers)
    return {
      ...{ result: true, timeline: timelineName(stream), split_off: timelineName(other) },
      ...{ providers: [...new Set(providers)].sort(), moved, left, state: isNew ? 'split' : 'already_split' },
    }
  },
})

/** A business does not change what another one sees of its order. */
async function requireOnlyOwn(context: Context, subject: Subject): Promise<void> {
  const { business } = accountOf(context)
  const owners = await context.ports.tracking.businessesOf(context, subject)
  if (owners.some((owner) => owner !== business.id)) throw new EngineError('other_business')
}
