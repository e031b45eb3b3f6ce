import { type Code, instantOf, instantProblem, type Members } from '../../../engine/index.ts'
import { offsetOf } from '../../shared/time.ts'

/** Date-times that need no further check: of these centuries, on a day that every month has. */
const plain =
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)$/

/** The problem of a date-time in the words of `instantProblem`; undefined if it is valid. */
export function timeProblem(text: string): Code | undefined {
  return plain.test(text) ? undefined : instantProblem(text)
}

/** Date-times of the judges of JSON: of RFC 3339, with any fraction and offset. */
const judged = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/

/** Whether the judges of JSON accept a date-time. They know leap seconds, and offsets that no place has. */
export function isTimeOfJudges(text: string): boolean {
  const [, day = '', hour = '', minute = '', second = '', , hours = '00', minutes = '00'] = judged.exec(text) ?? []
  if (day === '' || hour > '23' || minute > '59' || hours > '23' || minutes > '59' || !isDay(day)) return false
  if (second <= '59') return true
  const written = text.replace(/:60(?=\D)/, ':59')
  return second === '60' && new Date(written).toISOString().slice(11, 19) === '23:59:59'
}

/** XML Schema's date-time. A zone may be missing, and midnight may be the end of a day. */
const dateTime =
  /^(-?(?:[1-9]\d{3,}|0\d{3})-\d\d-\d\d)T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?$/

/** Whether a text is a date-time of XML Schema, as EPCIS 1.2 has it. */
export function isXsdDateTime(text: string): boolean {
  const [, day] = dateTime.exec(text) ?? []
  return day !== undefined && !/^-?0000/.test(day) && isDay(day.replace(/^-?\d+(?=\d{4}-)|^-/, ''))
}

const stamp = /^\d{4}-\d\d-\d\dT(?!24).{8}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a text is a date-time as the XML Schema of EPCIS 2.0 restricts it. */
export function isXsdStamp(text: string): boolean {
  return plain.test(text) || (stamp.test(text) && isXsdDateTime(text))
}

/** Whether there is such a day in the calendar; the year 0 is a leap year. */
function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (month < 1 || month > 12 || date < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const longest = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return date <= longest
}

/**
 * A date-time as it can be stored: with a zone (UTC if it has none), at most nine decimals, no leap second and no
 * 24 o'clock. Undefined if there is none in the years from 1 to 9999.
 */
export function storableTime(text: string): string | undefined {
  if (timeProblem(text) === undefined) return text
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`
  const written = zoned.replace(/:60(?=\D)/, ':59').replace(/(\.\d{9})\d+/, '$1')
  if (timeProblem(written) === undefined) return written
  const instant = Date.parse(/T24/.test(written) ? written.replace('T24', 'T00') : utcOf(written))
  if (Number.isNaN(instant)) return undefined
  const moved = new Date(instant + (/T24/.test(written) ? 86_400_000 : 0)).toISOString()
  return timeProblem(moved) === undefined ? moved : undefined
}

/** An offset that no clock has, taken off. */
function utcOf(text: string): string {
  const [, local = '', offset = ''] = /^(.*)([+-]\d\d:\d\d)$/.exec(text) ?? []
  if (local === '') return text
  return new Date(Date.parse(`${local}Z`) - minutesOf(offset) * 60_000).toISOString()
}

/** Whether an offset from UTC can be read. */
export function isOffset(text: unknown): boolean {
  return typeof text === 'string' && /^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/.test(text)
}

/**
 * The local time of the event: the instant of `eventTime` in the offset of `eventTimeZoneOffset` (EPCIS 2.0, section
 * 7.4.1), as it can be stored; without an offset, in that of `eventTime`. Undefined if it cannot be stored.
 */
export function occurredAt({ eventTime, eventTimeZoneOffset }: Members): string | undefined {
  const time = storableTime(String(eventTime))
  const offset = String(eventTimeZoneOffset)
  if (time === undefined || !isOffset(offset) || offsetOf(time) === offset) return time
  const local = new Date(instantOf(time) + minutesOf(offset) * 60_000).toISOString()
  const fraction = /\.\d+/.exec(time)?.[0] ?? ''
  const moved = `${local.slice(0, -5)}${fraction}${offset}`
  return instantProblem(moved) === undefined ? moved : time
}

function minutesOf(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}
