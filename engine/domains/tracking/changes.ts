import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject, TimelineEvent } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { publicSubject } from './identifiers.ts'
import { pageSize, readState, revisionOf } from './read.ts'
import { reducedEvent } from './reduced.ts'
import { entryOf, type TrackingState } from './reducer.ts'
import { eventOf, statusOf } from './timeline.ts'
import type { Visible } from './visible.ts'

/** One event that was added to a timeline's stream, and the timeline's status after it. */
export interface TimelineChange {
  /** Revision of the event; a reader can resume after it. */
  readonly revision: number
  readonly change: 'recorded' | 'enriched' | 'withdrawn' | 'identified' | 'erased'
  /** The timeline event in its new form; absent if only the subject changed, or if personal data was erased. */
  readonly event?: TimelineEvent
  readonly subject: Subject
  readonly current_status?: string
  readonly delivered: boolean
}

/** So many changes that the reader should read the whole timeline at this revision instead. */
export interface TimelineReset {
  readonly revision: number
  readonly change: 'reset'
}

const changes = {
  TrackingEventRecorded: 'recorded',
  TrackingEventEnriched: 'enriched',
  TrackingEventWithdrawn: 'withdrawn',
  SubjectIdentified: 'identified',
  PersonalDataErased: 'erased',
} as const satisfies Record<TrackingEvent['type'], TimelineChange['change']>

/** A reader that is further behind gets a reset; this is checked every so many events. */
const maxBehind = 100

type Parts = Pick<Context, 'store' | 'profiles' | 'pause'>

/**
 * The changes of a timeline after a revision, and every later one as it is recorded, until `signal` is aborted; as far as
 * they are visible.
 */
export async function* changesOf(
  parts: Parts,
  { stream, view }: Visible,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TimelineChange | TimelineReset> {
  let seen = after
  for (let isBehind = true; isBehind && !signal.aborted; ) {
    const head = await revisionOf(parts.store, stream)
    if (head - seen > maxBehind) {
      yield { revision: head, change: 'reset' }
      seen = head
    }
    isBehind = false
    for await (const change of changesAfter(parts, stream, seen, signal)) {
      yield view === 'reduced' ? reducedChange(change) : change
      seen = change.revision
      isBehind = seen % maxBehind === 0 && (await revisionOf(parts.store, stream)) - seen > maxBehind
      if (isBehind) break
    }
  }
}

function reducedChange({ event, subject, ...change }: TimelineChange): TimelineChange {
  const shown = event === undefined ? {} : { event: reducedEvent(event) }
  return { ...change, ...shown, subject: publicSubject(subject) }
}

async function* changesAfter(parts: Parts, stream: StreamName, after: number, signal: AbortSignal) {
  const { store, profiles, pause } = parts
  let { state } = await readState(parts, stream, after)
  const [last] = after < 0 ? [] : await store.read(stream, { from: after, limit: 1 })
  for await (const recorded of store.follow(last?.position, { stream }, signal)) {
    if (state.entries.length > pageSize) await pause()
    const fact = recorded as RecordedEvent<TrackingEvent>
    state = tracking.evolve(state, fact)
    const profile = profileNamed(profiles, state.profile)
    const event = eventAfter(fact, state, profile)
    const change: TimelineChange = {
      revision: fact.revision,
      change: changes[fact.type],
      ...(event === undefined ? {} : { event }),
      subject: state.subject,
      ...statusOf(state, profile),
    }
    yield change
  }
}

/** The timeline event that a recorded event concerns, in its new form. */
function eventAfter({ type, data }: TrackingEvent, state: TrackingState, profile: Profile): TimelineEvent | undefined {
  if (type === 'SubjectIdentified' || type === 'PersonalDataErased') return undefined
  const event_id = type === 'TrackingEventRecorded' ? data.event.event_id : data.event_id
  const entry = entryOf(state, { provider: data.provider, event_id })
  return entry === undefined ? undefined : eventOf(entry, profile)
}
