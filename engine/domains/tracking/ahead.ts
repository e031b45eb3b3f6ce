/**
 * Milliseconds by which an event may be ahead of the clock and still count: clocks of scanners go wrong by minutes, and a
 * time of day with the offset of another zone by up to a day.
 */
export const tolerance = 86_400_000

/** Whether an event is so far ahead of the clock that it does not count yet; both in epoch milliseconds. */
export function isAhead(at: number, now: number): boolean {
  return at > now + tolerance
}
