import { isoOf } from './time.ts'
import { dayIn, zonedIso } from './zone.ts'

const hour = 3_600_000

/**
 * The first instant of a day (`YYYY-MM-DD`) in a time zone, as ISO 8601 in UTC. Zones are at most 14 hours from UTC.
 */
export function startOfDay(day: string, zone: string): string {
  return isoOf(firstAround(Date.parse(day), (instant) => dayIn(instant, zone) >= day))
}

/** The last millisecond of a day in a time zone, as ISO 8601 in UTC. */
export function endOfDay(day: string, zone: string): string {
  const next = isoOf(Date.parse(day) + 24 * hour).slice(0, 10)
  return isoOf(Date.parse(startOfDay(next, zone)) - 1)
}

/** The last millisecond of a minute (`HH:MM`) of a day in a time zone, as ISO 8601 in UTC. */
export function endOfMinute(day: string, minute: string, zone: string): string {
  const local = `${day}T${minute}`
  const isLater = (instant: number) => zonedIso(instant, zone).slice(0, 16) > local
  return isoOf(firstAround(Date.parse(`${local}:00Z`), isLater) - 1)
}

/** The first instant for which something holds, of those less than 15 hours from another; it holds from then on. */
function firstAround(other: number, holds: (instant: number) => boolean): number {
  let [before, first] = [other - 15 * hour, other + 15 * hour]
  while (first - before > 1) {
    const middle = Math.floor((before + first) / 2)
    if (holds(middle)) first = middle
    else before = middle
  }
  return first
}
