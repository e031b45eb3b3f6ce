import type { Context, Facts, Ports } from '../../kernel/context.ts'
import { deriveId } from '../../kernel/id.ts'
import { createPauses, inSteps, visitInSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { countsFor } from './bound.ts'
import type { StoredEvent } from './events.ts'
import {
  type Assignment,
  assignmentAt,
  assignmentsOf,
  type IdentifierAssigned,
  identifierStreams,
  publicSubject,
  saidBy,
} from './identifiers.ts'
import { splitPersonal } from './personal.ts'
import { type LoadedTimeline, type ReadState, readState, timelineRead } from './read.ts'
import type { Entry, TrackingState } from './reducer.ts'
import { always, emptiedAt, isIn, joined, type Span, type Stay, staysIn, untilEmptied, within } from './stays.ts'

/** How many containers are in one another at most. */
export const maxDepth = 5

/** The most containers whose streams are read for one timeline; the latest ones. */
const maxContainers = 100

/** The most events of containers that are read for one timeline; a container that would exceed it is left out. */
const maxContainerEvents = 20_000

/** What a join needs: the store, who may see what, and turns for others. */
export type Parts = Facts & Pick<Context, 'pause'> & { readonly ports: Ports }

/** The timeline in a stream, with what happened to its containers while it was in them. */
export async function readJoined(
  context: Parts & Pick<Context, 'profiles' | 'clock'>,
  stream: StreamName,
): Promise<LoadedTimeline> {
  const read = await readState(context, stream)
  const state = read.state.isContained ? (await joinedState(context, stream, read)).state : read.state
  return timelineRead(context, stream, { ...read, state })
}

/** A state with the events of its containers, and every stream that was read for it, with its revision. */
interface JoinedState {
  readonly state: TrackingState
  readonly streams: ReadonlyMap<StreamName, number>
}

/** Joins a state with the events of its containers. It reads them page by page, and lets others be served meanwhile. */
export async function joinedState(context: Parts, stream: StreamName, read: ReadState): Promise<JoinedState> {
  const { inherited, streams } = await inheritedBy(context, stream, read)
  const entries = [...read.state.entries, ...inherited.map(({ own }) => own)]
  return { state: { ...read.state, entries, isInOrder: false, byName: undefined, hashes: [] }, streams }
}

/** An event that a thing has of a container. */
export interface Inherited {
  /** The stream of the container. */
  readonly container: StreamName
  /** The event as the container has it, and as the thing has it. */
  readonly entry: Entry
  readonly own: Entry
}

/** Reads a state, up to a revision. */
type ReadTo = (stream: StreamName, to: number) => Promise<ReadState>

/** The events that a thing has of its containers, which are read with `readTo`. */
export async function inheritedBy(
  context: Parts,
  stream: StreamName,
  read: ReadState,
  readTo: ReadTo = (one, to) => readState(context, one, to),
): Promise<{ readonly inherited: readonly Inherited[]; readonly streams: ReadonlyMap<StreamName, number> }> {
  const reader = createReader(context, { root: stream, read, readTo })
  const found = new Map<StreamName, Spans>()
  let level: ReadonlyMap<StreamName, Spans> = new Map([[stream, [always]]])
  for (let depth = 0; depth < maxDepth && level.size > 0; depth++) {
    const above = new Map<StreamName, Spans>()
    for (const [child, spans] of level) {
      for (const [container, times] of await timesInContainers(reader, child, spans, context)) {
        for (const all of [above, found]) all.set(container, joined([...(all.get(container) ?? []), ...times]))
      }
    }
    level = above
  }
  const inherited = await inSteps(inheritedIn(read.state, found, reader.known), context.pause)
  return { inherited, streams: reader.revisions }
}

/** Separate spans in order. */
type Spans = readonly Span[]

/** A container that was read. */
interface Container {
  readonly state: TrackingState
  readonly emptied: readonly number[]
}

/** Reads every stream once. */
interface Reader {
  readonly revisions: ReadonlyMap<StreamName, number>
  readonly known: ReadonlyMap<StreamName, Container | undefined>
  /** The container of a stay; undefined if there is nothing that may be joined. */
  containerOf(stay: Stay): Promise<{ readonly stream: StreamName; readonly container: Container } | undefined>
}

function createReader(
  context: Parts,
  { root, read: { state: child, revision }, readTo }: { root: StreamName; read: ReadState; readTo: ReadTo },
): Reader {
  const { store, pause } = context
  const revisions = new Map([[root, revision]])
  const assignments = new Map<StreamName, readonly Assignment[]>()
  const known = new Map<StreamName, Container | undefined>([[root, { state: child, emptied: [] }]])
  const admitted = new Map<string, boolean>()
  let eventsLeft = maxContainerEvents

  async function assignmentsIn(stream: StreamName): Promise<readonly Assignment[]> {
    const found = assignments.get(stream) ?? (assignments.size >= maxContainers ? [] : undefined)
    if (found !== undefined) return found
    const events = (await store.read(stream)) as readonly IdentifierAssigned[]
    revisions.set(stream, events.length - 1)
    assignments.set(stream, assignmentsOf(events))
    return assignments.get(stream) ?? []
  }

  async function containerIn(stream: StreamName): Promise<Container | undefined> {
    if (known.has(stream)) return known.get(stream)
    const latest = (await store.last(stream))?.revision ?? -1
    if (latest >= eventsLeft) {
      revisions.set(stream, latest)
      known.set(stream, undefined)
      return undefined
    }
    const { state, revision } = await readTo(stream, latest)
    eventsLeft -= revision + 1
    revisions.set(stream, revision)
    // Codes of another profile have no meaning in the timeline.
    const isJoined = !state.isErased && state.profile === child.profile
    known.set(stream, isJoined ? { state, emptied: await inSteps(emptiedAt(state), pause) } : undefined)
    return known.get(stream)
  }

  /** Whether the provider that speaks of a container may see it. */
  async function isAdmitted(provider: string, stream: StreamName, { subject, entries }: TrackingState) {
    const key = `${provider}\0${stream}`
    const found = admitted.get(key)
    if (found !== undefined) return found
    const may = await countsFor(context, provider, { subject, events: entries.map(({ event }) => event) })
    admitted.set(key, may)
    return may
  }

  return {
    revisions,
    known,
    containerOf: async ({ parent, provider, span }) => {
      const said = saidBy(await Promise.all(identifierStreams(parent).map(assignmentsIn)))
      const stream = assignmentAt(said, span.from, provider)?.timeline
      if (stream === undefined || stream === root) return undefined
      const container = await containerIn(stream)
      if (container === undefined || !(await isAdmitted(provider, stream, container.state))) return undefined
      return { stream, container }
    },
  }
}

/** When a thing was in which containers, within these times; those of the latest stays if there are too many. */
async function timesInContainers(reader: Reader, child: StreamName, spans: Spans, { pause }: Parts) {
  const times = new Map<StreamName, Span[]>()
  const state = reader.known.get(child)?.state
  const stays = state === undefined ? [] : await inSteps(staysIn(state), pause)
  const pauses = createPauses(pause)
  for (const stay of stays.toReversed()) {
    await pauses.next()
    if (within(stay.span, spans).length === 0) continue
    const found = await reader.containerOf(stay)
    if (found === undefined) continue
    const { stream, container } = found
    const parts = times.get(stream) ?? []
    parts.push(...within(untilEmptied(stay.span, container.emptied), spans))
    times.set(stream, parts)
  }
  return times
}

/** The events of the containers of a thing at these times, but those that it has itself. */
function* inheritedIn(
  { entries }: TrackingState,
  containers: ReadonlyMap<StreamName, Spans>,
  known: Reader['known'],
): Generator<void, readonly Inherited[]> {
  const inherited: Inherited[] = []
  const named = new Map<string, Entry>()
  yield* visitInSteps(entries, (entry) => void named.set(nameOf(entry), entry))
  for (const [container, spans] of containers) {
    const state = known.get(container)?.state
    if (state === undefined) continue
    const shown = publicOnce()
    yield* visitInSteps(state.entries, (entry) => {
      if (!isIn(entry.at, spans) || isOfContents(entry)) return
      const same = named.get(nameOf(entry))
      if (same !== undefined && isSame(same, entry)) return
      // Ids are the producer's own in each timeline, so two events may have one.
      const event_id = same === undefined ? entry.event.event_id : deriveId(container, nameOf(entry))
      const own = inheritedEntry(entry, event_id, shown, state.subject)
      named.set(nameOf(own), own)
      inherited.push({ container, entry, own })
    })
  }
  return inherited
}

/** The public part of subjects: the same object for the same subject. */
function publicOnce(): (subject: Subject) => Subject {
  const known = new Map<Subject, Subject>()
  return (subject) => {
    const shown = known.get(subject) ?? publicSubject(subject)
    known.set(subject, shown)
    return shown
  }
}

function nameOf({ provider, event }: Entry): string {
  return `${provider}\0${event.event_id}`
}

function isSame(one: Entry, other: Entry): boolean {
  return one.at === other.at && one.event.status_code === other.event.status_code
}

/** Whether it says only that other things were put in or taken out. */
function isOfContents({ event: { aggregation } }: Entry): boolean {
  return aggregation !== undefined && aggregation.parent === undefined && aggregation.all !== true
}

/**
 * The event of a container as its contents have it, with its versions: without personal data, proof and estimate, which
 * are those of the container.
 */
function inheritedEntry(entry: Entry, event_id: string, shown: (subject: Subject) => Subject, now: Subject): Entry {
  const { at, provider, withdrawn, subject, since, earlier, isFormer } = entry
  const inherited = (event: StoredEvent): StoredEvent => {
    const { pod, estimated_delivery_at, estimated_delivery_from, ...rest } = splitPersonal(event).rest
    return { ...rest, event_id, inherited_from: shown(now) }
  }
  return {
    ...{ at, provider, since, isFormer, event: inherited(entry.event) },
    withdrawn: splitPersonal({ withdrawn }).rest.withdrawn,
    subject: subject && shown(subject),
    earlier: earlier?.map((one) => ({ ...one, event: inherited(one.event), subject: shown(one.subject) })),
  }
}
