import { offsetOf, utcMillisOf } from './time.ts'

/** A date-time in UTC as RFC 2822, section 3.3 writes it: `Fri, 19 Jun 2026 08:00:00 +0000`. */
export function rfc2822Of(dateTime: string): string {
  const utc = bareUtcOf(dateTime)
  return `${dayOf(utc.slice(0, -9))} ${utc.slice(-8)} +0000`
}

/** A date-time in UTC, to the second, without an offset: `2026-06-19T08:00:00`. */
export function bareUtcOf(dateTime: string): string {
  if (dateTime.endsWith('Z')) return dateTime.slice(0, 19)
  // Without its fraction, which would be rounded.
  return utcMillisOf(dateTime.slice(0, 19) + offsetOf(dateTime)).slice(0, -5)
}

/** Days as texts: the days that timelines tell of are few. */
const days = new Map<string, string>()

const mostDays = 4_096

function dayOf(date: string): string {
  const known = days.get(date)
  if (known !== undefined) return known
  if (days.size >= mostDays) days.clear()
  const day = new Date(`${date}T00:00:00Z`).toUTCString().slice(0, -13)
  days.set(date, day)
  return day
}
