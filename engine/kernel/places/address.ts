import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { normalising, type Problem } from '../normalising.ts'
import { maxCharacters, placeEntries, refusing, text } from '../schemas.ts'
import { spreadsheetProblem } from '../spreadsheet.ts'
import { country } from './countries.ts'
import { type Place, placed } from './place.ts'

/** The most characters of a line of a street. */
const longest = 200

/** What ends a line, in texts of any system. */
const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]+/
const otherControl = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** A text that may have several lines, and is not blank. */
const lines = v.pipe(
  v.string(),
  v.minLength(1),
  maxCharacters(longest),
  refusing((value) => {
    if (!value.isWellFormed()) return 'not_well_formed'
    if (otherControl.test(value)) return 'control_character'
    return value !== '' && value.replace(lineEnd, ' ').trim() === '' ? 'blank' : undefined
  }),
)

const street = v.pipe(
  lines,
  v.description('Street with number. Of a text with several lines, the first stays, and the others become street2.'),
)
const street2 = v.exactOptional(
  v.pipe(lines, v.description('Second line: a flat, a floor, a building. Its own lines are joined with commas.')),
)

/** The members of an address by road. */
export const addressEntries = {
  ...{ street, street2 },
  locality: v.exactOptional(text(100)),
  region: v.exactOptional(text(100)),
  postal_code: v.exactOptional(v.pipe(text(20), refusing(spreadsheetProblem))),
  country: v.exactOptional(v.pipe(country, v.description('ISO 3166-1 alpha-2.'))),
  ...placeEntries,
}

/** An address as it is written on an envelope. */
interface Lines {
  readonly street?: string
  readonly street2?: string
  readonly locality?: string
}

/** An address whose street has two lines at most, and whose place has its one form in its country, or is refused at its members. */
export function addressed<Schema extends GenericSchema<Place, Place>>(schema: Schema): Schema {
  return v.pipe(placed(schema), normalising<Lines>(inLines) as never) as unknown as Schema
}

/** An address with each line in its member. The second line follows the first, so that the same address is the same text. */
function inLines(given: Lines, refuse: (received: string, problem: Problem) => void): Lines {
  const [street, ...others] = linesIn(given.street)
  const street2 = [...others, ...linesIn(given.street2)].join(', ')
  if ([...street2].length > longest)
    refuse(street2, { member: 'street2', code: 'street2_too_long', expected: String(longest) })
  const members = Object.entries(given).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (name === 'street2') return []
    if (name === 'street') return [[name, street], ...second(street2)]
    return [[name, name === 'locality' ? linesIn(String(value)).join(' ') : value]]
  })
  const isAlone = given.street === undefined
  return Object.fromEntries(isAlone ? [...second(street2), ...members] : members)
}

function second(street2: string): readonly (readonly [string, string])[] {
  return street2 === '' ? [] : [['street2', street2]]
}

/** The lines of a text that are not empty, without the commas and spaces at their ends. A text of one line stays as it is. */
function linesIn(text = ''): readonly string[] {
  const plain = text.replace(/\t+/g, ' ')
  if (!lineEnd.test(plain)) return plain === '' ? [] : [plain]
  return plain
    .split(lineEnd)
    .map((line) => line.trim().replace(/[\s,;]+$/, ''))
    .filter((line) => line !== '')
}
