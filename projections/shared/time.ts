import { fractionOf, instantOf, isoOf } from '../../engine/index.ts'
import { cached } from './template/index.ts'

/** A date-time in UTC, with its own fraction of a second: `2026-06-10T13:30:00Z`. */
export function utcOf(dateTime: string): string {
  const digits = fractionOf(dateTime)
  const instant = instantOf(dateTime)
  return secondOf(instant) + (digits === '' ? 'Z' : `.${digits}Z`)
}

/** The offset of a date-time as the producer wrote it: `-04:00`, and `+00:00` for `Z`. */
export function offsetOf(dateTime: string): string {
  return dateTime.endsWith('Z') ? '+00:00' : dateTime.slice(-6)
}

/** Nanoseconds since 1970 as decimal digits. `0` for earlier instants. */
export function nanosOf(dateTime: string): string {
  const second = Math.floor(instantOf(dateTime) / 1000)
  if (second < 0) return '0'
  const nanos = fractionOf(dateTime).padEnd(9, '0')
  return second === 0 ? String(Number(nanos)) : second + nanos
}

/** A date-time in UTC with three decimals, rounded half up at the fourth. */
export function utcMillisOf(dateTime: string): string {
  const fourth = dateTime[19] === '.' ? (fractionOf(dateTime)[3] ?? '') : ''
  const instant = instantOf(dateTime) + (fourth >= '5' && fourth <= '9' ? 1 : 0)
  const millis = three(instant - Math.floor(instant / 1000) * 1000)
  return `${secondOf(instant)}.${millis}Z`
}

const hourLength = 3_600_000

/**
 * The text of an hour (`2026-06-10T13:`), which is given as hours since 1970. It is cached because dates are slow to
 * format.
 */
const textOfHour = cached((hour: number) => new Date(hour * hourLength).toISOString().slice(0, -10))

/** An instant in UTC to the second, without its offset. */
function secondOf(instant: number): string {
  const hour = Math.floor(instant / hourLength)
  const second = Math.floor((instant - hour * hourLength) / 1000)
  const minute = Math.floor(second / 60)
  const clock = `${two[minute]}:${two[second - minute * 60]}`
  return textOfHour(hour) + clock
}

const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

function three(number: number): string {
  return number === 0 ? '000' : String(number).padStart(3, '0')
}

/** The next millisecond, with the same offset: a status that no event explains follows the last event, and precedes whatever comes next. */
export function aMomentAfter(time: string): string {
  return time[19] === '.' ? isoOf(instantOf(time) + 1) : `${time.slice(0, 19)}.001${time.slice(19)}`
}
