import type { Target, Timeline } from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'
import { hexDigest, type Plain } from '../shared/template/index.ts'

/**
 * The id of a journey's trace: 16 bytes of SHA-256 over the profile and the name of the timeline, or, where it has none,
 * the identifier that names the subject best (OTLP, `Span.trace_id`).
 */
export function traceIdOf({ profile, subject }: Timeline, { timeline }: Target): Plain {
  const { kind, value } = nameOf(subject)
  return nonZero(hexDigest(`${profile}\0${timeline ?? `${kind}\0${value}`}`, 32))
}

/** Gives out the ids of a trace's spans, 8 bytes each: the same for the same keys in the same order, and no id twice. */
export function spanIdsOf(traceId: string): (key: string) => Plain {
  const uses = new Map<string, number>()
  const taken = new Set<string>()
  const idOf = (key: string, use: number) => nonZero(hexDigest(`${traceId}\0${use}\0${key}`, 16))
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
export function nonZero<Id extends string>(id: Id): Id {
  return id.startsWith('0000') && /^0+$/.test(id) ? (id.replace(/0$/, '1') as Id) : id
}
