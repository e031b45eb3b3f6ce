import { EngineError, wrongExpectedRevision } from '../kernel/errors.ts'
import type { Append } from '../kernel/event-store.ts'

/** What a store must know of a stream to judge an append. */
export interface StreamHead {
  /** Revision of the last event; -1 where the stream does not exist. */
  readonly revision: number
  /** Ids of the events from `from` on (of all, from 0), in order; asked for only when a repetition is possible. */
  readonly idsFrom: (from: number, limit: number) => readonly string[]
  /** The revision at which an id stands in this stream, if it does. */
  readonly find: (id: string) => number | undefined
}

/**
 * Judges an append: the revision at which its first event is to stand, or that it is a `repeated` one, with the
 * revision of its last event. Throws `wrong_expected_revision` when the writer's belief is wrong.
 *
 * With a numeric belief (or `no-stream`) a repetition is told by the ids that stand where the append would have put
 * them; with `any` and `stream-exists` by looking for the ids in the whole stream.
 */
export function judge(append: Append, head: StreamHead): { readonly at: number } | { readonly repeated: number } {
  const { events, expected, stream } = append
  const first = events[0]
  if (first === undefined) throw new EngineError('internal', { request: 'append without events' })
  if (expected === 'any' || expected === 'stream-exists') {
    const places = events.map((event) => head.find(event.id))
    if (places.every((place) => place !== undefined)) return { repeated: places.at(-1) as number }
    const conflict = places.some((place) => place !== undefined)
    if (conflict || (expected === 'stream-exists' && head.revision < 0)) {
      throw wrongExpectedRevision(stream, expected, head.revision)
    }
    return { at: head.revision + 1 }
  }
  const believed = expected === 'no-stream' ? -1 : expected
  if (believed === head.revision) return { at: head.revision + 1 }
  const ids = believed < head.revision ? head.idsFrom(believed + 1, events.length) : []
  if (ids.length === events.length && events.every((event, index) => event.id === ids[index])) {
    return { repeated: believed + events.length }
  }
  throw wrongExpectedRevision(stream, expected, head.revision)
}
