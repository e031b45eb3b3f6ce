import { isDeepStrictEqual } from 'node:util'
import {
  anonymous,
  type Context,
  categoryOf,
  type EventStore,
  identifiersOf,
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
import { dataProblemOf, isKnown } from './rules.ts'

/** What was checked. */
export interface Verified {
  readonly events: number
  readonly streams: number
}

/** A context, and the answers that this node keeps. */
export type Verifying = Context & { readonly keeping?: KeepingParts }

/** Called with the number checked so far; `total` if known. */
export type ReportCount = (what: 'events' | 'streams' | 'rows', done: number, total?: number) => void

/** On a server, each stream is a call that is waited for. */
const streamsAtOnce = 16

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Checks the history of any store against the rules: positions, ids, types, data, references, and that every timeline can
 * be read. Reads everything once in store order, then each stream.
 */
export async function verifyHistory(
  context: Verifying,
  found: ReportDamage,
  progress: ReportCount = () => {},
): Promise<Verified> {
  const { events, lengths } = await verifyFeed(context, found, progress)
  let done = 0
  const rest = lengths.entries()
  const lane = async () => {
    for (const [stream, length] of rest) {
      await verifyStream(context, stream as StreamName, length, found)
      progress('streams', ++done, lengths.size)
    }
  }
  await Promise.all(Array.from({ length: streamsAtOnce }, lane))
  return { events, streams: lengths.size }
}

async function verifyFeed({ store }: Context, found: ReportDamage, progress: ReportCount) {
  const lengths = new Map<string, number>()
  const missing = new Map<string, string>()
  let position = ''
  let events = 0
  const read = async () => {
    for await (const event of store.readAll()) {
      const { stream, revision } = event
      const next = lengths.get(stream) ?? 0
      if (revision !== next) found(damage('revisions', event, `revision ${next} is to stand here`))
      if (event.position <= position) found(damage('positions', event, `it does not come after ${position}`))
      lengths.set(stream, revision + 1)
      missing.delete(stream)
      const timeline = timelineNamedBy(event)
      if (timeline !== undefined && !lengths.has(timeline)) missing.set(timeline, stream)
      position = event.position
      progress('events', ++events)
    }
  }
  await read().catch((error: unknown) =>
    found({ check: 'read', place: `after position ${position || 'none'}`, problem: problemOf(error) }),
  )
  for (const [timeline, stream] of missing)
    found({ check: 'references', place: stream, problem: `there is no ${timeline}` })
  return { events, lengths }
}

async function verifyStream(context: Verifying, stream: StreamName, length: number, found: ReportDamage) {
  try {
    const events = await context.store.read(stream)
    const last = events.at(-1)?.revision ?? -1
    // Others may have written meanwhile.
    if (last < length - 1)
      found({ check: 'streams', place: stream, problem: `it ends at ${last}, not at ${length - 1}` })
    const ids = new Set<string>()
    for (const event of events) {
      if (!uuid.test(event.id)) found(damage('ids', event, 'the id is no UUID'))
      if (ids.has(event.id)) found(damage('ids', event, `the id ${event.id} stands in the stream before`))
      if (!isKnown(event)) found(damage('types', event, `events of type ${event.type} are not known here`))
      const problem = dataProblemOf(event)
      if (problem !== undefined) found(damage('data', event, problem))
      ids.add(event.id)
    }
    if (categoryOf(stream) === 'tracking') await verifyTimeline(context, stream, events, found)
  } catch (error) {
    found({ check: 'streams', place: stream, problem: problemOf(error) })
  }
}

/**
 * Makes a timeline from its events, and compares what this node keeps of it: answers, the snapshot, the summary. What is
 * wrong is thrown away.
 */
async function verifyTimeline(
  context: Verifying,
  stream: StreamName,
  events: readonly RecordedEvent[],
  found: ReportDamage,
): Promise<void> {
  const { snapshots } = context.store
  const read: Context = { ...context, store: storeOf(withoutSnapshots(context.store), events) }
  const due = await readTimeline(read, stream)
  for (const { value } of identifiersOf(publicSubject(due.timeline.subject)))
    await verifyAnswer(context, stream, keyTextOf(value), found)
  for (const [check, isRight] of [
    ['snapshot', isSnapshotRight],
    ['summary', isSummaryRight],
  ] as const) {
    if (await isRight(context, read, stream, events)) continue
    snapshots?.drop(stream)
    found({
      check: 'snapshots',
      place: stream,
      problem: `its ${check} was not what follows from its events, and is gone`,
    })
  }
}

/** The same store, where one stream, whose events were read, is not read again. */
function storeOf(store: EventStore, events: readonly RecordedEvent[]): EventStore {
  const last = events.at(-1)
  return {
    ...store,
    read: async (stream, range = {}) => {
      const { from = 0, limit = Number.POSITIVE_INFINITY, backwards, opens } = range
      return backwards || opens ? store.read(stream, range) : events.slice(from, from + limit)
    },
    last: async () => last,
    knownRevision: () => last?.revision,
  }
}

/** Whether there is no snapshot, or one of another history, or the state in it is as of its event. */
async function isSnapshotRight(
  context: Context,
  read: Context,
  stream: StreamName,
  events: readonly RecordedEvent[],
): Promise<boolean> {
  const kept = await keptState(context.store, stream)
  if (kept === undefined || events[kept.last.revision]?.id !== kept.last.id) return true
  const { revision } = kept.last
  const told = await timelineRead(context, stream, { state: kept.state, revision })
  const due = await timelineRead(context, stream, await readState(read, stream, revision))
  return isDeepStrictEqual(told.timeline, due.timeline)
}

/** Whether there is no summary, or it is as of its last event. */
async function isSummaryRight(context: Context, read: Context, stream: StreamName): Promise<boolean> {
  const told = await summaryOf(context, stream)
  if (told === undefined) return true
  const snapshots = { find: async () => undefined, keep: () => {}, drop: () => {} }
  const due = await summaryOf({ ...read, store: { ...read.store, snapshots } }, stream)
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

/** The timeline that an identifier is assigned to. */
function timelineNamedBy({ type, data }: RecordedEvent): string | undefined {
  return type === 'IdentifierAssigned' && isObject(data) && typeof data.timeline === 'string'
    ? data.timeline
    : undefined
}

function damage(check: string, { stream, revision }: RecordedEvent, problem: string) {
  return { check, place: `${stream} ${revision}`, problem }
}
