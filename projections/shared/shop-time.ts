import { instantOf } from '../../engine/index.ts'

/** A date-time in UTC as RFC 2822, section 3.3 writes it: `Fri, 19 Jun 2026 08:00:00 +0000`. */
export function rfc2822Of(dateTime: string): string {
  return new Date(instantOf(dateTime)).toUTCString().replace('GMT', '+0000')
}

/** A date-time in UTC, to the second, without an offset: `2026-06-19T08:00:00`. */
export function bareUtcOf(dateTime: string): string {
  return new Date(instantOf(dateTime)).toISOString().slice(0, -5)
}
