import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject, TimelineEvent } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { timelineOf } from './timeline.ts'

/** One fact that was added to a timeline, and what the timeline says after it. */
export interface TimelineChange {
  /** Revision of the fact; a reader who has seen it may resume after it. */
  readonly revision: number
  readonly change: 'recorded' | 'enriched' | 'withdrawn' | 'identified'
  /** The event as it now reads; absent where only the subject became known better. */
  readonly event?: TimelineEvent
  readonly subject: Subject
  readonly current_status?: string
  readonly delivered: boolean
}

const changes = {
  TrackingEventRecorded: 'recorded',
  TrackingEventEnriched: 'enriched',
  TrackingEventWithdrawn: 'withdrawn',
  SubjectIdentified: 'identified',
} as const satisfies Record<TrackingEvent['type'], TimelineChange['change']>

/** The changes of a timeline after a revision, and every later one as it is recorded, until `signal` is aborted. */
export async function* changesOf(
  { store, profiles }: Pick<Context, 'store' | 'profiles'>,
  stream: StreamName,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TimelineChange> {
  const history = (await store.read(stream)) as readonly RecordedEvent<TrackingEvent>[]
  const seen = history.slice(0, after + 1)
  let state = fold(tracking, seen)
  for await (const recorded of store.follow(seen.at(-1)?.position, { stream }, signal)) {
    const fact = recorded as RecordedEvent<TrackingEvent>
    state = tracking.evolve(state, fact)
    const profile = profiles.find(({ name }) => name === state.profile) ?? profiles[0]
    const { events, withdrawn_events = [], subject, current_status, delivered } = timelineOf(state, profile)
    const event = [...events, ...withdrawn_events].find((candidate) => isAbout(fact, candidate))
    yield {
      revision: fact.revision,
      change: changes[fact.type],
      ...(event === undefined ? {} : { event }),
      subject,
      ...(current_status === undefined ? {} : { current_status }),
      delivered,
    }
  }
}

function isAbout({ type, data }: TrackingEvent, event: TimelineEvent): boolean {
  if (type === 'SubjectIdentified') return false
  const id = type === 'TrackingEventRecorded' ? data.event.event_id : data.event_id
  return event.event_id === id && (event.source?.provider ?? data.provider) === data.provider
}
