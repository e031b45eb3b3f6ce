import { EngineError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/members.ts'

/** When results are reported (EPCIS 2.0, QuerySchedule), as it was given. */
export type Schedule = Readonly<Partial<Record<Field, string>>>

/** The times that a schedule matches, in UTC: for each field its values in order. */
export type Ticks = Readonly<Record<Field, readonly number[]>>

const fields = ['month', 'dayOfMonth', 'dayOfWeek', 'hour', 'minute', 'second'] as const

type Field = (typeof fields)[number]

const ranges: Readonly<Record<Field, readonly [first: number, last: number]>> = {
  month: [1, 12],
  dayOfMonth: [1, 31],
  dayOfWeek: [1, 7],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
}

/** Fields of the time of day: one that is left out is 0 if it is finer than all that are given, and otherwise any. */
const timeOfDay: readonly Field[] = ['hour', 'minute', 'second']

/** Seconds between two reports of a subscription, at least. */
const shortestPause = 10

/** Days in which a schedule must come about; within eight years there is a 29 February. */
const horizon = 8 * 366

const day = 86_400_000

/** Reads a schedule; refuses one that is wrong, comes too often or never with `epcis_subscription_refused`. */
export function scheduleIn(given: unknown): { readonly schedule: Schedule; readonly ticks: Ticks } {
  const members = isObject(given) ? Object.entries(given) : []
  if (members.length === 0) throw refused('schedule', fields.join(', '))
  const schedule: Partial<Record<Field, string>> = {}
  for (const [name, value] of members) {
    const field = fields.find((one) => one === name)
    if (field === undefined) throw refused(`schedule.${name.slice(0, 40)}`, fields.join(', '))
    if (typeof value !== 'string' && typeof value !== 'number') throw refused(`schedule.${field}`, 'a text')
    schedule[field] = String(value)
  }
  const ticks = ticksOf(schedule)
  const { second } = ticks
  const pauses = second.map((one, index) => (second[index + 1] ?? 60 + (second[0] ?? 0)) - one)
  if (pauses.some((pause) => pause < shortestPause))
    throw refused('schedule.second', `at least ${shortestPause} seconds apart`)
  if (nextTick(ticks, Date.UTC(2024, 0, 1)) === undefined) throw refused('schedule', 'a day that there is')
  return { schedule, ticks }
}

/** The times of a schedule that was read before. */
export function ticksOf(schedule: Schedule): Ticks {
  const finest = timeOfDay.findLastIndex((field) => schedule[field] !== undefined)
  const valuesFor = (field: Field) => {
    const pattern = schedule[field]
    if (pattern !== undefined) return valuesIn(field, pattern)
    return timeOfDay.indexOf(field) > finest ? [0] : allOf(ranges[field])
  }
  return Object.fromEntries(fields.map((field) => [field, valuesFor(field)])) as unknown as Ticks
}

function allOf([first, last]: readonly [number, number], step = 1): readonly number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

/** The values of a pattern: numbers and ranges (`[1-5]`), separated by commas; as in cron also `*`, `1-5` and `0/30`. */
function valuesIn(field: Field, pattern: string): readonly number[] {
  const [least, most] = ranges[field]
  const found = new Set<number>()
  for (const element of pattern.slice(0, 400).split(',')) {
    const [, any, from, to, step] =
      element.trim().match(/^\[?(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)\]?(?:\/(\d{1,2}))?$/) ?? []
    const first = any === undefined ? Number(from) : least
    const last = to !== undefined ? Number(to) : any === undefined && step === undefined ? first : most
    const isWithin = first >= least && first <= last && last <= most
    if (!isWithin || step === '0' || step === '00') throw refused(`schedule.${field}`, `from ${least} to ${most}`)
    for (const value of allOf([first, last], Number(step ?? 1))) found.add(value)
  }
  return [...found].sort((one, other) => one - other)
}

function refused(parameter: string, reason: string): EngineError {
  return new EngineError('epcis_subscription_refused', { parameter, reason })
}

/** The first time after an instant (epoch milliseconds), if there is one in eight years. */
export function nextTick(ticks: Ticks, after: number): number | undefined {
  const start = Math.floor(after / day)
  for (let date = start; date <= start + horizon; date++) {
    const found = timesOn(ticks, date).find((time) => time > after)
    if (found !== undefined) return found
  }
  return undefined
}

/** The last time until an instant, inclusive. */
export function lastTick(ticks: Ticks, until: number): number | undefined {
  const start = Math.floor(until / day)
  for (let date = start; date >= start - horizon; date--) {
    const found = timesOn(ticks, date).findLast((time) => time <= until)
    if (found !== undefined) return found
  }
  return undefined
}

/** The times on a day, which is counted from 1970. */
function timesOn({ month, dayOfMonth, dayOfWeek, hour, minute, second }: Ticks, date: number): readonly number[] {
  const start = new Date(date * day)
  const isOn =
    month.includes(start.getUTCMonth() + 1) &&
    dayOfMonth.includes(start.getUTCDate()) &&
    dayOfWeek.includes(start.getUTCDay() || 7)
  if (!isOn) return []
  return hour.flatMap((h) => minute.flatMap((m) => second.map((s) => date * day + ((h * 60 + m) * 60 + s) * 1_000)))
}
