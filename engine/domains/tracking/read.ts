import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { EventStore, LastEvent } from '../../kernel/event-store.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import type { ReadModels } from '../../kernel/read-model.ts'
import { inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import type { TrackingEvent } from './events.ts'
import { otherForms } from './gs1-key.ts'
import { assignmentIn, type IdentifierRow, identifierModel } from './identifier-model.ts'
import {
  type Assignment,
  assignmentAt,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  type IdentifierKind,
  identifierKinds,
  identifierStreams,
  isOfReuse,
  isShared,
  keyOf,
  keyTextsOf,
  presentOf,
  streamNamed,
  timelineName,
} from './identifiers.ts'
import { hasCounted, onlyOne } from './place.ts'
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
}

type Parts = Pick<Context, 'store' | 'pause' | 'clock'> & { readonly models: Pick<ReadModels, 'rows'> }

/**
 * The stream of the newest timeline with an identifier of this value and one of these kinds, or of the timeline with
 * this name. To a provider whose events were split off, that is its own. Throws `timeline_not_found`, and
 * `ambiguous_identifier` for an order with several parcels.
 */
export async function findStream(
  parts: Parts,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
  provider?: string,
): Promise<StreamName> {
  return (await findNewest(parts, value, kinds, provider)).stream
}

/** The same, and whether a later parcel of the number was passed over because no event of it counts now. */
export async function findNewest(
  parts: Parts,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
  provider?: string,
): Promise<Newest> {
  const named = streamNamed(value, kinds)
  if (named !== undefined && (await revisionOf(parts.store, named)) >= 0) return { stream: named }
  return streamOf(parts, kinds, value, provider)
}

/** The newest timeline of a number. */
interface Newest {
  readonly stream: StreamName
  readonly passedOver?: true
}

/** The name of the newest timeline with an identifier of this kind; throws like `findStream`. */
export async function findTimeline(parts: Parts, kind: string, value: string): Promise<string> {
  const kinds = identifierKinds.filter((one) => one === kind)
  return timelineName((await streamOf(parts, kinds, value)).stream)
}

/**
 * The streams that decide to which timeline of these kinds a value leads; undefined if it may be one form of a GS1 key,
 * because only the model knows the others.
 */
export function decidingStreams(value: string, kinds: readonly IdentifierKind[]): readonly StreamName[] | undefined {
  if (otherForms(value).length > 0 || /^(?:URN|HTTPS?):/.test(keyOf(value))) return undefined
  const named = streamNamed(value, kinds)
  const identifiers = kinds.flatMap((kind) => identifierStreams({ kind, value }))
  return named === undefined ? identifiers : [named, ...identifiers]
}

/** Milliseconds that a look-up waits for the model, before it reads the streams of the identifiers instead. */
const modelPatience = 10

/** Looks for the value as it is written, and then for the other forms of the GS1 key that it may be. */
async function streamOf(
  parts: Parts,
  kinds: readonly IdentifierKind[],
  value: string,
  provider?: string,
): Promise<Newest> {
  const others = otherForms(value)
  for (const form of [value, ...others]) {
    // Only the model knows of other forms, so a form is waited for.
    const of = { kinds, value: form, provider }
    const found = await streamOfForm(parts, of, others.length === 0 ? modelPatience : undefined)
    if (found !== undefined) return found
  }
  throw new EngineError('timeline_not_found')
}

/** What is looked for: a value of these kinds, as a provider says it. */
interface Sought {
  readonly kinds: readonly IdentifierKind[]
  readonly value: string
  readonly provider: string | undefined
}

/**
 * The model is asked first. Without a row there, the identifier streams are read: another node may have assigned the
 * number just now, or the model follows a long call.
 */
async function streamOfForm(
  parts: Parts,
  { kinds, value, provider }: Sought,
  patience: number | undefined,
): Promise<Newest | undefined> {
  const { store, models } = parts
  const rows = (await Promise.all(keyTextsOf(value).map((key) => rowsOf(models, key, patience)))).find(isNotEmpty) ?? []
  for (const kind of kinds) {
    const assignments = rows.filter((row) => row.kind === kind).map(assignmentIn)
    const found = await newestOf(parts, { kind, value }, assignments, provider)
    if (found !== undefined) return found
  }
  for (const kind of kinds) {
    for (const name of identifierStreams({ kind, value })) {
      const events = (await store.read(name)) as readonly IdentifierAssigned[]
      const found = await newestOf(parts, { kind, value }, assignmentsOf(events), provider)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function isNotEmpty(rows: readonly unknown[]): boolean {
  return rows.length > 0
}

/** The rows of a key; empty while the model is being built, or if it is behind for longer than `patience`. */
async function rowsOf(
  models: Parts['models'],
  key: string,
  patience: number | undefined,
): Promise<readonly IdentifierRow[]> {
  try {
    return (await models.rows(identifierModel, { key }, undefined, patience)) as readonly IdentifierRow[]
  } catch (error) {
    if (isEngineError(error, 'store_unavailable')) return []
    throw error
  }
}

/** The timeline of the newest parcel of which an event counts now. */
async function newestOf(
  parts: Parts,
  identifier: Identifier,
  assignments: readonly Assignment[],
  provider: string | undefined,
): Promise<Newest | undefined> {
  const counting: Assignment[] = []
  for (const one of assignments) if (await isStanding(parts, one)) counting.push(one)
  const only = isShared(identifier.kind)
    ? onlyOne(identifier, presentOf(counting))
    : assignmentAt(counting, Number.POSITIVE_INFINITY, provider)
  if (only === undefined) return undefined
  return { stream: only.timeline, ...(counting.length < assignments.length && { passedOver: true }) }
}

/** As events find a timeline in `place.ts`. */
async function isStanding(parts: Parts, assignment: Assignment): Promise<boolean> {
  if (!isOfReuse(assignment)) return true
  return hasCounted((await readState(parts, assignment.timeline)).state, parts.clock())
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
  return { stream, name: timelineName(stream), revision, timeline }
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
