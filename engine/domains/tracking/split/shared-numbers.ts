import * as v from 'valibot'
import { staff } from '../../../kernel/account.ts'
import type { Context } from '../../../kernel/context.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { profileNamed } from '../../../kernel/profile.ts'
import type { Timeline, TimelineEvent } from '../../../kernel/timeline.ts'
import { timelineName } from '../identifiers.ts'
import { numberSchema } from '../schema.ts'
import { currentOf } from '../timeline.ts'
import { readOwn } from '../visible.ts'
import { contradictionsIn } from './contradiction.ts'

/** The path of what several carriers report under one number. */
export const sharedNumbers = '/api/v1/shared-numbers'

const contradicting = v.pipe(v.string(), v.description('The carriers that contradict each other.'))

const listed = named(
  'SharedNumber',
  v.strictObject({ tracking_number: v.string(), order_id: v.number(), contradicting }),
)

const journey = named(
  'CarrierJourney',
  v.strictObject({
    provider: v.string(),
    status_code: v.exactOptional(v.pipe(v.string(), v.description('Its status, if nobody else had reported.'))),
    events: v.number(),
    scans: v.pipe(v.array(v.string()), v.description('The latest 20, oldest first: when, what and where.')),
  }),
)

/** Lists the numbers of orders under which carriers report what cannot have happened to one parcel. */
export const listSharedNumbers = operation({
  name: 'list_shared_numbers',
  summary: 'Orders whose carriers report what cannot have happened to one parcel: another one may have the number.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag: 'OTEP',
  rest: { method: 'GET', path: sharedNumbers },
  page: 'shared number',
  input: v.strictObject({ ...pageEntries }),
  output: v.strictObject({ result: v.literal(true), shared_numbers: v.array(listed), ...pageAnswerEntries }),
  errors: [],
  handle: async (context, asked) => {
    const { range, paging } = pageOf(asked)
    const { orders, total } = await context.ports.tracking.contradictedOrders(context, range)
    return { result: true, shared_numbers: orders, total, ...paging }
  },
})

/** Returns what each provider reports under a number, side by side. */
export const getSharedNumber = operation({
  name: 'get_shared_number',
  summary: 'What each provider reports under the number of an order: its journey, beside those of the others.',
  scopes: ['orders:read'],
  roles: staff,
  risk: 'low',
  tag: 'OTEP',
  rest: { method: 'GET', path: `${sharedNumbers}/{tracking_number}` },
  ids: { tracking_number: 'rule' },
  input: v.strictObject({ tracking_number: numberSchema }),
  output: v.strictObject({
    result: v.literal(true),
    shared_number: v.strictObject({
      tracking_number: v.string(),
      timeline: v.pipe(v.string(), v.description('Its unique name.')),
      contradicting: v.exactOptional(contradicting),
      journeys: v.array(journey),
    }),
  }),
  errors: ['timeline_not_found', 'ambiguous_identifier'],
  handle: async (context, { tracking_number }) => {
    const { stream, timeline } = await readOwn(context, tracking_number)
    const profile = profileNamed(context.profiles, timeline.profile)
    const [found] = contradictionsIn(timeline.events, profile)
    const known = { tracking_number, timeline: timelineName(stream) }
    return {
      result: true,
      shared_number: {
        ...known,
        ...(found && { contradicting: found.providers.join(', ') }),
        journeys: journeysIn(timeline, context),
      },
    }
  },
})

/** The journey of each provider, in order of its first event. */
function journeysIn(
  { events, profile: name }: Timeline,
  { profiles }: Context,
): readonly v.InferOutput<typeof journey>[] {
  const profile = profileNamed(profiles, name)
  const byProvider = new Map<string, TimelineEvent[]>()
  for (const event of events) {
    const provider = event.source?.provider ?? ''
    const own = byProvider.get(provider) ?? []
    own.push(event)
    byProvider.set(provider, own)
  }
  return [...byProvider].map(([provider, own]) => {
    const status_code = currentOf(own, profile)?.status_code
    const scans = own.slice(-mostScans).map(scanText)
    return { provider, ...(status_code !== undefined && { status_code }), events: own.length, scans }
  })
}

const mostScans = 20

function scanText({ occurred_at, status_code, location }: TimelineEvent): string {
  const { locality = location?.name ?? location?.unlocode, country } = location?.address ?? {}
  return [occurred_at, status_code, locality, country].filter((part) => part !== undefined).join(' ')
}
