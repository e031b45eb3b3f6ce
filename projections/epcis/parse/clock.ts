import { type Code, instantOf, instantProblem, type Members } from '../../../engine/index.ts'
import { offsetOf } from '../../shared/time.ts'

/** Date-times that need no further check: of these centuries, on a day that every month has. */
const plain =
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)$/

/** The problem of a date-time in the words of `instantProblem`; undefined if it is valid. */
export function timeProblem(text: string): Code | undefined {
  return plain.test(text) ? undefined : instantProblem(text)
}

/**
 * The local time of the event: the instant of `eventTime` in the offset of `eventTimeZoneOffset` (EPCIS 2.0, section
 * 7.4.1). Both have been checked.
 */
export function occurredAt({ eventTime, eventTimeZoneOffset }: Members): string {
  const [time, offset] = [String(eventTime), String(eventTimeZoneOffset)]
  if (offsetOf(time) === offset) return time
  const local = new Date(instantOf(time) + minutesOf(offset) * 60_000).toISOString()
  const fraction = /\.\d+/.exec(time)?.[0] ?? ''
  const moved = `${local.slice(0, -5)}${fraction}${offset}`
  return instantProblem(moved) === undefined ? moved : time
}

function minutesOf(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}
