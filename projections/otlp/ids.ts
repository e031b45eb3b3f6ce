import type { Target, Timeline } from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'
import { hexDigest, type Plain } from '../shared/template/index.ts'

/**
 * The trace id of a journey: 16 bytes of SHA-256 over the profile and the name of the timeline, or the preferred
 * identifier of the subject if the timeline has no name (OTLP, `Span.trace_id`).
 */
export function traceIdOf({ profile, subject }: Pick<Timeline, 'profile' | 'subject'>, { timeline }: Target): Plain {
  const { kind, value } = nameOf(subject)
  return nonZero(hexDigest(`${profile}\0${timeline ?? `${kind}\0${value}`}`, 32))
}

/** Makes unique span ids of 8 bytes for the keys of a trace. The same keys in the same order get the same ids. */
export function spanIdsOf(traceId: string): (key: string) => Plain {
  const uses = new Map<string, number>()
  const taken = new Set<string>()
  const idOf = (key: string, use: number) => nonZero(hexDigest(`${traceId}\0${use}\0${key}`, 16))
  return (key) => {
    let id = idOf(key, 0)
    // Repeated keys are rare, so their uses are counted only here.
    while (taken.has(id)) {
      const use = (uses.get(key) ?? 0) + 1
      uses.set(key, use)
      id = idOf(key, use)
    }
    taken.add(id)
    return id
  }
}

/**
 * The id, or one that ends in 1 if all its digits are zeros, which is invalid (OTLP, `Span.trace_id` and
 * `Span.span_id`).
 */
export function nonZero<Id extends string>(id: Id): Id {
  return id.startsWith('0000') && /^0+$/.test(id) ? (id.replace(/0$/, '1') as Id) : id
}
