import { sha256, type Target, type Timeline } from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'

/**
 * The id of a journey's trace: 16 bytes of SHA-256 over the profile and the name of the timeline, or, where it has none,
 * the identifier that names the subject best (OTLP, `Span.trace_id`).
 */
export function traceIdOf({ profile, subject }: Timeline, { timeline }: Target): string {
  const { kind, value } = nameOf(subject)
  return nonZero(sha256(`${profile}\0${timeline ?? `${kind}\0${value}`}`).slice(0, 32))
}

/** Gives out the ids of a trace's spans, 8 bytes each: the same for the same keys in the same order, and no id twice. */
export function spanIdsOf(traceId: string): (key: string) => string {
  const uses = new Map<string, number>()
  const taken = new Set<string>()
  const idOf = (key: string, use: number) => nonZero(sha256(`${traceId}\0${use}\0${key}`).slice(0, 16))
  return (key) => {
    let id = idOf(key, 0)
    // That a key comes again is rare: only then its uses are counted.
    while (taken.has(id)) {
      const use = (uses.get(key) ?? 0) + 1
      uses.set(key, use)
      id = idOf(key, use)
    }
    taken.add(id)
    return id
  }
}

/** An id as it may be: one of zeros alone is invalid (OTLP, `Span.trace_id` and `Span.span_id`). */
export function nonZero(id: string): string {
  return id.startsWith('0000') && /^0+$/.test(id) ? `${id.slice(0, -1)}1` : id
}
