/** How many attempts a second an endpoint may have, as a bucket that fills with time. */
export interface Pace {
  readonly perSecond: number
  /** Attempts that may start at `at`; a fraction is kept until it is a whole attempt. */
  tokens: number
  /** Epoch milliseconds. */
  at: number
}

/** Seconds of attempts that may start together after a pause. */
const burst = 0.1

/** The pace of an endpoint; what it has used already stays used while its rate is the same. */
export function paceOf(perSecond: number | undefined, before: Pace | undefined, now: number): Pace | undefined {
  if (perSecond === undefined) return undefined
  return before?.perSecond === perSecond ? before : { perSecond, tokens: 1, at: now }
}

/** When the next attempt may start, in epoch milliseconds; a past instant if it may now. */
export function freeAt(pace: Pace, now: number): number {
  fill(pace, now)
  return pace.tokens >= 1 ? now : now + Math.ceil((1_000 * (1 - pace.tokens)) / pace.perSecond)
}

/** Counts an attempt that starts. */
export function spend(pace: Pace, now: number): void {
  fill(pace, now)
  pace.tokens--
}

function fill(pace: Pace, now: number): void {
  const most = Math.max(1, pace.perSecond * burst)
  pace.tokens = Math.min(most, pace.tokens + (Math.max(0, now - pace.at) * pace.perSecond) / 1_000)
  pace.at = now
}
