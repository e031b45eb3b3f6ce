import { type Finding, markUpColumns, ruleOfRow } from '../../../engine/index.ts'

/** A row of the table: its cells by their columns, and its place as it was written. */
export interface Row {
  readonly cells: Readonly<Record<string, string>>
  readonly order: string
}

/** The rows of the form, as they were sent. */
export function rowsIn(form: URLSearchParams): readonly Row[] {
  return form.getAll('order').map((order, at) => ({
    order,
    cells: Object.fromEntries(markUpColumns.map((column) => [column, form.getAll(column)[at]?.trim() ?? ''])),
  }))
}

/** The rows that have something, as they are ordered by their numbers. */
export function filledRows(rows: readonly Row[]): readonly Row[] {
  const filled = rows.filter(({ cells }) => Object.values(cells).some((text) => text !== ''))
  return filled
    .map((row, at) => ({ row, place: placeOf(row.order, at) }))
    .sort((one, other) => one.place - other.place)
    .map(({ row }, at) => ({ ...row, order: String(at + 1) }))
}

/** The number that a person wrote; what is none stays where it was. */
function placeOf(order: string, at: number): number {
  const place = Number(order.replace(',', '.'))
  return order.trim() === '' || Number.isNaN(place) ? at + 1 : place
}

/** The rules of rows, unchecked. */
export function rulesOf(rows: readonly Row[]): readonly object[] {
  return rows.map(({ cells }) => ruleOfRow(cells))
}

/** So many empty rows, which follow others. */
export function emptyRows(count: number, after: number): readonly Row[] {
  return Array.from({ length: count }, (_, at) => ({ cells: {}, order: String(after + at + 1) }))
}

/** The row and the column that a finding is about, as `rules[0].percent` says it; neither for others. */
export function cellOf({ path }: Pick<Finding, 'path'>): { readonly row?: number; readonly column?: string } {
  const [, row, column] = /^rules\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
  return row === undefined ? {} : { row: Number(row), ...(column !== undefined && { column }) }
}
