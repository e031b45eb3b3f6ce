import { instantOf } from '../../engine/index.ts'

const fraction = /\.(\d+)/

/** A date-time in UTC, with the fraction of a second that it has and no more: `2026-06-10T13:30:00Z`. */
export function utcOf(dateTime: string): string {
  const digits = fraction.exec(dateTime)?.[1]
  const iso = new Date(instantOf(dateTime)).toISOString()
  return `${iso.slice(0, -5)}${digits === undefined ? '' : `.${digits}`}Z`
}

/** The offset of a date-time as the producer wrote it: `-04:00`, and `+00:00` for `Z`. */
export function offsetOf(dateTime: string): string {
  return /z$/i.test(dateTime) ? '+00:00' : dateTime.slice(-6)
}

/** Nanoseconds since 1970 as decimal digits; `0` for anything before. */
export function nanosOf(dateTime: string): string {
  const millis = instantOf(dateTime)
  if (millis < 0) return '0'
  const digits = (fraction.exec(dateTime)?.[1] ?? '').padEnd(9, '0').slice(0, 9)
  return String(BigInt(Math.floor(millis / 1000)) * 1_000_000_000n + BigInt(digits))
}
