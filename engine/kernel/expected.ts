import type { Finding } from './finding.ts'
import { instantOf, instantProblem, localTime } from './time.ts'
import { instantIn, zonedIso } from './zone.ts'

/** When a delivery is expected: until when, and from when on where that is said. */
export interface Expected {
  readonly estimated_delivery_at: string
  readonly estimated_delivery_from?: string
}

/** The expected time that the latest of these events has: those that stand for no date, which earlier versions recorded, do not count. */
export function latestExpected(events: readonly Partial<Expected>[]): Expected | undefined {
  const told = events.findLast(({ estimated_delivery_at: at }) => at !== undefined && !isNoDate(at))
  const { estimated_delivery_at, estimated_delivery_from } = told ?? {}
  if (estimated_delivery_at === undefined) return undefined
  return { estimated_delivery_at, ...(estimated_delivery_from !== undefined && { estimated_delivery_from }) }
}

/** What was read of an expected time, and what is odd about it. */
export interface ReadExpected {
  readonly expected?: Expected
  readonly warnings: readonly Finding[]
}

/** A value of a document, and its path. */
interface Told {
  readonly path: string
  readonly value: unknown
}

/** Whether a time is one that systems write where they know none: it is before 2000 or after 2200. */
export function isNoDate(time: string): boolean {
  return time < '2000' || time >= '2201'
}

/**
 * The expected time of a document in another form. A day lasts until its end at the destination, as does midnight, which
 * means a day. Two times or days with `/` or ` - ` between them, or `from` and `until`, are a window. A value that says
 * nothing is no warning; anything else that cannot be read is one.
 */
export function readExpected(until: Told, country?: string, from?: Told): ReadExpected {
  const [start, end] = from === undefined ? halves(until) : [from, until]
  const [first, last] = [timeIn(start, 'start', country), timeIn(end, 'end', country)]
  const warnings = [...first.warnings, ...last.warnings]
  if (last.time === undefined) return { warnings }
  const at = { estimated_delivery_at: last.time }
  if (first.time === undefined) return { expected: at, warnings }
  if (instantOf(first.time) >= instantOf(last.time))
    return { expected: at, warnings: [...warnings, { path: end?.path ?? '', code: 'ends_before_start' }] }
  return { expected: { ...at, estimated_delivery_from: first.time }, warnings }
}

function halves({ path, value }: Told): readonly [Told | undefined, Told] {
  const parts = typeof value === 'string' ? value.split(/\/| - /) : []
  const [start, end, ...more] = parts
  if (start === undefined || end === undefined || more.length > 0 || !isDated(start))
    return [undefined, { path, value }]
  return [
    { path, value: start },
    { path, value: isDated(end) ? end : `${start.trim().slice(0, 10)}T${end.trim()}` },
  ]
}

/** Whether a text begins with a year, a month and a day. */
function isDated(text: string): boolean {
  return /^\s*\d{4}-\d{2}-\d{2}/.test(text)
}

interface ReadTime {
  readonly time?: string
  readonly warnings: readonly Finding[]
}

const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/

function timeIn(told: Told | undefined, edge: 'start' | 'end', country: string | undefined): ReadTime {
  const { path = '', value } = told ?? {}
  if (value === undefined || value === null || value === '') return { warnings: [] }
  const field = path.slice(path.lastIndexOf('.') + 1)
  const wrong = (code: Finding['code'], received = ''): ReadTime => ({
    warnings: [{ path, code, params: { field, received } }],
  })
  const [, day = '', minute, second = ':00', zone] = form.exec(typeof value === 'string' ? value.trim() : '') ?? []
  if (day === '') return wrong('not_a_date_time')
  const isDay = minute === undefined || (minute === '00:00' && Number(second.slice(1)) === 0)
  // Midnight in UTC names a day just as well, and says nothing of the zone.
  const given = isDay && zone === 'Z' ? undefined : zone?.replace(/^(...)(\d\d)$/, '$1:$2')
  const local = `${day}T${isDay ? (edge === 'start' ? '00:00:00' : '23:59:59') : `${minute}${second}`}`
  const problem = instantProblem(`${local}${given ?? 'Z'}`)
  if (problem !== undefined) return wrong(problem)
  if (isNoDate(local)) return wrong('no_date', day)
  const offset = given ?? offsetIn(country, local)
  const time = `${local}${offset ?? '-00:00'}`
  return { time, warnings: isDay || offset !== undefined ? [] : [{ path, code: 'zone_assumed' }] }
}

/** The offset of a local time in a country, if it has the same one everywhere. */
function offsetIn(country: string | undefined, local: string): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  const offsets = new Set<string>()
  for (const zone of zonesOf(country)) {
    offsets.add(localTime(zonedIso(instantIn(local.slice(0, 19), zone), zone)).offset)
    if (offsets.size > 1) return undefined
  }
  return [...offsets][0]
}

/** The time zones of a country (CLDR): a method on later Nodes, and a member on earlier ones. */
function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): readonly string[] | undefined
    readonly timeZones?: readonly string[]
  }
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}
