import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import type { PagedTimeline } from '../../kernel/projection.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import type { TrackingEvent } from './events.ts'
import { withPersonal } from './personal.ts'
import { pageSize, revisionsIn, type Summary, summaryOf } from './summary.ts'
import { eventOf, otepVersion, statusFields } from './timeline.ts'
import { seenIn, type Visible } from './visible.ts'

/** A long timeline as its caller sees it, without its events. */
export interface PagedRead extends Visible {
  readonly name: string
  readonly summary: Summary
  readonly profile: Profile
  /** The timeline without events. */
  readonly head: Timeline
}

/** A timeline that was found, if its events can be read while they are sent; undefined if it has to be read as a whole. */
export async function readInPages(context: Context, found: Visible): Promise<PagedRead | undefined> {
  const summary = await summaryOf(context, found.stream)
  if (summary === undefined) return undefined
  const profile = profileNamed(context.profiles, summary.profile)
  const { subject, status } = summary
  const { current_status, delivered } = statusFields({ status_code: status }, profile)
  const timeline = {
    ...{ otep_version: otepVersion, profile: profile.name, subject },
    ...(current_status === undefined ? {} : { current_status }),
    ...{ delivered, events: [] },
  }
  const { name, timeline: head } = await seenIn(found.view, { stream: found.stream, timeline }, context)
  return { ...found, name, summary, profile, head }
}

/** What documents tell of a timeline before its events, and its events when they are read. */
export async function pagedTimeline(
  context: Context,
  read: PagedRead,
  events: Iterable<TimelineEvent>,
): Promise<PagedTimeline> {
  const { events: none, withdrawn_events, ...head } = read.head
  const { earliest, latest, recorded, current } = read.summary
  const [event] = await seen(context, read, await eventsAt(context, read, current, 1))
  if (event === undefined) throw changed()
  return { ...head, events, current: event, earliest, latest, recorded }
}

/** Pages of the events of a timeline in order of occurrence, from a place in it, as its caller sees them. */
export async function* eventPages(
  context: Context,
  read: PagedRead,
  start = 0,
): AsyncGenerator<readonly TimelineEvent[], void> {
  const { events, order } = read.summary
  const revisions = order === undefined ? undefined : revisionsIn(order)
  for (let from = start; from < events; from += pageSize) {
    if (from > start) await context.pause()
    const count = Math.min(pageSize, events - from)
    const page =
      revisions === undefined
        ? await eventsAt(context, read, from, count)
        : await eventsOf(context, read, revisions.subarray(from, from + count))
    yield await seen(context, read, page)
  }
}

async function seen(context: Context, read: PagedRead, events: readonly TimelineEvent[]) {
  const { stream, view, head } = read
  return (await seenIn(view, { stream, timeline: { ...head, events } }, context)).timeline.events
}

/** The events of these revisions. Those that follow one another are read at once. */
async function eventsOf(context: Context, read: PagedRead, revisions: Uint32Array): Promise<readonly TimelineEvent[]> {
  const found = new Map<number, TimelineEvent>()
  const sorted = revisions.slice().sort()
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] as number
    let count = 1
    while (sorted[at + count] === first + count) count++
    const events = await eventsAt(context, read, first, count)
    for (const [index, event] of events.entries()) found.set(first + index, event)
    at += count
  }
  return Array.from(revisions, (revision) => found.get(revision) as TimelineEvent)
}

async function eventsAt(
  { store }: Pick<Context, 'store'>,
  { stream, profile }: PagedRead,
  from: number,
  count: number,
): Promise<readonly TimelineEvent[]> {
  const facts = (await store.read(stream, { from, limit: count, isPassing: true })) as readonly TrackingEvent[]
  if (facts.length !== count) throw changed()
  return facts.map(({ type, data }) => {
    if (type !== 'TrackingEventRecorded') throw changed()
    const event = withPersonal(data.event, data.personal)
    return eventOf({ event, withdrawn: undefined, isFormer: data.former_namespace === true }, profile)
  })
}

/** Another history was put in the place of the one of the summary. */
function changed(): EngineError {
  return new EngineError('store_unavailable')
}
