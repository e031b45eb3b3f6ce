import { nanosOf } from '../shared/time.ts'

/** The last nanosecond of 64 signed bits, in 2262: back ends keep the unsigned `fixed64` of OTLP as such. */
const last = '9223372036854775807'

/** A date-time as `UnixNano`: what lies outside of 1970 to 2262 is moved to that bound. */
export function unixNanoOf(dateTime: string): string {
  const nanos = nanosOf(dateTime)
  return isLater(nanos, last) ? last : nanos
}

/** Whether one `UnixNano` is later than another; they are digits without leading zeros. */
export function isLater(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length
}
