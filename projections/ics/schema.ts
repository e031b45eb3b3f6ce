import * as v from 'valibot'

const property = <Name extends string, Type extends string>(name: Name, type: Type) =>
  v.strictTuple([v.literal(name), v.strictObject({}), v.literal(type), v.string()])

const second = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

const when = <Name extends string>(name: Name) =>
  v.union([
    v.strictTuple([v.literal(name), v.strictObject({}), v.literal('date-time'), second]),
    v.strictTuple([v.literal(name), v.strictObject({}), v.literal('date'), day]),
  ])

const entryProperty = v.union([
  property('uid', 'text'),
  when('dtstamp'),
  when('dtstart'),
  when('dtend'),
  property('summary', 'text'),
  property('status', 'text'),
  property('transp', 'text'),
  property('url', 'uri'),
])

const calendarProperty = v.union([
  property('version', 'text'),
  property('prodid', 'text'),
  property('name', 'text'),
  property('refresh-interval', 'duration'),
])

// The types are written out, because deeper declarations overwhelm the compiler of an importer.

/** A property: its name, its parameters, the type of its value, and the value (RFC 7265). */
export type Property = [name: string, parameters: Record<string, never>, type: string, value: string]

/** An entry. */
export type Entry = ['vevent', Property[], never[]]

/** A calendar in JSON (jCal, RFC 7265). */
export type Calendar = ['vcalendar', Property[], Entry[]]

/** The schema of a calendar with at most one entry. */
export const calendarSchema: v.GenericSchema<Calendar> = v.strictTuple([
  v.literal('vcalendar'),
  v.array(calendarProperty),
  v.pipe(v.array(v.strictTuple([v.literal('vevent'), v.array(entryProperty), v.strictTuple([])])), v.maxLength(1)),
]) as unknown as v.GenericSchema<Calendar>
