import { EngineError } from './errors.ts'
import type { Code, Params } from './messages/index.ts'

/** A cell; nothing is an empty one. */
export type CsvCell = string | number | boolean | null | undefined

/** What spreadsheets take for the beginning of a formula, also in full width, and what was made safe from that before. */
const formula = /^'*[=+\-@＝＋－＠\t\r]/

/** An amount below zero: a formula of nothing but a number, which spreadsheets are to add up. */
const belowZero = /^-\d+(\.\d+)?$/

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
  const safe = formula.test(text) && !belowZero.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A record of CSV, and the line that it begins in, from 1. */
interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * The records of a text in CSV, at most so many; lines without anything are passed over. Cells are separated by commas, or by
 * semicolons where the first line has some and no comma, as spreadsheets of many countries write them. Refuses with
 * `csv_malformed` at the member.
 */
export function csvRecordsIn(member: string, text: string, most: number): readonly CsvRecord[] {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const [first = ''] = body.split(/[\r\n]/, 1)
  const separator = first.includes(';') && !first.includes(',') ? ';' : ','
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*)`, 'y')
  const end = /\r\n|\n|\r|$/y
  const records: CsvRecord[] = []
  let cells: string[] = []
  let [at, line, begun] = [0, 1, 1]
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
    if (cells.some((one) => one !== '')) records.push({ line: begun, cells })
    cells = []
    at += ended.length
    begun = ++line
  }
  return records
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}

/** A cell as it was before `csvLine` made it safe. */
function read(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** A row of a table, by the names of its columns, and the line that it begins in. */
interface CsvRow {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}

/**
 * The rows of a table in CSV whose first record names its columns, some of these. Refuses at the member with `csv_malformed`,
 * `csv_column` for a column that is unknown or comes twice, `csv_rows` with too few or too many rows, and `csv_cells`.
 */
export function csvTableIn(
  member: string,
  text: string,
  { columns, least, most }: { readonly columns: readonly string[]; readonly least: number; readonly most: number },
): readonly CsvRow[] {
  const [head, ...records] = csvRecordsIn(member, text, most + 2)
  const names = head?.cells.map((cell) => cell.trim()) ?? []
  const wrong = names.find((name, place) => !columns.includes(name) || names.indexOf(name) < place)
  if (wrong !== undefined) throw csvRefusal(member, 'csv_column', { received: wrong.slice(0, 60) })
  if (records.length < least || records.length > most) throw csvRefusal(member, 'csv_rows', { limit: most })
  if (names.length === 0) throw csvRefusal(member, 'csv_column', { received: '' })
  return records.map(({ line, cells }) => {
    const params = { line, received: cells.length, expected: names.length }
    if (cells.length !== names.length) throw csvRefusal(member, 'csv_cells', params)
    return { line, cells: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])) }
  })
}

function csvRefusal(path: string, code: Code, params: Params): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path, code, params }])
}
