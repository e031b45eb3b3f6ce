import { compared, isEqual } from './compare.ts'
import { distanceOf, lengthOf, predicates, relates } from './geometry.ts'
import type { Shape } from './shapes.ts'
import { type Duration, isDuration, minute, type Time, type Value, type ValueType } from './values.ts'

/** A function or operator: the types that it takes, what it gives, and its value. */
interface Definition {
  readonly takes: readonly (readonly ValueType[])[]
  readonly gives: ValueType | ((types: readonly ValueType[]) => ValueType)
  /** Is not called with null, unless it says so, because the value is then null. */
  readonly of: (values: readonly never[], now: number) => Value
  readonly takesNull?: true
}

const comparable = ['any', 'number', 'text', 'boolean', 'instant', 'day', 'clock', 'duration'] as const
const pairs = comparable.map((type) => [type, type] as const).slice(1)

const equality = (isWanted: boolean): Definition => ({
  takes: [...pairs, ['shape', 'shape']],
  gives: 'boolean',
  takesNull: true,
  of: ([one, other]) => isEqual(one as unknown as Value, other as unknown as Value) === isWanted,
})

const comparison = (test: (order: number) => boolean): Definition => ({
  takes: pairs,
  gives: 'boolean',
  of: ([one, other]) => {
    const order = compared(one as unknown as Value, other as unknown as Value)
    return order !== undefined && test(order)
  },
})

const logical = (end: boolean): Definition => ({
  takes: [['boolean', 'boolean']],
  gives: 'boolean',
  takesNull: true,
  of: ([one, other]: readonly Value[]) =>
    one === end || other === end ? end : one === null || other === null ? null : !end,
})

const arithmetic = (of: (one: number, other: number) => number): Definition => ({
  takes: [['number', 'number']],
  gives: 'number',
  of: ([one, other]: readonly unknown[]) =>
    typeof one === 'number' && typeof other === 'number' ? finite(of(one, other)) : null,
})

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null
}

const onTexts = (count: number, gives: ValueType, of: (...texts: readonly string[]) => Value): Definition => ({
  takes: [Array.from({ length: count }, () => 'text' as const)],
  gives,
  of: (values: readonly unknown[]) =>
    values.every((value) => typeof value === 'string') ? of(...(values as readonly string[])) : null,
})

const onNumber = (of: (number: number) => number): Definition => ({
  takes: [['number']],
  gives: 'number',
  of: ([value]: readonly unknown[]) => (typeof value === 'number' ? of(value) : null),
})

/** A part of a time in its own offset. */
const ofTime = (types: readonly ValueType[], of: (date: Date) => number): Definition => ({
  takes: types.map((type) => [type]),
  gives: 'number',
  of: ([time]: readonly unknown[]) => (isOfKind(time, types) ? of(localOf(time)) : null),
})

function isOfKind(value: unknown, types: readonly ValueType[]): value is Time {
  return typeof value === 'object' && value !== null && types.includes((value as Time).kind)
}

function localOf({ from, offset }: Time): Date {
  return new Date(from + offset * minute)
}

const onShapes = (of: (one: Shape, other: Shape) => Value, gives: ValueType = 'boolean'): Definition => ({
  takes: [['shape', 'shape']],
  gives,
  of: ([one, other]: readonly unknown[]) => (areShapes(one, other) ? of(one as Shape, other as Shape) : null),
})

function areShapes(...values: readonly unknown[]): boolean {
  return values.every((value) => (value as Shape).kind === 'shape')
}

const calendar = ['instant', 'day'] as const
const clockwise = ['instant', 'clock'] as const
const day = 86_400_000
const instantAt = (at: number): Time => ({ kind: 'instant', from: at, to: at, offset: 0 })

/** A sum or difference of times and durations, or of numbers. */
const sum = (sign: 1 | -1): Definition => ({
  takes: [
    ['number', 'number'],
    ['instant', 'duration'],
    ['day', 'duration'],
    ['duration', 'duration'],
    ...(sign === 1
      ? []
      : ([
          ['instant', 'instant'],
          ['day', 'day'],
        ] as const)),
  ],
  gives: ([one = 'any', other = 'any']) =>
    one !== 'any' && one === other && one !== 'number'
      ? 'duration'
      : other === 'duration'
        ? one
        : one === 'any'
          ? other
          : one,
  of: ([one, other]: readonly Value[]) => {
    if (typeof one === 'number' && typeof other === 'number') return finite(one + sign * other)
    if (isDuration(one)) return isDuration(other) ? { ...one, length: one.length + sign * other.length } : null
    if (!isOfKind(one, calendar)) return null
    if (isDuration(other)) return moved(one, sign * other.length)
    return sign === -1 && isOfKind(other, [one.kind]) ? { kind: 'duration', length: one.from - other.from } : null
  },
})

function moved(time: Time, length: Duration['length']): Time {
  return { ...time, from: time.from + length, to: time.to + length }
}

function half(number: number): number {
  // Halves are rounded away from zero (OData 4.0, part 2, 5.1.1.8.1).
  return Math.sign(number) * Math.round(Math.abs(number))
}

const spatial = Object.fromEntries(Object.entries(predicates).map(([name, of]) => [`st_${name}`, onShapes(of)])) as {
  readonly [Name in `st_${'equals' | 'disjoint' | 'intersects' | 'touches' | 'within' | 'contains' | 'overlaps' | 'crosses'}`]: Definition
}

const definitions = {
  or: logical(true),
  and: logical(false),
  not: {
    takes: [['boolean']],
    gives: 'boolean',
    of: ([value]: readonly Value[]) => (typeof value === 'boolean' ? !value : null),
  },
  eq: equality(true),
  ne: equality(false),
  gt: comparison((order) => order > 0),
  ge: comparison((order) => order >= 0),
  lt: comparison((order) => order < 0),
  le: comparison((order) => order <= 0),
  add: sum(1),
  sub: sum(-1),
  mul: arithmetic((one, other) => one * other),
  div: arithmetic((one, other) => one / other),
  mod: arithmetic((one, other) => one % other),
  neg: {
    takes: [['number'], ['duration']],
    gives: ([type = 'any']) => type,
    of: ([value]: readonly Value[]) =>
      typeof value === 'number' ? -value : isDuration(value) ? { ...value, length: -value.length } : null,
  },
  substringof: onTexts(2, 'boolean', (part = '', text = '') => text.includes(part)),
  contains: onTexts(2, 'boolean', (text = '', part = '') => text.includes(part)),
  endswith: onTexts(2, 'boolean', (text = '', end = '') => text.endsWith(end)),
  startswith: onTexts(2, 'boolean', (text = '', start = '') => text.startsWith(start)),
  length: onTexts(1, 'number', (text = '') => [...text].length),
  indexof: onTexts(2, 'number', (text = '', part = '') => {
    const place = text.indexOf(part)
    return place < 0 ? -1 : [...text.slice(0, place)].length
  }),
  substring: {
    takes: [
      ['text', 'number'],
      ['text', 'number', 'number'],
    ],
    gives: 'text',
    of: ([text, from, count]: readonly unknown[]) =>
      typeof text === 'string' && isCount(from) && (count === undefined || isCount(count))
        ? [...text].slice(from, count === undefined ? undefined : from + count).join('')
        : null,
  },
  tolower: onTexts(1, 'text', (text = '') => text.toLowerCase()),
  toupper: onTexts(1, 'text', (text = '') => text.toUpperCase()),
  trim: onTexts(1, 'text', (text = '') => text.trim()),
  concat: onTexts(2, 'text', (one = '', other = '') => one + other),
  year: ofTime(calendar, (date) => date.getUTCFullYear()),
  month: ofTime(calendar, (date) => date.getUTCMonth() + 1),
  day: ofTime(calendar, (date) => date.getUTCDate()),
  hour: ofTime(clockwise, (date) => date.getUTCHours()),
  minute: ofTime(clockwise, (date) => date.getUTCMinutes()),
  second: ofTime(clockwise, (date) => date.getUTCSeconds()),
  fractionalseconds: ofTime(clockwise, (date) => date.getUTCMilliseconds() / 1_000),
  date: {
    takes: [['instant']],
    gives: 'day',
    of: ([time]: readonly unknown[]) => (isOfKind(time, ['instant']) ? { ...atZero(time), kind: 'day' } : null),
  },
  time: {
    takes: [['instant']],
    gives: 'clock',
    of: ([time]: readonly unknown[]) => {
      if (!isOfKind(time, ['instant'])) return null
      const at = localOf(time).getTime() - atZero(time).from
      return { kind: 'clock', from: at, to: at, offset: 0 }
    },
  },
  totaloffsetminutes: {
    takes: [['instant']],
    gives: 'number',
    of: ([time]: readonly unknown[]) => (isOfKind(time, ['instant']) ? time.offset : null),
  },
  now: { takes: [[]], gives: 'instant', of: (_, now) => instantAt(now) },
  mindatetime: { takes: [[]], gives: 'instant', of: () => instantAt(Date.parse('0001-01-01T00:00:00Z')) },
  maxdatetime: { takes: [[]], gives: 'instant', of: () => instantAt(Date.parse('9999-12-31T23:59:59.999Z')) },
  round: onNumber(half),
  floor: onNumber(Math.floor),
  ceiling: onNumber(Math.ceil),
  'geo.distance': onShapes(distanceOf, 'number'),
  'geo.intersects': onShapes((one, other) => predicates.intersects?.(one, other) ?? null),
  'geo.length': {
    takes: [['shape']],
    gives: 'number',
    of: ([shape]: readonly unknown[]) => (areShapes(shape) ? lengthOf(shape as Shape) : null),
  },
  ...spatial,
  st_relate: {
    takes: [['shape', 'shape', 'text']],
    gives: 'boolean',
    of: ([one, other, pattern]: readonly unknown[]) =>
      areShapes(one, other) && typeof pattern === 'string' ? relates(one as Shape, other as Shape, pattern) : null,
  },
} as const satisfies Readonly<Record<string, Definition>>

function atZero(time: Time): Time {
  const at = Math.floor(localOf(time).getTime() / day) * day
  return { kind: 'day', from: at, to: at, offset: 0 }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

/** The name of a function or operator. */
export type FunctionName = keyof typeof definitions

/** The functions and operators of `$filter` (18-088, tables 22 to 25). */
export const functions: Readonly<Record<FunctionName, Definition>> = definitions
