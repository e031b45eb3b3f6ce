/** A limit as it judges readings; values are millionths. */
export interface JudgedLimit {
  readonly id: number
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** Milliseconds for which values may be outside. */
  readonly tolerated: number
}

/** Readings of one series that were out of a limit one after the other. */
export interface Run {
  readonly limit: number
  /** The series, as its text. */
  readonly series: string
  /** The first and the last reading that was out of the limit, in epoch milliseconds. */
  readonly from: number
  readonly last: number
  /** The first reading that was within the limit again; absent if there is none yet. */
  readonly until?: number
  /** The value that was furthest out, in millionths. */
  readonly extreme: number
}

/** A limit that was passed for longer than it tolerates. */
export interface Breach {
  /** Counted from 1 in a timeline. */
  readonly id: number
  /** Incremented when late readings move a time that was reported before. */
  readonly version: number
  readonly limit: number
  readonly from: number
  /** Absent as long as it goes on. */
  readonly until?: number
  readonly extreme: number
}

/** A time when a limit was passed for too long, by any sensor. */
export type Span = Omit<Breach, 'id' | 'version'>

/** A reading of a series: when, and the value in millionths. */
export type Point = readonly [at: number, value: number]

/** The most breaches of a limit that a timeline keeps; the earliest ones. */
export const maxBreaches = 100

/**
 * The runs of a series, from its readings in order of time; `open` is a run that went on before them. Of readings of one instant, one
 * that is out of the limit decides.
 */
export function runsOf(limit: JudgedLimit, series: string, points: readonly Point[], open?: Run): readonly Run[] {
  const runs: Run[] = []
  let current = open
  for (let index = 0; index < points.length; ) {
    const [at] = points[index] as Point
    let out: number | undefined
    for (; index < points.length && points[index]?.[0] === at; index++)
      out = furthest(limit, out, (points[index] as Point)[1])
    if (out !== undefined)
      current =
        current === undefined
          ? { limit: limit.id, series, from: at, last: at, extreme: out }
          : { ...current, last: at, extreme: furthest(limit, current.extreme, out) ?? out }
    else if (current !== undefined) {
      runs.push({ ...current, until: at })
      current = undefined
    }
  }
  return current === undefined ? runs : [...runs, current]
}

/** The value that is further out of a limit; undefined if neither is out. Of two that are as far out, the smaller one. */
function furthest(limit: JudgedLimit, one: number | undefined, other: number): number | undefined {
  const by = excess(limit, other)
  if (by <= 0) return one
  if (one === undefined) return other
  const before = excess(limit, one)
  return by > before || (by === before && other < one) ? other : one
}

/** By how much a value is out of a limit; not above 0 if it is within. */
function excess(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JudgedLimit,
  value: number,
) {
  return Math.max(minimum - value, value - maximum)
}

/** Whether a run is too long for its limit. It goes on until a reading is within the limit again. */
export function isTooLong({ tolerated }: JudgedLimit, { from, last, until = last }: Run): boolean {
  return until - from >= tolerated
}

/** When a limit was passed for too long: runs of several series that overlap are one time. */
export function spansOf(limit: JudgedLimit, runs: readonly Run[]): readonly Span[] {
  const spans: Span[] = []
  const long = runs.filter((run) => run.limit === limit.id && isTooLong(limit, run))
  for (const { limit: id, from, until, extreme } of long.sort((one, other) => one.from - other.from)) {
    const before = spans.at(-1)
    const span = { limit: id, from, extreme, ...(until !== undefined && { until }) }
    if (before === undefined || endOf(before) < from) spans.push(span)
    else spans[spans.length - 1] = joined(limit, before, span)
  }
  return spans.slice(0, maxBreaches)
}

function joined(limit: JudgedLimit, one: Span, other: Span): Span {
  const { until: _, ...rest } = one
  const end = Math.max(endOf(one), endOf(other))
  const extreme = furthest(limit, one.extreme, other.extreme) ?? one.extreme
  return { ...rest, extreme, ...(end !== Number.POSITIVE_INFINITY && { until: end }) }
}

function endOf({ until = Number.POSITIVE_INFINITY }: Pick<Span, 'until'>): number {
  return until
}

/** What is new about a breach. */
export interface BreachNews {
  readonly type: 'SensorLimitBreached' | 'SensorBreachEnded' | 'SensorBreachCorrected' | 'SensorBreachWithdrawn'
  readonly breach: Breach
  /** When the breach began as it was reported before, if it was corrected. */
  readonly was?: number
}

/**
 * Compares the breaches that were reported with what readings say now. A breach stays the same as long as it overlaps with what it was;
 * `next` is the number of the next new one.
 */
export function compared(
  told: readonly Breach[],
  spans: readonly Span[],
  next: number,
): { readonly breaches: readonly Breach[]; readonly news: readonly BreachNews[]; readonly next: number } {
  const left = [...told]
  const breaches: Breach[] = []
  const news: BreachNews[] = []
  let number = next
  for (const span of spans) {
    const place = left.findIndex((one) => one.from <= endOf(span) && span.from <= endOf(one))
    const [before] = place < 0 ? [] : left.splice(place, 1)
    const { breach, changes } = before === undefined ? begun(span, number++) : changed(before, span)
    breaches.push(breach)
    news.push(...changes)
  }
  for (const breach of left) news.push({ type: 'SensorBreachWithdrawn', breach })
  return { breaches, news, next: number }
}

interface Change {
  readonly breach: Breach
  readonly changes: readonly BreachNews[]
}

function begun(span: Span, id: number): Change {
  const breach: Breach = { id, version: 1, ...span }
  return { breach, changes: [{ type: 'SensorLimitBreached', breach }, ...endings(breach)] }
}

function endings(breach: Breach): readonly BreachNews[] {
  return breach.until === undefined ? [] : [{ type: 'SensorBreachEnded', breach }]
}

function changed(before: Breach, span: Span): Change {
  const isMoved = before.from !== span.from || (before.until !== undefined && before.until !== span.until)
  const version = isMoved ? before.version + 1 : before.version
  const breach: Breach = { id: before.id, version, ...span }
  const corrections: readonly BreachNews[] = isMoved
    ? [{ type: 'SensorBreachCorrected', breach, was: before.from }]
    : []
  return { breach, changes: before.until === undefined ? [...corrections, ...endings(breach)] : corrections }
}
