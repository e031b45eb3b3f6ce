import { cached } from './template/index.ts'
import { offsetOf, utcMillisOf } from './time.ts'

/** A date-time in UTC as RFC 2822, section 3.3 writes it: `Fri, 19 Jun 2026 08:00:00 +0000`. */
export function rfc2822Of(dateTime: string): string {
  const utc = bareUtcOf(dateTime)
  return `${dayOf(utc.slice(0, -9))} ${utc.slice(-8)} +0000`
}

/** A date-time in UTC, to the second, without an offset: `2026-06-19T08:00:00`. */
export function bareUtcOf(dateTime: string): string {
  if (dateTime.endsWith('Z')) return dateTime.slice(0, 19)
  // The fraction is cut off, because `utcMillisOf` rounds it.
  return utcMillisOf(dateTime.slice(0, 19) + offsetOf(dateTime)).slice(0, -5)
}

/** A day as RFC 2822 writes it: `Fri, 19 Jun 2026`. */
const dayOf = cached((date: string) => new Date(`${date}T00:00:00Z`).toUTCString().slice(0, -13))
