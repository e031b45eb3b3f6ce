import type { Credentials } from '../../kernel/credentials.ts'
import { deriveId } from '../../kernel/id.ts'
import type { Members } from '../../kernel/members.ts'
import { mapInSteps } from '../../kernel/steps.ts'
import {
  hasFormerNamespace,
  type Timeline,
  type TimelineEvent,
  versionsOf,
  withFormerNamespace,
  withVersions,
} from '../../kernel/timeline.ts'
import { publicSubject } from './identifiers.ts'
import { publicPaths, reducerOf } from './publicly.ts'
import { eventSchema, timelineSchema } from './schema.ts'

const publicTimeline = reducerOf(timelineSchema)
const publicEvent = reducerOf(eventSchema)

/** What makes hashes that nobody can try out. */
type Blinding = Pick<Credentials, 'blind'>

/** The paths of the members of an event that the public sees in the reduced view. */
export const publicEventPaths = publicPaths(eventSchema)

/** A timeline as the public sees it in the reduced view: the members that its schema marks with `publicly`. */
export function* reducedTimeline(timeline: Timeline, blinding: Blinding): Generator<void, Timeline> {
  const reducedEvent = (event: TimelineEvent) => reducedVersions(event, blinding)
  const { subject, events, future_events: future, withdrawn_events: withdrawn, sensors } = timeline
  const shown = yield* mapInSteps(events, reducedEvent)
  const shownFuture = future && (yield* mapInSteps(future, reducedEvent))
  const shownWithdrawn = withdrawn && (yield* mapInSteps(withdrawn, reducedEvent))
  return {
    ...(publicTimeline(timeline as unknown as Members) as Pick<Timeline, 'otep_version' | 'profile' | 'delivered'>),
    subject: publicSubject(subject),
    events: shown,
    ...(shownFuture === undefined ? {} : { future_events: shownFuture }),
    ...(shownWithdrawn === undefined ? {} : { withdrawn_events: shownWithdrawn }),
    // The sensors of the reduced view name no device and no place.
    ...(sensors === undefined ? {} : { sensors }),
  }
}

/** An event with its versions as the public sees them in the reduced view. */
function reducedVersions(event: TimelineEvent, blinding: Blinding): TimelineEvent {
  const shown = reducedEventOf(event, blinding)
  const known = versionsOf(event)
  if (known === undefined) return shown
  const reduced = known.map((version) => ({
    ...version,
    event: reducedEventOf(version.event, blinding),
    subject: publicSubject(version.subject),
  }))
  return withVersions(shown, reduced)
}

/**
 * An event as the public sees it in the reduced view. Its id is a keyed hash of the recorded id, because producers may write
 * anything into theirs, and one that they leave out is made of the place, which could be guessed from a plain hash. So is the id
 * of its source event, whose words are left out for the same reason.
 */
export function reducedEventOf(event: TimelineEvent, { blind }: Blinding): TimelineEvent {
  const event_id = deriveId(blind(['public event', event.source?.provider ?? '', event.event_id].join('\0')))
  const made = { event_id, ...publicEvent(event as unknown as Members) } as TimelineEvent
  const shown = hasFormerNamespace(event) ? withFormerNamespace(made) : made
  const { source } = shown
  if (source?.event === undefined) return shown
  return { ...shown, source: { ...source, event: { ...source.event, id: `urn:uuid:${event_id}` } } }
}
