import { isDeepStrictEqual } from 'node:util'
import {
  anonymous,
  type Context,
  categoryOf,
  type EventStore,
  identifiersOf,
  isEngineError,
  isObject,
  keptState,
  keyTextOf,
  otepTracking,
  publicSubject,
  publicViews,
  type RecordedEvent,
  readState,
  readTimeline,
  type StreamName,
  summaryOf,
  timelineRead,
  withoutSnapshots,
} from '../../engine/index.ts'
import { type KeepingParts, openedAnswers } from '../node/answers.ts'
import { problemOf, type ReportDamage } from '../node/damage.ts'
import type { Shelf } from '../node/shelf.ts'
import { dataProblemOf, isKnown } from './rules.ts'

/** What was checked. */
interface Verified {
  readonly events: number
  readonly streams: number
}

/** A context, and the answers that this node keeps. */
type Verifying = Context & { readonly keeping?: KeepingParts }

/** Called with the number checked so far; `total` if known. */
export type ReportCount = (what: 'events' | 'streams' | 'rows', done: number, total?: number) => void

/** On a server, the key of each stream with personal data is a call that is waited for. */
const streamsAtOnce = 16

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Checks the history of any store against the rules: positions, ids, types, data, references, and that every timeline can
 * be read. Reads everything once, in store order, and judges each stream by what came.
 */
export async function verifyHistory(
  context: Verifying,
  shelf: Shelf,
  found: ReportDamage,
  progress: ReportCount = () => {},
): Promise<Verified> {
  const events = await putAside(context.store, shelf, found, progress)
  const streams = shelf.sort()
  let done = 0
  const rest = shelf.streams()
  const lane = async () => {
    for (const stream of rest) {
      await verifyStream({ ...context, shelf }, stream, found)
      progress('streams', ++done, streams)
    }
  }
  await Promise.all(Array.from({ length: streamsAtOnce }, lane))
  return { events, streams }
}

/** A context, and the events that have passed. */
type Passing = Verifying & { readonly shelf: Shelf }

/** The same, and the store as it was when a stream had passed. */
type Passed = Passing & { readonly passed: EventStore }

/** Puts all events on the shelf, as they are stored; returns their number. */
async function putAside({ readAll }: EventStore, shelf: Shelf, found: ReportDamage, progress: ReportCount) {
  let position = ''
  let events = 0
  for await (const event of readable(readAll(undefined, { opens: never }), found)) {
    if (event.position <= position) found(damage('positions', event, `it does not come after ${position}`))
    position = event.position
    shelf.put(event)
    progress('events', ++events)
  }
  return events
}

const never = () => false

/** The events up to where they cannot be read any more. */
async function* readable(events: AsyncIterable<RecordedEvent>, found: ReportDamage) {
  let position = 'none'
  try {
    for await (const event of events) {
      position = event.position
      yield event
    }
  } catch (error) {
    found({ check: 'read', place: `after position ${position}`, problem: problemOf(error) })
  }
}

async function verifyStream(context: Passing, stream: StreamName, found: ReportDamage) {
  try {
    const whole = await verifyEvents(context, stream, found)
    if (categoryOf(stream) !== 'tracking') return
    await verifyTimeline({ ...context, passed: passedStore(context, stream, whole) }, stream, found)
  } catch (error) {
    // What failed is not the stream.
    if (isEngineError(error, 'store_unavailable')) throw error
    found({ check: 'streams', place: stream, problem: problemOf(error) })
  }
}

/** Returns the events of the stream, if they are few. */
async function verifyEvents({ store, shelf }: Passing, stream: StreamName, found: ReportDamage) {
  const ids = new Set<string>()
  let [pages, next, position] = [0, 0, '']
  let events: readonly RecordedEvent[] = []
  for (const page of shelf.pages(stream)) {
    pages++
    events = await opened(store, stream, page)
    for (const event of events) {
      const { id, revision } = event
      if (revision !== next) found(damage('revisions', event, `revision ${next} is to stand here`))
      if (event.position <= position) found(damage('revisions', event, 'it was recorded before the one in front of it'))
      if (!uuid.test(id)) found(damage('ids', event, 'the id is no UUID'))
      if (ids.has(id)) found(damage('ids', event, `the id ${id} stands in the stream before`))
      if (!isKnown(event)) found(damage('types', event, `events of type ${event.type} are not known here`))
      const problem = dataProblemOf(event)
      if (problem !== undefined) found(damage('data', event, problem))
      await verifyReference({ store, shelf }, event, found)
      ids.add(id)
      ;[next, position] = [revision + 1, event.position]
    }
  }
  // Others may have written meanwhile, but the stream is not to end earlier.
  const end = store.knownRevision?.(stream) ?? next
  if (end < next - 1) found({ check: 'streams', place: stream, problem: `it ends at ${end}, not at ${next - 1}` })
  return pages === 1 ? events : undefined
}

/** Others may have opened the timeline meanwhile. */
async function verifyReference(
  { store, shelf }: Pick<Passing, 'store' | 'shelf'>,
  event: RecordedEvent,
  found: ReportDamage,
) {
  const timeline = timelineNamedBy(event)
  if (timeline === undefined || shelf.last(timeline) !== undefined || (await store.last(timeline)) !== undefined) return
  found({ check: 'references', place: event.stream, problem: `there is no ${timeline}` })
}

function opened(store: EventStore, stream: StreamName, events: readonly RecordedEvent[]) {
  return store.opened === undefined ? events : store.opened(stream, events)
}

/** The same store, where one stream, whose events have passed, is not read again. `whole` is all of it, if it is short. */
function passedStore({ store, shelf }: Passing, stream: StreamName, whole?: readonly RecordedEvent[]): EventStore {
  const last = whole?.at(-1) ?? shelf.last(stream)
  return {
    ...store,
    read: async (name, range = {}) => {
      const { from = 0, limit = Number.MAX_SAFE_INTEGER, backwards, opens } = range
      if (name !== stream || backwards) return store.read(name, range)
      if (whole !== undefined) return whole.slice(from, from + limit)
      const events = shelf.read(stream, from, Math.min(limit, Number.MAX_SAFE_INTEGER))
      return opens === undefined || events.some(opens) ? opened(store, stream, events) : events
    },
    last: async () => last,
    knownRevision: () => last?.revision,
  }
}

/**
 * Makes a timeline from its events, and compares what this node keeps of it: answers, the snapshot, the summary. What is
 * wrong is thrown away.
 */
async function verifyTimeline(context: Passed, stream: StreamName, found: ReportDamage): Promise<void> {
  const { snapshots } = context.store
  const made: Context = { ...context, store: withoutSnapshots(context.passed) }
  const due = await readTimeline(made, stream)
  for (const { value } of identifiersOf(publicSubject(due.timeline.subject)))
    await verifyAnswer(context, stream, keyTextOf(value), found)
  for (const [check, isRight] of [
    ['snapshot', isSnapshotRight],
    ['summary', isSummaryRight],
  ] as const) {
    if (await isRight({ ...context, store: context.passed }, made, stream)) continue
    snapshots?.drop(stream)
    found({
      check: 'snapshots',
      place: stream,
      problem: `its ${check} was not what follows from its events, and is gone`,
    })
  }
}

/** Whether there is no snapshot, or one of another history, or the state in it is as of its event. */
async function isSnapshotRight(kept: Context, made: Context, stream: StreamName): Promise<boolean> {
  const state = await keptState(kept.store, stream)
  if (state === undefined) return true
  const { revision, id } = state.last
  const [event] = await kept.store.read(stream, { from: revision, limit: 1, opens: never })
  if (event?.id !== id) return true
  const told = await timelineRead(kept, stream, { state: state.state, revision })
  const due = await timelineRead(made, stream, await readState(made, stream, revision))
  return isDeepStrictEqual(told.timeline, due.timeline)
}

/** Whether there is no summary, or it is as of its last event. */
async function isSummaryRight(kept: Context, made: Context, stream: StreamName): Promise<boolean> {
  const told = await summaryOf(kept, stream)
  if (told === undefined) return true
  const snapshots = { find: async () => undefined, keep: () => {}, drop: () => {} }
  const due = await summaryOf({ ...made, store: { ...made.store, snapshots } }, stream)
  return due === undefined || due.events !== told.events || isDeepStrictEqual(told, due)
}

/** Makes the kept answer to a number again. A wrong one is thrown away; one that is outdated, or of other settings, is never sent. */
async function verifyAnswer(given: Verifying, stream: StreamName, number: string, found: ReportDamage) {
  const [row] = given.keeping?.rows.find([number]) ?? []
  if (given.keeping === undefined || row?.stream !== stream) return
  const [kept] = openedAnswers(given.keeping.vault, [{ number, row }])
  if (kept === undefined) return
  const text = Buffer.from(kept).toString()
  for (const publicView of publicViews) {
    const context = { ...given, publicView, caller: anonymous, store: withoutSnapshots(given.store) }
    const due = await answerWithTag(context, number, row.tag)
    if (due === undefined || text === due) continue
    given.store.snapshots?.drop(stream)
    found({ check: 'answers', place: stream, problem: `the kept answer to ${number} was another, and is gone` })
  }
}

/** The answer to a number; undefined if its tag begins differently, or changes meanwhile. */
async function answerWithTag(context: Context, number: string, tag: string): Promise<string | undefined> {
  const input = { tracking_number: number }
  const tagNow = async () => `"${(await otepTracking.version?.(context, input)(context))?.text}-`
  const before = await tagNow()
  if (!tag.startsWith(before)) return undefined
  let text = ''
  for await (const pieces of (await otepTracking.text?.(context, input, undefined)) ?? [])
    text += typeof pieces === 'string' ? pieces : pieces.join('')
  return before === (await tagNow()) ? text : undefined
}

/** The timeline that an identifier is assigned to, or the other part of a split one. */
function timelineNamedBy({ type, data }: RecordedEvent): StreamName | undefined {
  if (!isObject(data)) return undefined
  const named = type === 'IdentifierAssigned' ? data.timeline : type === 'TimelineSplit' && (data.to ?? data.from)
  return typeof named === 'string' ? (named as StreamName) : undefined
}

function damage(check: string, { stream, revision }: RecordedEvent, problem: string) {
  return { check, place: `${stream} ${revision}`, problem }
}
