import { nanosOf } from '../shared/time.ts'

/**
 * The largest signed 64-bit number of nanoseconds, in 2262. Back ends store the unsigned `fixed64` of OTLP as signed.
 */
const last = '9223372036854775807'

/** A date-time as `UnixNano`. Instants before 1970 or after 2262 are moved to that bound. */
export function unixNanoOf(dateTime: string): string {
  const nanos = nanosOf(dateTime)
  return isLater(nanos, last) ? last : nanos
}

/** Whether one `UnixNano` is later than another. Both are digits without leading zeros. */
export function isLater(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length
}
