import { EngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { Append, Appended, EventStore } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'

/** The state of a stream that a store needs to decide an append. */
export interface StreamHead {
  /** Revision of the last event; -1 where the stream does not exist. */
  readonly revision: number
  /** Ids of at most `limit` events from `from` on, in order; only called when the append may be a repetition. */
  readonly idsFrom: (from: number, limit: number) => readonly string[]
}

/** The revision of the append's first event, or the revision of its last event if it was `repeated`. */
export type AppendDecision = { readonly at: number } | { readonly repeated: number }

/** An append, the head of its stream, and the decision. */
interface DecidedAppend<OneAppend extends Append, Head extends StreamHead> {
  readonly append: OneAppend
  readonly head: Head
  readonly decision: AppendDecision
}

/** Implements `append` by an `appendMany` with one stream. */
export function appendThrough(appendMany: EventStore['appendMany']): EventStore['append'] {
  return async (stream, events, expected) => {
    const [appended] = await appendMany([{ stream, events, expected }])
    return appended as Appended
  }
}

/** Decides all appends of one call before any of them is recorded. Throws at the first wrong expected revision. */
export function decideAppends<OneAppend extends Append, Head extends StreamHead>(
  appends: readonly OneAppend[],
  headOf: (stream: StreamName) => Head,
): readonly DecidedAppend<OneAppend, Head>[] {
  refuseRepeatedStreams(appends)
  return appends.map((append) => {
    const head = headOf(append.stream)
    return { append, head, decision: decideAppend(append, head) }
  })
}

/** Refuses a call that names one stream twice. */
export function refuseRepeatedStreams(appends: readonly Append[]): void {
  if (!areDistinct(appends.map((append) => append.stream))) throw misuse('a call that names one stream twice')
}

/**
 * Decides an append: the revision of its first event, or that it is `repeated`, with the revision of its last event.
 * Throws `wrong_expected_revision` when the expected revision is wrong.
 *
 * With a numeric expectation (or `no-stream`), an append is a repetition if the same ids are already at the revisions
 * that it would have taken. With `any` and `stream-exists`, the ids are looked up in the whole stream.
 */
export function decideAppend(append: Append, head: StreamHead): AppendDecision {
  const { events, expected, stream } = append
  if (events.length === 0) throw misuse('an append without events')
  if (events.length > 1 && !areDistinct(events.map((event) => event.id))) throw misuse('an append with one id twice')
  if (expected === 'any' || expected === 'stream-exists') {
    const revisions = firstPlaces(head.idsFrom(0, head.revision + 1))
    const places = events.map((event) => revisions.get(event.id))
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

/** The first revision of each id. */
function firstPlaces(ids: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [revision, id] of ids.entries()) if (!places.has(id)) places.set(id, revision)
  return places
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

/** A mistake of the calling code, not of its caller. */
function misuse(what: string): EngineError {
  return new EngineError('internal', { request: what })
}
