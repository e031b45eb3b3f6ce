import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { assignmentIn, type IdentifierRow, identifierModel } from './identifier-model.ts'
import { keyTextOf, presentOf } from './identifiers.ts'
import { type LoadedTimeline, pageSize, readState, readTimeline, timelineRead } from './read.ts'
import { findVisible, maySee, readVisible, seenIn } from './visible.ts'

/** A timeline as it was at a revision of its stream. */
export interface RevisionRead extends LoadedTimeline {
  /** Revision of the last event of the stream. */
  readonly latest: number
  /** When the revision was recorded (ISO 8601, UTC). */
  readonly recordedAt: string
}

/**
 * The timeline of an identifier as it was known at an instant (epoch milliseconds), and as the caller sees it; as it is known
 * now without one. Throws the codes of `visibility`; before its first event, there is no timeline. What is erased is not in
 * any revision.
 */
export async function readRevision(context: Context, value: string, at?: number): Promise<RevisionRead> {
  if (at === undefined) {
    const read = await readVisible(context, value)
    return { ...read, latest: read.revision, recordedAt: await recordedAtOf(context, read.stream, read.revision) }
  }
  const { stream, view } = await findVisible(context, value)
  const latest = (await context.store.last(stream))?.revision ?? -1
  const last = await lastAt(context, stream, at)
  if (last === undefined) throw new EngineError('timeline_not_found')
  const read = await timelineRead(context, stream, await readState(context, stream, last.revision))
  const { revision, recordedAt } = last
  return { ...read, ...(await seenIn(view, read, context)), revision, recordedAt, latest }
}

async function recordedAtOf({ store }: Context, stream: StreamName, revision: number): Promise<string> {
  const [last] = (await store.read(stream, { from: revision, limit: 1 })) as readonly RecordedEvent[]
  return last?.recordedAt ?? new Date(0).toISOString()
}

/** The last event of a stream that had been recorded at an instant. */
async function lastAt({ store, pause }: Context, stream: StreamName, at: number): Promise<RecordedEvent | undefined> {
  let last: RecordedEvent | undefined
  for (let from = 0; ; from += pageSize) {
    const page = (await store.read(stream, { from, limit: pageSize })) as readonly RecordedEvent[]
    const known = page.filter(({ recordedAt }) => Date.parse(recordedAt) <= at)
    last = known.at(-1) ?? last
    if (known.length < page.length || page.length < pageSize) return last
    await pause()
  }
}

/** The most parcels of an order that are read together. */
const maxParcels = 200

/** The timelines of the parcels of an order that the caller may see, in order of their opening. Throws `timeline_not_found` if there are none. */
export async function readParcels(context: Context, order: number): Promise<readonly LoadedTimeline[]> {
  const rows = (await context.models.rows(identifierModel, {
    key: keyTextOf(String(order)),
  })) as readonly IdentifierRow[]
  const assigned = presentOf(rows.filter(({ kind }) => kind === 'order_id').map(assignmentIn))
  const seen: LoadedTimeline[] = []
  for (const stream of new Set(assigned.slice(0, maxParcels).map(({ timeline }) => timeline))) {
    const read = await readTimeline(context, stream)
    if (await maySee(context, read.timeline)) seen.push(read)
  }
  if (seen.length === 0) throw new EngineError('timeline_not_found')
  return seen
}
