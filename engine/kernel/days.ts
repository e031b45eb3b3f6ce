import { isoOf } from './time.ts'
import { dayIn } from './zone.ts'

const hour = 3_600_000

/**
 * The first instant of a day (`YYYY-MM-DD`) in a time zone, as ISO 8601 in UTC. Zones are at most 14 hours from UTC.
 */
export function startOfDay(day: string, zone: string): string {
  let before = Date.parse(day) - 15 * hour
  let within = Date.parse(day) + 15 * hour
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayIn(middle, zone) < day) before = middle
    else within = middle
  }
  return isoOf(within)
}

/** The last millisecond of a day in a time zone, as ISO 8601 in UTC. */
export function endOfDay(day: string, zone: string): string {
  const next = isoOf(Date.parse(day) + 24 * hour).slice(0, 10)
  return isoOf(Date.parse(startOfDay(next, zone)) - 1)
}
