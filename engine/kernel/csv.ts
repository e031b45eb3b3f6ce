import { EngineError } from './errors.ts'
import type { Code, Params } from './messages/index.ts'
import { isSpreadsheetError } from './spreadsheet.ts'

/** A cell; nothing is an empty one. */
export type CsvCell = string | number | boolean | null | undefined

/** What spreadsheets take for the beginning of a formula, also in full width, and what was made safe from that before. */
const formula = /^'*[=+\-@＝＋－＠\t\r]/

/** An amount below zero: a formula of nothing but a number, which spreadsheets are to add up. */
const belowZero = /^-\d+(\.\d+)?$/

/** Digits with an apostrophe before them, so that a spreadsheet leaves them alone; it is no part of them. */
const marked = /^'+\+?\d[\d\s().-]*$/

/** A formula of nothing but a text: another way to tell it so. */
const textFormula = /^="([^"]*)"$/

/**
 * A line of CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises,
 * unless it is a number; `csvRecordsIn` takes it away again.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

function written(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  const text = String(cell ?? '')
  const safe = (formula.test(text) && !belowZero.test(text)) || marked.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A record of CSV, and the line that it begins in, from 1. */
interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
  /** Where it ends, behind what the text begins with. */
  readonly end: number
}

/** The longest beginning of a text in which the line that names the columns is looked at. */
const maxHead = 16_384

/** A cell in quotation marks; one that is not closed ends with the text. */
const quotedCell = /"[^"]*(?:"|$)/g

/**
 * What separates cells at the beginning of a text, and where the first record begins: behind a byte order mark and `sep=;`. Names of
 * columns have commas ("Street, no."), but no tabs and hardly semicolons.
 */
function separatorOf(text: string): { readonly separator: string; readonly start: number } {
  const [whole = '', said] = /^\ufeff?(?:sep=([,;\t|])(?:\r\n|\n|\r))?/i.exec(text) ?? []
  const [first = ''] = text
    .slice(whole.length)
    .replace(quotedCell, '')
    .replace(/^[\r\n]+/, '')
    .split(/[\r\n]/, 1)
  const separator = said ?? ['\t', ';'].find((one) => first.includes(one)) ?? ','
  return { separator, start: whole.length }
}

/**
 * The records of a text in CSV, at most so many; lines without anything are passed over. Cells are separated by what a first line
 * `sep=;` says, or else by the first of tab, semicolon and comma that the line of the columns has outside quotation marks. Refuses
 * with `csv_malformed` at the member.
 */
export function csvRecordsIn(member: string, text: string, most: number): readonly CsvRecord[] {
  const { separator, start } = separatorOf(text.slice(0, maxHead))
  const body = text.slice(start)
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*)`, 'y')
  const end = /\r\n|\n|\r|$/y
  const records: CsvRecord[] = []
  let cells: string[] = []
  const firstLine = 1 + linesIn(text.slice(0, start))
  let [at, line, begun] = [0, firstLine, firstLine]
  while (at < body.length && records.length < most) {
    cell.lastIndex = at
    const [whole = '', quoted, plain = ''] = cell.exec(body) ?? []
    at += whole.length
    line += linesIn(quoted ?? '')
    cells.push(read(quoted?.replaceAll('""', '"') ?? plain))
    if (body[at] === separator) {
      at++
      // A separator at the end of the text has an empty cell behind it.
      if (at < body.length) continue
      cells.push('')
    }
    end.lastIndex = at
    const ended = end.exec(body)?.[0]
    if (ended === undefined) throw csvRefusal(member, 'csv_malformed', { line })
    if (cells.some((one) => one !== '')) records.push({ line: begun, cells, end: at })
    cells = []
    at += ended.length
    begun = ++line
  }
  return records
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}

/** A cell as it was before `csvLine` made it safe, or without the mark by which a spreadsheet takes it for a text. */
function read(text: string): string {
  if (text.startsWith("'") && (formula.test(text) || marked.test(text))) return text.slice(1)
  return textFormula.exec(text)?.[1] ?? text
}

/** A row of a table, by the names of its columns, and the line that it begins in. */
interface CsvRow {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  /** Whether commas may be those of decimal numbers: they separate no cells. */
  readonly hasFreeCommas: boolean
}

interface CsvTable {
  readonly columns: readonly string[]
  readonly least: number
  readonly most: number
}

/**
 * The rows of a table in CSV whose first record names its columns, some of these: case, spaces, order and columns without
 * anything do not matter. Refuses at the member with `csv_encoding`, `csv_malformed`, `csv_column` for a column that is unknown
 * or comes twice, `csv_rows` with too few or too many rows, `csv_cells`, `csv_unnamed` and `csv_error`.
 */
export function csvTableIn(member: string, text: string, { columns, least, most }: CsvTable): readonly CsvRow[] {
  refuseBroken(member, text)
  const [head, ...all] = csvRecordsIn(member, text, most + 2)
  const records = all.filter(({ cells }) => withoutEnd(cells).length > 0)
  const names = namesIn(member, withoutEnd(head?.cells ?? []), columns)
  const isNameless = names.length === 0 && (head !== undefined || least === 0)
  if (isNameless) throw csvRefusal(member, 'csv_column', { received: '' })
  if (records.length < least || records.length > most) throw csvRefusal(member, 'csv_rows', { limit: most })
  const hasFreeCommas = separatorOf(text.slice(0, maxHead)).separator !== ','
  return records.map(({ line, cells }) => {
    const received = cells.length < names.length ? cells.length : withoutEnd(cells).length
    const isFull = cells.length >= names.length && received <= names.length
    if (!isFull) throw csvRefusal(member, 'csv_cells', { line, received, expected: names.length })
    return { line, cells: cellsOf(member, line, names, cells), hasFreeCommas }
  })
}

/** The names in the first record of a text in CSV. */
export function csvNamesIn(member: string, text: string): readonly string[] {
  return withoutEnd(csvRecordsIn(member, text, 1)[0]?.cells ?? [])
}

/** A text in CSV with other names in its first record; all others stay in their lines. */
export function csvNamed(member: string, text: string, names: readonly string[]): string {
  const [head] = csvRecordsIn(member, text, 1)
  if (head === undefined) return text
  const { separator, start } = separatorOf(text.slice(0, maxHead))
  const end = start + head.end
  const cells = names.map((name) => (/[",;\t|\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
  return `${text.slice(0, start)}${'\n'.repeat(linesIn(text.slice(start, end)))}${cells.join(separator)}${text.slice(end)}`
}

/** A column of this name is passed over. */
export const passedOver = '-'

/** The names of the columns as the table has them; '' for a column without a name. */
function namesIn(member: string, given: readonly string[], columns: readonly string[]): readonly string[] {
  const known = new Map(columns.map((column) => [headKey(column), column]))
  const names = given.map((name) => (unnamed.includes(name.trim()) ? name.trim() : known.get(headKey(name))))
  const wrong = names.findIndex((name, place) => {
    return name === undefined || (!unnamed.includes(name) && names.indexOf(name) < place)
  })
  if (wrong >= 0) throw csvRefusal(member, 'csv_column', { received: given[wrong]?.trim().slice(0, 60) ?? '' })
  return names as readonly string[]
}

const unnamed: readonly string[] = ['', passedOver]

/** The name of a column as it is compared: letters and digits in any case. */
export function headKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

function cellsOf(member: string, line: number, names: readonly string[], cells: readonly string[]) {
  const found: [name: string, cell: string][] = []
  for (const [place, name] of names.entries()) {
    const cell = cells[place] ?? ''
    const column = place + 1
    if (name === passedOver) continue
    if (isSpreadsheetError(cell)) throw csvRefusal(member, 'csv_error', { line, column, received: cell.trim() })
    if (name !== '') found.push([name, cell])
    else if (cell.trim() !== '') throw csvRefusal(member, 'csv_unnamed', { line, column })
  }
  return Object.fromEntries(found)
}

/** The cells up to the last one that has something. */
function withoutEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
}

/** Text that was decoded wrongly has this in the place of what it could not be, and a table has it nowhere else. */
function refuseBroken(member: string, text: string): void {
  const at = text.indexOf('\ufffd')
  if (at >= 0) throw csvRefusal(member, 'csv_encoding', { line: linesIn(text.slice(0, at)) + 1 })
}

function csvRefusal(path: string, code: Code, params: Params): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path, code, params }])
}
