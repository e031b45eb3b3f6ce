import { visitInSteps } from '../../kernel/steps.ts'
import { type Identifier, identifiersOf, keyOf } from './identifiers.ts'
import { orderInSteps, type TrackingState } from './reducer.ts'

/** A span of time in epoch milliseconds: from `from` until before `until`. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** All time. */
export const always: Span = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** The time that a thing spent in a container, as a provider says. */
export interface Stay {
  /** The first identifier of the container, in the order of look-ups. */
  readonly parent: Identifier
  readonly provider: string
  readonly span: Span
}

/** The stays of a thing, in the order in which they began: from each ADD in force to the next DELETE with that container. */
export function* staysIn(state: TrackingState): Generator<void, readonly Stay[]> {
  const stays: Stay[] = []
  const open = new Map<string, { until: number }[]>()
  yield* visitInSteps(yield* orderInSteps(state), ({ at, provider, event: { aggregation }, withdrawn }) => {
    const [parent] = identifiersOf(aggregation?.parent ?? {})
    if (aggregation === undefined || parent === undefined || withdrawn !== undefined) return
    const key = `${parent.kind}:${keyOf(parent.value)}`
    const known = open.get(key) ?? []
    if (aggregation.action === 'ADD') {
      const span = { from: at, until: always.until }
      stays.push({ parent, provider, span })
      known.push(span)
      open.set(key, known)
    } else {
      for (const span of known) span.until = at
      open.delete(key)
    }
  })
  return stays
}

/** The instants at which a container was emptied, in order. */
export function* emptiedAt(state: TrackingState): Generator<void, readonly number[]> {
  const instants: number[] = []
  yield* visitInSteps(yield* orderInSteps(state), ({ at, event: { aggregation }, withdrawn }) => {
    const isEmptied = aggregation?.action === 'DELETE' && aggregation.all === true
    if (isEmptied && withdrawn === undefined) instants.push(at)
  })
  return instants
}

/** A span until a container is emptied after its beginning. It includes that instant, because the thing was there. */
export function untilEmptied({ from, until }: Span, instants: readonly number[]): Span {
  const emptied = instants[firstAfter(instants, from, (instant) => instant)]
  return { from, until: emptied === undefined ? until : Math.min(until, emptied + 1) }
}

/** The parts of a span that are in a list of separate spans in order. */
export function within({ from, until }: Span, spans: readonly Span[]): readonly Span[] {
  const parts: Span[] = []
  for (let at = firstAfter(spans, from, (span) => span.until); at < spans.length; at++) {
    const span = spans[at] as Span
    if (span.from >= until) break
    parts.push({ from: Math.max(from, span.from), until: Math.min(until, span.until) })
  }
  return parts.filter((part) => part.from < part.until)
}

/** Spans in order, where those that meet are one. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = []
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (last === undefined || span.from > last.until) all.push(span)
    else all[all.length - 1] = { from: last.from, until: Math.max(last.until, span.until) }
  }
  return all
}

/** Whether an instant is in one of separate spans in order. */
export function isIn(at: number, spans: readonly Span[]): boolean {
  const span = spans[firstAfter(spans, at, ({ until }) => until)]
  return span !== undefined && span.from <= at
}

/** The place of the first item whose value, which grows, is after an instant. */
function firstAfter<Item>(items: readonly Item[], instant: number, instantIn: (item: Item) => number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (instantIn(items[middle] as Item) > instant) high = middle
    else low = middle + 1
  }
  return low
}
