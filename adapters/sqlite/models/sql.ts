import type { Cell, ReadModel } from '../../../engine/index.ts'

/** The table of a generation. */
export function tableOf({ name, version }: Pick<ReadModel, 'name' | 'version'>, generation: number): string {
  return quoted(`${name}_v${version}_g${generation}`)
}

/** Makes the table of a generation, with its indexes. */
export function definitionOf(model: ReadModel, generation: number): string {
  const table = tableOf(model, generation)
  const columns = Object.entries(model.columns).map(([name, type]) => `${quoted(name)} ${type.toUpperCase()}`)
  const indexes = model.indexes.map(
    (index, place) =>
      `CREATE INDEX ${quoted(`${model.name}_g${generation}_i${place}`)} ON ${table} (${listOf(index)});`,
  )
  return `CREATE TABLE ${table} (${columns.join(', ')}, PRIMARY KEY (${listOf(model.key)})) STRICT, WITHOUT ROWID;
    ${indexes.join(' ')}`
}

/** Puts a row in the place of the one of the same key; the cells in the order of the model's columns. */
export function insertionOf(model: ReadModel, generation: number): string {
  const columns = Object.keys(model.columns)
  return `INSERT OR REPLACE INTO ${tableOf(model, generation)} (${listOf(columns)})
    VALUES (${columns.map(() => '?').join(', ')})`
}

/**
 * Rows by these columns, in order of the key; the last parameter is their greatest number, -1 for all. Were it the whole
 * LIMIT, SQLite would prepare the statement anew for each value.
 */
export function selectionOf(model: ReadModel, generation: number, where: readonly string[]): string {
  const terms = where.map((column) => `${quoted(column)} IS ?`).join(' AND ')
  return `SELECT ${listOf(Object.keys(model.columns))} FROM ${tableOf(model, generation)}
    ${terms === '' ? '' : `WHERE ${terms}`} ORDER BY ${listOf(model.key)} LIMIT ? + 0`
}

/** SQLite cuts a text at a NUL and does not keep half of a surrogate pair; the rows of an event must not stop a model. */
export function keptCell(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.toWellFormed().replaceAll('\0', '\ufffd') : cell
}

function listOf(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
