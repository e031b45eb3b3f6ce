import { EngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { Append, Appended, EventStore } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'

/** What a store must know of a stream to judge an append. */
export interface StreamHead {
  /** Revision of the last event; -1 where the stream does not exist. */
  readonly revision: number
  /** Ids of the events from `from` on, in order, at most `limit`; asked for only when a repetition is possible. */
  readonly idsFrom: (from: number, limit: number) => readonly string[]
}

/** The revision at which the first event of an append is to stand, or that of the last event of a `repeated` one. */
export type AppendDecision = { readonly at: number } | { readonly repeated: number }

/** An append, what was known of its stream, and the verdict. */
export interface DecidedAppend<Asked extends Append, Head extends StreamHead> {
  readonly append: Asked
  readonly head: Head
  readonly decision: AppendDecision
}

/** An append to one stream, as a call of many streams that names one. */
export function appendThrough(appendMany: EventStore['appendMany']): EventStore['append'] {
  return async (stream, events, expected) => {
    const [appended] = await appendMany([{ stream, events, expected }])
    return appended as Appended
  }
}

/** Judges all appends of one call before any of them is recorded; throws at the first wrong belief. */
export function decideAppends<Asked extends Append, Head extends StreamHead>(
  appends: readonly Asked[],
  headOf: (stream: StreamName) => Head,
): readonly DecidedAppend<Asked, Head>[] {
  if (!areDistinct(appends.map((append) => append.stream))) throw misuse('a call that names one stream twice')
  return appends.map((append) => {
    const head = headOf(append.stream)
    return { append, head, decision: decideAppend(append, head) }
  })
}

/**
 * Judges an append: the revision at which its first event is to stand, or that it is a `repeated` one, with the
 * revision of its last event. Throws `wrong_expected_revision` when the writer's belief is wrong.
 *
 * With a numeric belief (or `no-stream`) a repetition is told by the ids that stand where the append would have put
 * them; with `any` and `stream-exists` by looking for the ids in the whole stream.
 */
export function decideAppend(append: Append, head: StreamHead): AppendDecision {
  const { events, expected, stream } = append
  if (events.length === 0) throw misuse('an append without events')
  if (!areDistinct(events.map((event) => event.id))) throw misuse('an append with one id twice')
  if (expected === 'any' || expected === 'stream-exists') {
    const standing = firstPlaces(head.idsFrom(0, head.revision + 1))
    const places = events.map((event) => standing.get(event.id))
    if (places.every((place) => place !== undefined)) return { repeated: places.at(-1) as number }
    const conflict = places.some((place) => place !== undefined)
    if (conflict || (expected === 'stream-exists' && head.revision < 0)) {
      throw wrongExpectedRevision(stream, expected, head.revision)
    }
    return { at: head.revision + 1 }
  }
  const believed = expected === 'no-stream' ? -1 : expected
  if (believed === head.revision) return { at: head.revision + 1 }
  const isPast = Number.isInteger(believed) && believed >= -1 && believed < head.revision
  const ids = isPast ? head.idsFrom(believed + 1, events.length) : []
  if (ids.length === events.length && events.every((event, index) => event.id === ids[index])) {
    return { repeated: believed + events.length }
  }
  throw wrongExpectedRevision(stream, expected, head.revision)
}

/** The first revision at which each id stands. */
function firstPlaces(ids: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [revision, id] of ids.entries()) if (!places.has(id)) places.set(id, revision)
  return places
}

function areDistinct(names: readonly string[]): boolean {
  return names.length === 1 || new Set(names).size === names.length
}

/** A mistake of the calling code, not of its caller. */
function misuse(what: string): EngineError {
  return new EngineError('internal', { request: what })
}
