import {
  type Append,
  type EventStore,
  type ExpectedRevision,
  isObject,
  type NewEvent,
  type RecordedEvent,
  type Storage,
  type StreamName,
  sha256,
} from '../../engine/index.ts'
import { eventsIn, type HistoryEvent, newEventOf } from './lines.ts'
import { beginImport, completeImport, isImportUnfinished } from './unfinished.ts'

/** The result of an import. */
interface Imported {
  readonly events: number
  /** The number of events that the store did not have yet. */
  readonly recorded: number
}

/** Called with the number of bytes checked or recorded; the file is read twice. */
type ReportBytes = (bytes: number) => void

/** The stored part of a stream, as a running digest over its events. */
interface StoredStream {
  readonly next: number
  readonly digest: string
}

/** Maximum events, and approximate bytes of the file, per call. */
const batch = { events: 1000, bytes: 4_194_304 }

/**
 * Records a history in an empty store, or in one that holds the beginning of it. Ids, revisions, times and metadata are
 * kept; positions are those of the store. `open` returns the lines of the file from the beginning on each call. The
 * whole file is checked against the store before anything is written; throws if it is invalid or does not fit. While
 * events are missing, the store is marked as unfinished.
 */
export async function importHistory(
  store: EventStore & Pick<Storage, 'leases'>,
  open: () => AsyncIterable<string>,
  progress: ReportBytes = () => {},
): Promise<Imported> {
  const standing = await standingIn(store)
  const { events, bytes } = await check(open, standing, progress)
  let recorded = 0
  for await (const { appends, count, behind } of batches(eventsIn(open()), standing)) {
    if (recorded === 0) await beginImport(store.leases)
    await store.appendMany(appends)
    recorded += count
    progress(bytes + behind)
  }
  if (await isImportUnfinished(store.leases)) await completeImport(store.leases)
  return { events, recorded }
}

async function standingIn(store: EventStore): Promise<ReadonlyMap<string, StoredStream>> {
  const standing = new Map<string, StoredStream>()
  for await (const event of store.readAll()) standing.set(event.stream, withEvent(standing.get(event.stream), event))
  return standing
}

function withEvent(before: StoredStream = { next: 0, digest: '' }, event: RecordedEvent): StoredStream {
  return { next: event.revision + 1, digest: sha256(before.digest + canonical({ ...newEventOf(event) })) }
}

/** JSON with sorted members: stores may return them in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}

/** Checks the whole file: every stream counts from 0 and begins with what is stored. */
async function check(
  open: () => AsyncIterable<string>,
  standing: ReadonlyMap<string, StoredStream>,
  progress: ReportBytes,
) {
  const next = new Map<string, number>()
  const found = new Map<string, StoredStream>()
  const count = { events: 0, bytes: 0 }
  for await (const { event, bytes } of eventsIn(open())) {
    const { stream, revision } = event
    if (revision !== (next.get(stream) ?? 0))
      throw new Error(`The file is damaged: ${stream} has a gap at ${revision}.`)
    next.set(stream, revision + 1)
    if (revision < (standing.get(stream)?.next ?? 0)) found.set(stream, withEvent(found.get(stream), event))
    count.events++
    count.bytes = bytes
    progress(bytes)
  }
  for (const [stream, { digest }] of standing) {
    if (found.get(stream)?.digest !== digest)
      throw new Error(`The store has a history of its own: ${stream} is not as in the file. Nothing was recorded.`)
  }
  return count
}

interface Batch {
  readonly appends: readonly Append[]
  readonly count: number
  /** Bytes of the file up to the end of its last event. */
  readonly behind: number
}

/** Batches in the order of the file; the events of a stream in one call are consecutive. */
async function* batches(
  kept: AsyncIterable<HistoryEvent>,
  standing: ReadonlyMap<string, StoredStream>,
): AsyncGenerator<Batch> {
  let appends: Growing[] = []
  let streams = new Set<string>()
  let [count, behind, begun] = [0, 0, 0]
  for await (const { event, bytes } of kept) {
    if (event.revision < (standing.get(event.stream)?.next ?? 0)) continue
    const isNext = appends.at(-1)?.stream === event.stream
    if (count === batch.events || bytes - begun > batch.bytes || (!isNext && streams.has(event.stream))) {
      yield { appends, count, behind }
      appends = []
      streams = new Set()
      ;[count, begun] = [0, behind]
    }
    add(appends, event)
    streams.add(event.stream)
    ;[count, behind] = [count + 1, bytes]
  }
  if (count > 0) yield { appends, count, behind }
}

interface Growing extends Append {
  readonly events: NewEvent[]
}

function add(appends: Growing[], event: RecordedEvent) {
  const last = appends.at(-1)
  const expected: ExpectedRevision = event.revision === 0 ? 'no-stream' : event.revision - 1
  if (last?.stream === event.stream) last.events.push(newEventOf(event))
  else appends.push({ stream: event.stream as StreamName, events: [newEventOf(event)], expected })
}
