import * as v from 'valibot'
import type { Code } from './messages/index.ts'
import { isUnseen } from './number-key.ts'
import { spreadsheetProblem } from './spreadsheet.ts'
import { instantProblem } from './time.ts'

/** A check that reports a code of the catalogue; JSON Schema does not include it. */
export function refusing(problem: (text: string) => Code | undefined) {
  const check = v.rawCheck<string>(({ dataset, addIssue }) => {
    const code = dataset.typed ? problem(dataset.value) : undefined
    if (code !== undefined) addIssue({ message: code })
  })
  // What is not refused needs nothing of what valibot makes for a check.
  const run: (typeof check)['~run'] = (dataset, config) =>
    dataset.typed && problem(dataset.value) === undefined ? dataset : check['~run'](dataset, config)
  return { ...check, '~run': run }
}

/** A check of a whole object whose members are right: returns the wrong member and the code of the problem. */
export function refusingMember<Members extends object>(
  problem: (value: Members) => readonly [member: string, code: Code] | undefined,
) {
  return v.rawCheck<Members>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues !== undefined) return
    const found = problem(dataset.value)
    if (found === undefined) return
    const [key, message] = found
    const input = dataset.value as Record<string, unknown>
    addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
  })
}

/**
 * At most this many characters (code points, as in JSON Schema; a lone surrogate counts as one). Texts are only
 * counted if their length in code units does not decide.
 */
export function maxCharacters(limit: number) {
  const inUnits = v.maxLength<string, number>(limit)
  const isShort = (text: string) => text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit)
  const run: (typeof inUnits)['~run'] = (dataset, config) =>
    dataset.typed && isShort(dataset.value) ? dataset : inUnits['~run'](dataset, config)
  return { ...inUnits, '~run': run }
}

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
const anyControl = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Text for people, with at most `limit` characters. Line breaks and tabs are allowed; other control characters and
 * lone surrogates are not.
 */
export function text(limit: number) {
  return v.pipe(
    v.string(),
    maxCharacters(limit),
    refusing((value) =>
      value.isWellFormed() ? (control.test(value) ? 'control_character' : undefined) : 'not_well_formed',
    ),
  )
}

/** Text for systems, with at most `limit` characters: no control characters, and not blank. */
export function word(limit: number) {
  return v.pipe(
    v.string(),
    v.minLength(1),
    maxCharacters(limit),
    refusing((value) => {
      if (!value.isWellFormed()) return 'not_well_formed'
      if (anyControl.test(value)) return 'control_character'
      return value !== '' && isUnseen(value) ? 'blank' : undefined
    }),
  )
}

/** A number or a name that others know something by. What a spreadsheet has made of a long number is refused. */
export function identifier(limit: number) {
  return v.pipe(word(limit), refusing(spreadsheetProblem))
}

/** A list of texts or numbers without duplicates. */
export function distinct<Item extends string | number>() {
  return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const seen = new Set<Item>()
    for (const [key, value] of input.entries()) {
      if (seen.has(value))
        addIssue({
          message: 'not_unique' satisfies Code,
          path: [{ type: 'array', origin: 'value', input, key, value }],
        })
      seen.add(value)
    }
  })
}

/** A word of a business by which it sorts its orders: small letters, digits, and - or _ between them. */
export const tag = v.pipe(v.string(), v.maxLength(30), v.regex(/^[a-z0-9][a-z0-9_-]*$/, 'not_a_tag' satisfies Code))

/** An email address; ASCII letters are case-insensitive. */
export const email = v.pipe(v.string(), v.maxLength(254), v.email('not_an_email'))

/** The id of something of the engine: a positive integer. */
export const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** A number that another system gave to a machine or a place, or that counts something: it names nothing of the engine. */
export const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** An instant: RFC 3339 with an offset. */
export const instant = v.pipe(
  v.string(),
  v.maxLength(40),
  refusing(instantProblem),
  v.metadata({ format: 'date-time' }),
)

/** An instant as events record it: ISO 8601 in UTC. */
export const recordedInstant = v.pipe(v.string(), v.maxLength(30))

/** An absolute http or https URL. */
export const url = v.pipe(
  v.string(),
  v.maxLength(2000),
  refusing((value) => (/^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value) ? undefined : 'not_a_url')),
  v.metadata({ format: 'uri' }),
)

const degrees = (limit: number) => v.pipe(v.number(), v.minValue(-limit), v.maxValue(limit))

/** A place on earth, in degrees (WGS 84). */
export const placeEntries = {
  latitude: v.exactOptional(degrees(90)),
  longitude: v.exactOptional(degrees(180)),
}

/** The beginning of postal codes, in capitals and without spaces. */
export const postalPrefix = v.pipe(word(20), v.regex(/^[A-Z0-9]+$/, 'not_a_postal_prefix' satisfies Code))

/** A country as events have it: two capital letters, whether ISO 3166-1 has given them out or not. */
export const countryOfEvent = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'not_country' satisfies Code))

/** A day of the calendar, `YYYY-MM-DD`. */
export const day = v.pipe(
  v.string(),
  v.maxLength(10),
  refusing((value) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'not_a_day'
    return instantProblem(`${value}T12:00:00Z`) === undefined ? undefined : 'no_such_day'
  }),
  v.metadata({ format: 'date' }),
)

/** The name of a provider account. */
export const providerName = v.pipe(
  v.string(),
  v.maxLength(60),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'not_provider_name' satisfies Code),
)
