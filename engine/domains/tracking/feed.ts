import * as v from 'valibot'
import { requireScopes } from '../../kernel/call.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { excerptOf } from '../../kernel/finding.ts'
import { profileNamed } from '../../kernel/profile.ts'
import { unsealed } from '../../kernel/sealed-text.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { beginCatchUp, type CatchUp } from './catch-up.ts'
import { changeOf, type TimelineChange } from './changes.ts'
import type { TrackingEvent } from './events.ts'
import { publicName, publicSubject, timelineName } from './identifiers.ts'
import { maySee } from './visible.ts'

/** A change of one of the timelines that a caller may see. */
export interface FeedChange extends Omit<TimelineChange, 'revision'> {
  /** The name of the timeline. */
  readonly timeline: string
}

/** How far a feed has come; without a change, what was recorded there is not for the caller. */
interface FeedStep {
  /** Undefined at the beginning of an empty store. */
  readonly position: string | undefined
  readonly change?: FeedChange
}

/** Milliseconds after which a reader that was away has to read the timelines themselves. */
const longestAway = 24 * 3_600_000

const place = v.strictObject({
  /** Other texts that are sealed have none of it. */
  kind: v.literal('feed place'),
  position: v.optional(v.string()),
  until: v.number(),
})

/** The place of a step as text. It is sealed, because positions tell how much all others record. */
export function feedPlaceOf({ credentials, clock }: Context, position: string | undefined): string {
  return credentials.seal(JSON.stringify({ kind: 'feed place', position, until: clock() + longestAway }))
}

/** The position in a text that `feedPlaceOf` made in the last day; throws `header_not_accepted` for others. */
export function feedPositionIn(context: Context, text: string): string | undefined {
  const known = unsealed(context, place, text)
  if (known !== undefined) return known.position
  const params = {
    field: 'Last-Event-ID',
    received: excerptOf(text),
    expected: 'an id of this feed, at most a day old',
  }
  throw new EngineError('header_not_accepted', params)
}

/**
 * The changes of all timelines after a position, and each later one as it is recorded, until `signal` is aborted. An operator
 * sees all, a provider what it reported itself, and an account its orders. Others are refused.
 */
export async function* feedOf(
  context: Context,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<FeedStep> {
  requireReader(context)
  const timelines = beginCatchUp(context, after, await context.store.latest())
  try {
    for await (const recorded of context.store.follow(after, { category: 'tracking' }, signal)) {
      await context.pause()
      const change = await visibleChange(context, recorded as RecordedEvent<TrackingEvent>, timelines)
      yield { position: recorded.position, ...(change === undefined ? {} : { change }) }
    }
  } finally {
    timelines.end()
  }
}

/** Refuses a caller that does not have its own timelines. */
export function requireReader(context: Context): void {
  const { kind } = context.caller
  if (kind !== 'operator') requireScopes(context, [kind === 'provider' ? 'otep:ingest' : 'orders:read'])
}

async function visibleChange(
  context: Context,
  fact: RecordedEvent<TrackingEvent>,
  timelines: CatchUp,
): Promise<FeedChange | undefined> {
  const stream = fact.stream as StreamName
  if (fact.type === 'PersonalDataErased') timelines.forget(stream)
  if (!mayReport(context.caller, fact)) return undefined
  const state = await timelines.stateAfter(fact)
  const { subject } = state
  const isWhole = await maySee(context, {
    subject,
    get events() {
      return state.entries.map(({ event }) => event)
    },
  })
  if (!isWhole && context.caller.kind !== 'provider') return undefined
  const made = changeOf(fact, state, profileNamed(context.profiles, state.profile), context.clock())
  if (made === undefined) return undefined
  const { revision: _, ...change } = made
  if (isWhole) return { ...change, timeline: timelineName(stream) }
  return { ...change, subject: publicSubject(subject), timeline: publicName(stream, subject) }
}

/**
 * A provider sees what it reported itself, and nothing that others say of the same parcel: of one whose timeline it may not see,
 * what the public knows it by.
 */
function mayReport({ kind, name }: Caller, { data }: TrackingEvent): boolean {
  return kind !== 'provider' || ('provider' in data && data.provider === name)
}
