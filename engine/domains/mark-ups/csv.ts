import * as v from 'valibot'
import { csvTableIn } from '../../kernel/csv.ts'
import { withDecimalPoint } from '../../kernel/spreadsheet.ts'
import { type MarkUp, markUp, maxRules } from './mark-up.ts'

type Column = keyof MarkUp

/** The columns of a table of mark-ups: the members of a rule. */
export const markUpColumns = Object.keys(markUp.entries) as readonly Column[]

/** The columns whose cells are lists, with spaces between the values. */
const listed: readonly Column[] = ['services', 'customers', 'countries', 'postal_codes']

const numeric: readonly Column[] = ['carrier_account_id', 'customers', 'up_to_grams']

/** A row of a table of mark-ups: the cells that are there. */
export const markUpRow = v.strictObject(
  Object.fromEntries(markUpColumns.map((column) => [column, v.exactOptional(v.string())])),
)

/** A rule as a row. */
export function rowOf(rule: MarkUp): Readonly<Record<string, string>> {
  const { is_sold = true, ...members } = rule
  const cells = Object.entries(members).map(([column, value]) => [
    column,
    Array.isArray(value) ? value.join(' ') : String(value),
  ])
  // A line without anything would be no rule.
  return { ...Object.fromEntries(cells), is_sold: is_sold ? 'yes' : 'no' }
}

/** The rule of a row, unchecked; empty cells are conditions that it does not have. */
export function ruleOf(row: Readonly<Record<string, string | undefined>>): Readonly<Record<string, unknown>> {
  const members = markUpColumns.flatMap((column) => {
    const value = valueIn(column, row[column]?.trim() ?? '')
    return value === undefined ? [] : [[column, value] as const]
  })
  return Object.fromEntries(members)
}

function valueIn(column: Column, text: string): unknown {
  if (text === '' || (column === 'is_sold' && /^(yes|true)$/i.test(text))) return undefined
  if (column === 'is_sold') return /^(no|false)$/i.test(text) ? false : text
  const cell = (one: string) => (numeric.includes(column) && /^\d{1,15}$/.test(one) ? Number(one) : one)
  return listed.includes(column) ? text.split(/\s+/).map(cell) : cell(text)
}

/** The columns whose numbers may have decimals. */
const decimal: readonly string[] = ['percent', 'amount', 'minimum', 'round_to', 'ending'] satisfies readonly Column[]

function withPoints(cells: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pointed = Object.entries(cells).map(([column, cell]) => {
    return [column, decimal.includes(column) ? withDecimalPoint(cell.trim()) : cell] as const
  })
  return Object.fromEntries(pointed)
}

/** A rule of an import, unchecked, and the line that it begins in. */
interface ImportedRule {
  readonly line: number
  readonly rule: Readonly<Record<string, unknown>>
}

/** The rules in a text in CSV, which names only columns of the table. Refuses as `csvTableIn` does. */
export function importedRules(text: string): readonly ImportedRule[] {
  const rows = csvTableIn('csv', text, { columns: markUpColumns, least: 0, most: maxRules })
  return rows.map(({ line, cells, hasFreeCommas }) => {
    const given = hasFreeCommas ? withPoints(cells) : cells
    return { line, rule: ruleOf(given) }
  })
}
