import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { LastEvent } from '../../kernel/event-store.ts'
import { sha256 } from '../../kernel/id.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import { inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isAfter, isBefore } from '../../kernel/time.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { isAhead } from './ahead.ts'
import type { StoredEvent, TrackingEvent, TrackingEventRecorded } from './events.ts'
import { inTimelineOrder, type Place } from './order.ts'
import { counts } from './timeline.ts'

/**
 * What is known of a long timeline before its events are read: all that documents tell before the first event, and the
 * order of the events. Only a plain timeline has one: each event of its stream is an event of the timeline, nothing was
 * learnt of one later, and the thing was never in a container. Nothing in it is personal.
 */
export interface Summary {
  /** The number of events; their revisions are those below. */
  readonly events: number
  readonly profile: string
  readonly subject: Subject
  readonly status: string
  /** Revision of the last event with that status. */
  readonly current: number
  /** The latest instant, in epoch milliseconds. */
  readonly at: number
  /** As in a timeline in pages. */
  readonly earliest: string
  readonly latest: string
  readonly recorded: string
  /** Revisions in order of occurrence, 4 bytes each, in Base64; absent if that is the order of recording. */
  readonly order?: string
}

type Draft = { -readonly [Name in keyof Summary]: Summary[Name] }

/** What is kept of a long stream. */
interface Kept {
  /** Absent if the timeline is not plain, which it never becomes again. */
  readonly summary?: Summary
}

/** Shorter documents are made as a whole, because they are cached. */
const minEvents = 4_096

/** An order of more events is not kept. */
const maxSorted = 500_000

/** Events that are read at a time. */
export const pageSize = 64

/** What a summary is made from, with turns for others. */
type Parts = Pick<Context, 'store' | 'pause' | 'profiles' | 'clock'>

type Row = Pick<RecordedEvent, 'revision' | 'id'> & TrackingEvent

/** The summary of a timeline as of its last event; undefined if it is short, or not plain. */
export async function summaryOf(parts: Parts, stream: StreamName): Promise<Summary | undefined> {
  const { store, profiles, clock } = parts
  const last = await store.last(stream)
  if (store.snapshots === undefined || last === undefined || last.revision + 1 < minEvents) return undefined
  const kept = await keptOf(parts, stream)
  if (kept?.last.id === last.id || (kept !== undefined && kept.summary === undefined))
    return unlessAhead(kept.summary, clock())
  const summary = await foldedTo(parts, stream, last.revision, kept?.summary)
  const state: Kept = summary === undefined ? {} : { summary }
  const events = 1 + (summary?.order?.length ?? 0) / 1_000
  store.snapshots.keep(stream, foldName(profiles), { last, state, events, isPersonal: () => false })
  return unlessAhead(summary, clock())
}

/** A summary counts all events, so it is not used as long as one of them lies ahead of its time. */
function unlessAhead(summary: Summary | undefined, now: number): Summary | undefined {
  return summary === undefined || isAhead(summary.at, now) ? undefined : summary
}

/** What is kept of a stream, if it is of the history that the stream has now. */
async function keptOf(
  { store, profiles }: Parts,
  stream: StreamName,
): Promise<(Kept & { readonly last: LastEvent }) | undefined> {
  const found = await store.snapshots?.find(stream, foldName(profiles))
  if (found === undefined) return undefined
  const { last, state } = found
  const [event] = await store.read(stream, { from: last.revision, limit: 1, opens: never })
  return event?.id === last.id ? { last, ...(state as Kept) } : undefined
}

const foldNames = new WeakMap<readonly Profile[], string>()

/** Names the form of summaries, and the rules of all profiles that a status follows from. */
function foldName(profiles: readonly Profile[]): string {
  const known = foldNames.get(profiles)
  if (known !== undefined) return known
  const rules = profiles.map(({ name, codes, first, transitions }) => [
    ...[name, transitions, first],
    ...Object.entries(codes).map(([code, { terminal }]) => [code, terminal]),
  ])
  const made = `summary 3 ${sha256(JSON.stringify(rules)).slice(0, 16)}`
  foldNames.set(profiles, made)
  return made
}

const never = () => false

/** Pages of stored events up to a revision, with a turn for others after each. */
async function* pagesTo({ store, pause }: Parts, stream: StreamName, from: number, to: number) {
  for (let at = from; at <= to; at += pageSize) {
    if (at > from) await pause()
    const limit = Math.min(pageSize, to + 1 - at)
    yield (await store.read(stream, { from: at, limit, opens: never, isPassing: true })) as readonly Row[]
  }
}

/** Brings a summary forward to a revision, or makes it; undefined if the timeline is not plain. */
async function foldedTo(
  parts: Parts,
  stream: StreamName,
  to: number,
  kept: Summary | undefined,
): Promise<Summary | undefined> {
  let draft: Draft | undefined = kept && { ...kept }
  for await (const page of pagesTo(parts, stream, kept?.events ?? 0, to)) {
    for (const row of page) {
      if (!isPlain(row, draft?.subject)) return undefined
      const { event } = row.data
      const at = instantOf(event.occurred_at)
      draft ??= draftOf(row.data)
      // Whether such an event is new can only be seen from all before it.
      if (at <= draft.at) return to < maxSorted ? sortedTo(parts, stream, to) : undefined
      draft.at = at
      add(draft, row.revision, event, profileNamed(parts.profiles, draft.profile))
    }
  }
  if (draft?.events !== to + 1) return undefined
  return kept?.order === undefined ? draft : { ...draft, order: longer(kept.order, kept.events, to) }
}

/** As much of an event as its place follows from. */
interface Placed
  extends Pick<Place, 'at' | 'id' | 'provider'>,
    Pick<StoredEvent, 'occurred_at' | 'recorded_at' | 'status_code'> {
  readonly revision: number
}

/** Makes the summary of a timeline that is not in order of recording. */
async function sortedTo(parts: Parts, stream: StreamName, to: number): Promise<Summary | undefined> {
  const placed: Placed[] = []
  const names = new Set<string>()
  let draft: Draft | undefined
  for await (const page of pagesTo(parts, stream, 0, to)) {
    for (const row of page) {
      if (!isPlain(row, draft?.subject)) return undefined
      draft ??= draftOf(row.data)
      const one = placedOf(row)
      const name = `${row.data.provider}\0${row.data.event.event_id}`
      if (one.at <= draft.at && names.has(name)) return undefined
      draft.at = Math.max(draft.at, one.at)
      names.add(name)
      placed.push(one)
    }
  }
  if (draft === undefined || placed.length !== to + 1) return undefined
  return inSteps(sortedInSteps(draft, placed, profileNamed(parts.profiles, draft.profile)), parts.pause)
}

function* sortedInSteps(draft: Draft, placed: readonly Placed[], profile: Profile): Generator<void, Summary> {
  const order = new Uint32Array(placed.length)
  yield* visitInSteps(yield* inTimelineOrder(placed, placeOf, profile), (one, at) => {
    order[at] = one.revision
    add(draft, one.revision, one, profile)
  })
  return { ...draft, order: Buffer.from(order.buffer).toString('base64') }
}

function placedOf({ revision, data: { event, provider } }: Row & TrackingEventRecorded): Placed {
  const { event_id: id, occurred_at, recorded_at, status_code } = event
  return { ...{ revision, id, provider, occurred_at, recorded_at, status_code }, at: instantOf(occurred_at) }
}

function placeOf({ at, id, provider, status_code: code }: Placed): Place {
  return { at, code, id, provider, isWithdrawn: false }
}

/** Whether a fact does no more than add an event to a timeline with this subject. */
function isPlain(row: Row, subject: Subject | undefined): row is Row & TrackingEventRecorded {
  const { type, data } = row
  if (type !== 'TrackingEventRecorded' || 'contained' in data) return false
  if (subject === undefined) return true
  for (const kind in data.subject) if (!Object.hasOwn(subject, kind)) return false
  return true
}

function draftOf({ profile, subject, event }: TrackingEventRecorded['data']): Draft {
  return {
    ...{ profile, subject, events: 0, status: event.status_code, current: 0, at: Number.NEGATIVE_INFINITY },
    ...{ earliest: event.occurred_at, latest: event.occurred_at, recorded: '1970-01-01T00:00:00Z' },
  }
}

/** Adds an event that occurred after all others. */
function add(
  draft: Draft,
  revision: number,
  { occurred_at, recorded_at, status_code }: Pick<StoredEvent, 'occurred_at' | 'recorded_at' | 'status_code'>,
  profile: Profile,
): void {
  const from = draft.events === 0 ? undefined : draft.status
  if (counts(profile, from, { status_code })) draft.status = status_code
  if (draft.status === status_code) draft.current = revision
  if (isBefore(occurred_at, draft.earliest)) draft.earliest = occurred_at
  if (isBefore(draft.latest, occurred_at)) draft.latest = occurred_at
  if (isAfter(recorded_at, draft.recorded)) draft.recorded = recorded_at
  draft.events++
}

/** An order with the revisions of later events at its end. */
function longer(order: string, from: number, to: number): string {
  const more = Uint32Array.from({ length: to + 1 - from }, (_, index) => from + index)
  return Buffer.concat([Buffer.from(order, 'base64'), Buffer.from(more.buffer)]).toString('base64')
}

/** The revisions of an order. */
export function revisionsIn(order: string): Uint32Array {
  // Copied, because a slice of Node's pool may begin anywhere.
  const bytes = Uint8Array.from(Buffer.from(order, 'base64'))
  return new Uint32Array(bytes.buffer)
}
