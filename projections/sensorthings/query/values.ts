import { isObject } from '../../../engine/index.ts'
import { type Shape, shapeOfGeoJson } from './shapes.ts'

/** A time: an instant, an interval, a day or a time of day, from its first to its last millisecond. */
export interface Time {
  readonly kind: 'instant' | 'day' | 'clock'
  readonly from: number
  readonly to: number
  /** Minutes east of UTC. */
  readonly offset: number
}

/** A length of time in milliseconds. */
export interface Duration {
  readonly kind: 'duration'
  readonly length: number
}

/** A value of an expression; an object or a list of JSON has no operators. */
export type Value = null | boolean | number | string | Time | Duration | Shape | object

/** The type of a value, as far as it is known before the evaluation. */
export type ValueType = 'any' | 'boolean' | 'number' | 'text' | 'instant' | 'day' | 'clock' | 'duration' | 'shape'

const instantPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+\- ]\d\d:\d\d)$/

/** An instant of ISO 8601 with its offset, or two of them with a slash; undefined for other texts. */
export function timeIn(text: string): Time | undefined {
  const slash = text.indexOf('/')
  if (slash < 0) return instantIn(text)
  const [from, to] = [instantIn(text.slice(0, slash)), instantIn(text.slice(slash + 1))]
  if (from === undefined || to === undefined || to.to < from.from) return undefined
  return { ...from, to: to.to }
}

function instantIn(text: string): Time | undefined {
  const [, minutes, seconds = ':00', zone = 'Z'] = instantPattern.exec(text) ?? []
  if (minutes === undefined) return undefined
  // A plus sign that was not encoded arrives as a space.
  const at = Date.parse(`${minutes}${seconds}${zone.replace(' ', '+')}`)
  return Number.isNaN(at) ? undefined : { kind: 'instant', from: at, to: at, offset: offsetOf(zone) }
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return zone.startsWith('-') ? -minutes : minutes
}

/** A day such as `2026-06-10`; undefined for other texts. */
export function dayIn(text: string): Time | undefined {
  const at = Date.parse(`${text}T00:00:00Z`)
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  return isDay ? { kind: 'day', from: at, to: at, offset: 0 } : undefined
}

/** A time of day such as `08:30:00`; undefined for other texts. */
export function clockIn(text: string): Time | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(text) ?? []
  const at = (Number(hours) * 60 + Number(minutes)) * minute + Math.floor(Number(seconds) * 1_000)
  const isClock = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
  return isClock ? { kind: 'clock', from: at, to: at, offset: 0 } : undefined
}

/** Milliseconds of a minute. */
export const minute = 60_000

/** A duration of ISO 8601 in days, hours, minutes and seconds; undefined for other texts. */
export function durationIn(text: string): Duration | undefined {
  const pattern = /^(-?)P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0))
  const length = ((days * 24 + hours) * 60 + minutes) * minute + seconds * 1_000
  return { kind: 'duration', length: match[1] === '-' ? -length : length }
}

/** Whether a value is a time. */
export function isTime(value: Value | undefined): value is Time {
  return isObject(value) && (value.kind === 'instant' || value.kind === 'day' || value.kind === 'clock')
}

/** Whether a value is a duration. */
export function isDuration(value: Value | undefined): value is Duration {
  return isObject(value) && value.kind === 'duration'
}

/** Whether a value is a geometry. */
export function isShape(value: Value | undefined): value is Shape {
  return isObject(value) && value.kind === 'shape'
}

/** A member of an entity as a value of the type that the model gives it. */
export function memberValue(member: unknown, type: ValueType): Value {
  if (member === undefined || member === null) return null
  if (type === 'shape') return shapeOfGeoJson(member) ?? null
  if (type === 'instant') return typeof member === 'string' ? (timeIn(member) ?? null) : null
  return member as Value
}
