import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import { endingWith } from '../../kernel/signal.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject, TimelineEvent } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import { type Parts as JoinParts, joinedState } from './containment.ts'
import type { TrackingEvent } from './events.ts'
import { publicSubject } from './identifiers.ts'
import { isContained } from './joined-version.ts'
import { pageSize, readState, revisionOf } from './read.ts'
import { reducedEventOf } from './reduced.ts'
import { entryOf, type TrackingState } from './reducer.ts'
import { eventOf, statusOf } from './timeline.ts'
import type { Visible } from './visible.ts'

/** One event that was added to a timeline's stream, and the timeline's status after it. */
export interface TimelineChange {
  /** Revision of the event; a reader can resume after it. */
  readonly revision: number
  readonly change: 'recorded' | 'enriched' | 'withdrawn' | 'identified' | 'due' | 'erased'
  /** The timeline event in its new form; absent if only the subject changed, or if personal data was erased. */
  readonly event?: TimelineEvent
  readonly subject: Subject
  readonly current_status?: string
  readonly delivered: boolean
}

/** So many changes that the reader should read the whole timeline at this revision instead. */
interface TimelineReset {
  readonly revision: number
  readonly change: 'reset'
}

const changes = {
  TrackingEventRecorded: 'recorded',
  TrackingEventEnriched: 'enriched',
  TrackingEventWithdrawn: 'withdrawn',
  SubjectIdentified: 'identified',
  TrackingEventBecameDue: 'due',
  PersonalDataErased: 'erased',
} as const satisfies Record<Exclude<TrackingEvent['type'], 'TimelineSplit'>, TimelineChange['change']>

/** A reader that is further behind gets a reset; this is checked every so many events. */
const maxBehind = 100

type Parts = Pick<Context, 'store' | 'profiles' | 'pause' | 'clock' | 'credentials'>

/**
 * The changes of a timeline after a revision, and every later one as it is recorded, until `signal` is aborted; as far as
 * they are visible. A change of a container of the thing is a reset; so is the first change then, because nobody knows
 * which of them the reader has seen.
 */
export async function* changesOf(
  parts: Parts & JoinParts,
  visible: Visible,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TimelineChange | TimelineReset> {
  const until = endingWith(signal)
  const own = ownChangesOf(parts, visible, after, until.signal)
  const nextOwn = () => {
    const next = own.next()
    // It may fail when nobody waits for it any more.
    next.catch(() => undefined)
    return next
  }
  let seen = after
  let next = nextOwn()
  try {
    let position = await parts.store.latest()
    const reset = { revision: seen, change: 'reset' } as const
    if (await isContained(parts.store, visible.stream)) yield reset
    for (;;) {
      const watch = await watchContainers(parts, visible.stream, position, until.signal)
      const news = await Promise.race([next, watch.changed])
      watch.end()
      if (news === undefined) {
        position = await parts.store.latest()
        yield { ...reset, revision: seen }
      } else {
        if (news.done === true) return
        seen = news.value.revision
        yield news.value
        next = nextOwn()
      }
    }
  } finally {
    until.abort()
  }
}

/** Waits for the first event of any container of a thing after a position. */
async function watchContainers(parts: JoinParts, stream: StreamName, after: string | undefined, signal: AbortSignal) {
  const { store } = parts
  const until = endingWith(signal)
  const isIn = await isContained(store, stream)
  const joined = isIn ? await joinedState(parts, stream, await readState(parts, stream)) : undefined
  const containers = [...(joined?.streams.keys() ?? [])].filter((one) => one !== stream)
  const changed = new Promise<undefined>((resolve, reject) => {
    for (const one of containers)
      firstIn(store, one, after, until.signal).then((is) => is && resolve(undefined), reject)
  })
  changed.catch(() => undefined)
  return { changed, end: () => until.abort() }
}

/** Whether an event was recorded in a stream before the signal. */
async function firstIn(store: EventStore, stream: StreamName, after: string | undefined, signal: AbortSignal) {
  for await (const _ of store.follow(after, { stream }, signal)) return true
  return false
}

async function* ownChangesOf(
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
      yield view === 'reduced' && change.change !== 'reset' ? reducedChange(change, parts) : change
      seen = change.revision
      isBehind = seen % maxBehind === 0 && (await revisionOf(parts.store, stream)) - seen > maxBehind
      if (isBehind) break
    }
  }
}

function reducedChange(change: TimelineChange, { credentials }: Parts): TimelineChange {
  const { event, subject } = change
  const shown = event === undefined ? {} : { event: reducedEventOf(event, credentials) }
  return { ...change, ...shown, subject: publicSubject(subject) }
}

async function* changesAfter(parts: Parts, stream: StreamName, after: number, signal: AbortSignal) {
  const { store, profiles, pause, clock } = parts
  let { state } = await readState(parts, stream, after)
  const [last] = after < 0 ? [] : await store.read(stream, { from: after, limit: 1 })
  for await (const recorded of store.follow(last?.position, { stream }, signal)) {
    if (state.entries.length > pageSize) await pause()
    const fact = recorded as RecordedEvent<TrackingEvent>
    state = tracking.evolve(state, fact)
    if (fact.type === 'TimelineSplit') yield { revision: fact.revision, change: 'reset' } as const
    const change = changeOf(fact, state, profileNamed(profiles, state.profile), clock())
    if (change !== undefined) yield change
  }
}

/**
 * The change that a fact has made, as of a time (epoch milliseconds); `state` is the one after it. A timeline that is split changes at
 * once, and not by each fact that moves.
 */
export function changeOf(
  fact: RecordedEvent<TrackingEvent>,
  state: TrackingState,
  profile: Profile,
  now: number,
): TimelineChange | undefined {
  if (fact.type === 'TimelineSplit' || ('moved' in fact.data && fact.data.moved !== undefined)) return undefined
  const event = eventAfter(fact, state, profile)
  return {
    revision: fact.revision,
    change: changes[fact.type],
    ...(event === undefined ? {} : { event }),
    subject: state.subject,
    ...statusOf(state, profile, now),
  }
}

/** The timeline event that a recorded event concerns, in its new form. */
function eventAfter({ type, data }: TrackingEvent, state: TrackingState, profile: Profile): TimelineEvent | undefined {
  if (type === 'SubjectIdentified' || type === 'PersonalDataErased' || type === 'TimelineSplit') return undefined
  const event_id = type === 'TrackingEventRecorded' ? data.event.event_id : data.event_id
  const entry = entryOf(state, { provider: data.provider, event_id })
  return entry === undefined ? undefined : eventOf(entry, profile)
}
