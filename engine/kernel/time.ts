// Every digit has a fixed position, so nothing has to be captured.
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?$/

/** The possible problems of a date-time. */
type InstantProblem = 'not_a_date_time' | 'offset_missing' | 'no_such_date'

/** The problem of a date-time (RFC 3339, offset required), if there is one. */
export function instantProblem(text: string): InstantProblem | undefined {
  if (!rfc3339.test(text)) return 'not_a_date_time'
  const isUtc = text.endsWith('Z')
  const sign = text.at(-6)
  if (!isUtc && sign !== '+' && sign !== '-') return 'offset_missing'
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59 || twoDigits(text, 17) > 59) return 'no_such_date'
  const day = twoDigits(text, 8)
  if (day < 1 || day > daysIn(Number(text.slice(0, 4)), twoDigits(text, 5))) return 'no_such_date'
  return (isUtc || isOffset(text.slice(-6))) && isYearOfFourDigits(text) ? undefined : 'no_such_date'
}

/** The year is from 0001 to 9999, also in UTC: RFC 3339 has no others, and XML has no year 0. */
function isYearOfFourDigits(text: string): boolean {
  if (text > '0002' && text < '9999') return true
  const instant = Date.parse(text)
  return instant >= -62_135_596_800_000 && instant <= 253_402_300_799_999 && !text.startsWith('0000')
}

/**
 * Epoch milliseconds of a date-time that has passed `instantProblem`; finer fractions are cut off. Digits are read at
 * fixed positions, which is ten times faster than `Date.parse`.
 */
export function instantOf(text: string): number {
  const isUtc = text.endsWith('Z')
  const end = text.length - (isUtc ? 1 : 6)
  const days = daysBefore(100 * twoDigits(text, 0) + twoDigits(text, 2), twoDigits(text, 5)) + twoDigits(text, 8)
  const minutes = (24 * days + twoDigits(text, 11)) * 60 + twoDigits(text, 14) - (isUtc ? 0 : offsetAt(text, end))
  return minutes * 60_000 + twoDigits(text, 17) * 1000 + (end > 20 ? milliseconds(text, end) : 0)
}

function twoDigits(text: string, index: number): number {
  return 10 * text.charCodeAt(index) + text.charCodeAt(index + 1) - 528
}

/** Minutes by which local time is ahead of UTC. */
function offsetAt(text: string, index: number): number {
  const minutes = 60 * twoDigits(text, index + 1) + twoDigits(text, index + 4)
  return text[index] === '-' ? -minutes : minutes
}

/** The first three digits of a fraction between position 20 and `end`. */
function milliseconds(text: string, end: number): number {
  const digit = (index: number) => (index < end ? text.charCodeAt(index) - 48 : 0)
  return 100 * digit(20) + 10 * digit(21) + digit(22)
}

/** Days from 1970-01-01 to the first of a month in the Gregorian calendar; years begin in March here. */
function daysBefore(year: number, month: number): number {
  const years = month < 3 ? year - 1 : year
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  const months = month < 3 ? month + 9 : month - 3
  return 365 * years + leapDays + Math.floor((153 * months + 2) / 5) - 719_469
}

/** The digits after the decimal point of a date-time, if any. In RFC 3339 everything before it has a fixed length. */
export function fractionOf(text: string): string {
  if (text[19] !== '.') return ''
  return text.slice(20, text.endsWith('Z') ? -1 : -6)
}

/** Whether a date-time is after another. Two that end in `Z` and have the same length are compared as texts. */
export function isAfter(one: string, other: string): boolean {
  const { length } = one
  if (length === other.length && one.endsWith('Z') && other.endsWith('Z')) return one > other
  return instantOf(one) > instantOf(other)
}

/** Whether a date-time is before another, to the nanosecond. */
export function isBefore(one: string, other: string): boolean {
  const difference = instantOf(one) - instantOf(other)
  if (difference !== 0) return difference < 0
  return fractionOf(one).padEnd(9, '0') < fractionOf(other).padEnd(9, '0')
}

/** Epoch milliseconds of a date-time with an offset; undefined for any other value. */
export function readInstant(value: unknown): number | undefined {
  return typeof value === 'string' && instantProblem(value) === undefined ? instantOf(value) : undefined
}

/** The local date and time of a date-time, and its offset. */
export function localTime(text: string): { readonly date: string; readonly time: string; readonly offset: string } {
  const offset = text.endsWith('Z') ? '+00:00' : text.slice(-6)
  return { date: text.slice(0, 10), time: text.slice(11, 16), offset }
}

/** ISO 8601 in UTC with milliseconds. */
export function isoOf(instant: number): string {
  return new Date(instant).toISOString()
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Offsets in use range from -12:00 to +14:00; the upper bound is that of EPCIS 2.0 `eventTimeZoneOffset`. */
function isOffset(offset: string): boolean {
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  return minutes <= 59 && (hours < 14 || (hours === 14 && minutes === 0))
}
