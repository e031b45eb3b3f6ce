import type { Judged } from '../judge.ts'
import type { Json } from './read.ts'

/** The content of one reported event, in either form of the document. */
export interface Reported {
  readonly path: string
  readonly id: Json | undefined
  /** The bare number in Recommendation 24. */
  readonly code: string | undefined
  readonly reason: string | undefined
  readonly occurred: Json | undefined
  readonly recorded: Json | undefined
  readonly status: Json | undefined
}

/** Codes that by the definitions of Recommendation 24 have exactly one number, which no other code may use. */
const certain: Readonly<Record<string, string>> = {
  booking_confirmed: '6',
  picked_up: '13',
  in_transit: '31',
  arrival_scan: '1',
  out_for_delivery: '113',
  delivered: '21',
  delivery_failed: '210',
  rejected_by_recipient: '325',
}

/** Numbers that would hide the end of a transport, or claim one that was not reached. */
const ownerOf: ReadonlyMap<string, string> = new Map(Object.entries(certain).map(([status, code]) => [code, status]))

/** Checks that a document reports all events of the timeline, in order, once, and correctly. */
export function eventRules(reported: readonly Reported[], { timeline }: Judged): readonly string[] {
  const faults =
    reported.length === timeline.events.length
      ? []
      : [`${reported.length} events are reported of ${timeline.events.length} in force.`]
  const withdrawn = new Set(timeline.withdrawn_events?.map(({ event_id }) => event_id))
  return [
    ...faults,
    ...reported.flatMap((one, at) => {
      const event = timeline.events[at]
      if (typeof one.id === 'string' && withdrawn.has(one.id)) return [`${one.path} was withdrawn.`]
      if (event === undefined) return [`${one.path} is no event of the timeline.`]
      return [
        ...differing(one.path, 'identifier', one.id, event.event_id),
        ...differing(one.path, 'time of occurrence', one.occurred, event.occurred_at),
        ...differing(one.path, 'time of recording', one.recorded, event.recorded_at),
        ...differing(one.path, 'status', one.status, `otep:${timeline.profile}:${event.status_code}`),
        ...numberRules(one, timeline.profile === 'parcel' ? event.status_code : undefined),
      ]
    }),
  ]
}

function differing(path: string, what: string, found: Json | undefined, expected: string): readonly string[] {
  return found === expected ? [] : [`${path} has another ${what} than the event: ${found}.`]
}

function numberRules({ path, code, reason }: Reported, status: string | undefined): readonly string[] {
  const faults = [code, reason]
    .filter((number) => number !== undefined && !/^([1-9]|[1-9]\d|[12]\d\d|3[0-6]\d|370)$/.test(number))
    .map((number) => `${path} has a number that no published list has: ${number}.`)
  if (status === undefined) return faults
  const expected = Object.hasOwn(certain, status) ? certain[status] : undefined
  if (expected !== undefined && code !== expected) faults.push(`${path}: ${status} is ${expected}, not ${code}.`)
  const owner = code === undefined ? undefined : ownerOf.get(code)
  if (owner !== undefined && owner !== status) faults.push(`${path}: ${code} says ${owner}, not ${status}.`)
  return faults
}
