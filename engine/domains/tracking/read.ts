import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { EventStore, LastEvent } from '../../kernel/event-store.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import { inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { timelineName } from './identifiers.ts'
import { nameEntries, type TrackingState } from './reducer.ts'
import { keepState, keptState, type StateAt } from './snapshot.ts'
import { createStepCheck, timelineInSteps } from './timeline.ts'

/** A timeline that was read. */
export interface LoadedTimeline {
  readonly stream: StreamName
  /** The name that its documents link to. */
  readonly name: string
  /** Revision of its last event. */
  readonly revision: number
  readonly timeline: Timeline
  /** Whether sensors have measured the thing. */
  readonly isMeasured?: boolean
}

/** What a long read needs: the store, and turns for others. */
export type Reading = Pick<Context, 'store' | 'pause'>

/** The timeline in a stream. While a long one is read, others are served. */
export async function readTimeline(
  context: Reading & Pick<Context, 'profiles' | 'clock'>,
  stream: StreamName,
): Promise<LoadedTimeline> {
  return timelineRead(context, stream, await readState(context, stream))
}

/** The timeline of a state that was read from a stream. */
export async function timelineRead(
  { profiles, pause, clock }: Pick<Context, 'profiles' | 'pause' | 'clock'>,
  stream: StreamName,
  { state, revision }: ReadState,
): Promise<LoadedTimeline> {
  const profile = profileNamed(profiles, state.profile)
  const timeline = await inSteps(timelineInSteps(state, profile, clock()), pause)
  return { stream, name: timelineName(stream), revision, timeline, isMeasured: state.isMeasured }
}

/** The state of a stream, and the revision of the last event in it. */
export interface ReadState {
  readonly state: TrackingState
  readonly revision: number
}

/** Events read at a time: they are found, deciphered and folded in one turn of the event loop. */
export const pageSize = 128

/** An event as it is read. */
type Read = TrackingEvent & LastEvent

/**
 * The state of a stream at the revision that it had when its second page was read, or at revision `to`. Events that are
 * recorded meanwhile are left out, but an erasure counts at once: pages after it come without personal data, and those
 * before it lose theirs. What is in the snapshot of the stream is not folded again.
 */
export async function readState(
  reading: Reading,
  stream: StreamName,
  to = Number.POSITIVE_INFINITY,
): Promise<ReadState> {
  const { store } = reading
  const kept = await keptState(store, stream)
  if (kept === undefined || kept.last.revision > to) return foldRest(reading, stream, to)
  if ((await store.last(stream))?.id === kept.last.id) return { state: kept.state, revision: kept.last.revision }
  return foldRest(reading, stream, to, kept)
}

async function foldRest({ store, pause }: Reading, stream: StreamName, to: number, kept?: StateAt): Promise<ReadState> {
  const read = async (from: number, last: number) =>
    (await store.read(stream, { from, limit: Math.min(pageSize, last + 1 - from) })) as readonly Read[]
  const folded = kept?.last.revision ?? -1
  let page = await read(Math.max(folded, 0), to)
  if (kept !== undefined && page[0]?.id !== kept.last.id) {
    // It is of another history, whose events have the same revisions.
    store.snapshots?.drop(stream)
    return foldRest({ store, pause }, stream, to)
  }
  let state = fold(tracking, kept === undefined ? page : page.slice(1), kept?.state)
  let last = page.at(-1)
  const done = (): ReadState => {
    if (last !== undefined) keepState(store, stream, { state, last }, last.revision - folded)
    return { state, revision: last?.revision ?? -1 }
  }
  if (page.length < pageSize) return done()
  const end = Math.min(to, await revisionOf(store, stream))
  while (last !== undefined && last.revision < end && page.length > 0) {
    await pause()
    page = await read(last.revision + 1, end)
    // Otherwise the first look-up of a name would go through all events at once.
    nameEntries(state)
    state = fold(tracking, page, state)
    last = page.at(-1) ?? last
  }
  for (let after = end; page.length > 0; after += page.length) {
    page = await read(after + 1, Number.POSITIVE_INFINITY)
    state = fold(
      tracking,
      page.filter(({ type }) => type === 'PersonalDataErased'),
      state,
    )
    if (page.length < pageSize) break
    await pause()
  }
  return done()
}

/** Revision of the last event of a stream; -1 if it does not exist. */
export async function revisionOf(store: EventStore, stream: StreamName): Promise<number> {
  return (await store.last(stream))?.revision ?? -1
}

/** Remarks on a timeline for its readers: steps that are impossible, or do not count, and events that do not count yet. */
export function* remarksOn(
  { events, future_events: future = [] }: Timeline,
  profile: Profile,
): Generator<void, readonly Finding[]> {
  const findings: Finding[] = []
  const check = createRemarks(profile, (finding, at) => findings.push(remarkAt(finding, at)))
  yield* visitInSteps(events, check)
  yield* visitInSteps(future, (_, at) => {
    findings.push({ path: pathTo(pathTo('future_events', at), 'occurred_at'), code: 'in_future' })
  })
  return findings
}

/** Checks one event after the other. `found` gets each remark without its path, and the place of its event. */
export function createRemarks(
  profile: Profile,
  found: (remark: Finding, at: number) => void,
): (event: TimelineEvent, at: number) => void {
  const check = createStepCheck(profile, () => '')
  return (event, at) => {
    const finding = check.next(event, at)
    if (finding?.code === 'after_terminal' || finding?.code === 'impossible_transition') found(finding, at)
  }
}

/** A remark with the path of the event at a place. */
export function remarkAt(remark: Finding, at: number): Finding {
  return { ...remark, path: pathTo(pathTo('events', at), 'status_code') }
}
