const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})?$/

/** What can be wrong with a date-time. */
export type InstantProblem = 'not_a_date_time' | 'offset_missing' | 'no_such_date'

/** What is wrong with a date-time (RFC 3339, offset required), or nothing. */
export function instantProblem(text: string): InstantProblem | undefined {
  const parts = rfc3339.exec(text)
  if (parts === null) return 'not_a_date_time'
  const [, year, month, day, hour, minute, second, , offset] = parts
  if (offset === undefined) return 'offset_missing'
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return 'no_such_date'
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return 'no_such_date'
  return isOffset(offset) && isYearOfFourDigits(text) ? undefined : 'no_such_date'
}

/** From 0001 to 9999, in UTC too: outside of that there is no RFC 3339, and XML knows no year 0. */
function isYearOfFourDigits(text: string): boolean {
  if (text > '0002' && text < '9999') return true
  const instant = Date.parse(text)
  return instant >= -62_135_596_800_000 && instant <= 253_402_300_799_999 && !text.startsWith('0000')
}

/** Epoch milliseconds of a date-time that has passed `instantProblem`; finer fractions are cut off. */
export function instantOf(text: string): number {
  return Date.parse(text)
}

/** Epoch milliseconds of anything that is a date-time with an offset; nothing for whatever is not. */
export function readInstant(value: unknown): number | undefined {
  return typeof value === 'string' && instantProblem(value) === undefined ? Date.parse(value) : undefined
}

/** The local wall-clock part of a date-time and its offset, as the producer gave them. */
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

/** Offsets in use run from -12:00 to +14:00; the same bounds as EPCIS 2.0 `eventTimeZoneOffset` (to 14:00). */
function isOffset(offset: string): boolean {
  if (offset === 'Z') return true
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  return minutes <= 59 && (hours < 14 || (hours === 14 && minutes === 0))
}
