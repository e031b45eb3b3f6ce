import type { Cell, Condition, Query, ReadModel } from '../../../engine/index.ts'

/** The name of the table of a generation. */
export function tableOf({ name, version }: Pick<ReadModel, 'name' | 'version'>, generation: number): string {
  return quoted(`${name}_v${version}_g${generation}`)
}

/** Creates the table of a generation with its indexes. */
export function definitionOf(model: ReadModel, generation: number): string {
  return `${tableDefinitionOf(model, generation)} ${indexesOf(model, generation)}`
}

/** Creates the table alone. */
export function tableDefinitionOf(model: ReadModel, generation: number): string {
  const columns = Object.entries(model.columns).map(([name, type]) => `${quoted(name)} ${type.toUpperCase()}`)
  const table = tableOf(model, generation)
  return `CREATE TABLE ${table} (${columns.join(', ')}, PRIMARY KEY (${listOf(model.key)})) STRICT, WITHOUT ROWID;`
}

/** Creates the indexes of a table. */
export function indexesOf(model: ReadModel, generation: number): string {
  const table = tableOf(model, generation)
  const indexes = model.indexes.map(
    (index, place) =>
      `CREATE INDEX ${quoted(`${model.name}_g${generation}_i${place}`)} ON ${table} (${listOf(index)});`,
  )
  return indexes.join(' ')
}

/** The columns of a model, for a statement. */
export function columnListOf({ columns }: ReadModel): string {
  return listOf(Object.keys(columns))
}

/** Inserts or replaces the row of a key; cells in the order of the model's columns. */
export function insertionOf(model: ReadModel, generation: number): string {
  const columns = Object.keys(model.columns)
  return `INSERT OR REPLACE INTO ${tableOf(model, generation)} (${listOf(columns)})
    VALUES (${columns.map(() => '?').join(', ')})`
}

/** Updates these cells of the row of a key, or inserts a row with only them; cells in this order. */
export function changeOf(model: ReadModel, generation: number, columns: readonly string[]): string {
  const changed = columns.filter((column) => !model.key.includes(column))
  const set = changed.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')
  return `INSERT INTO ${tableOf(model, generation)} (${listOf(columns)}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${listOf(model.key)}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`
}

/** Deletes the rows with these cells. */
export function deletionOf(model: ReadModel, generation: number, where: readonly string[]): string {
  const terms = where.map((column) => `${quoted(column)} IS ?`).join(' AND ')
  return `DELETE FROM ${tableOf(model, generation)} WHERE ${terms}`
}

/**
 * Rows by these columns in order of the key; the last parameter is the limit, -1 for all. As a bare LIMIT parameter,
 * SQLite would prepare the statement again for each value.
 */
export function selectionOf(model: ReadModel, generation: number, where: readonly string[]): string {
  const terms = where.map((column) => `${quoted(column)} IS ?`).join(' AND ')
  return `SELECT ${listOf(Object.keys(model.columns))} FROM ${tableOf(model, generation)}
    ${terms === '' ? '' : `WHERE ${terms}`} ORDER BY ${listOf(model.key)} LIMIT ? + 0`
}

/** Rows in order of the key, after a key if `isAfter`: parameters are its cells, and the limit. */
export function scanOf(model: ReadModel, generation: number, isAfter: boolean): string {
  const after = isAfter ? `WHERE (${listOf(model.key)}) > (${model.key.map(() => '?').join(', ')})` : ''
  return `SELECT ${listOf(Object.keys(model.columns))} FROM ${tableOf(model, generation)} ${after}
    ORDER BY ${listOf(model.key)} LIMIT ? + 0`
}

/** SQL conditions, with parameter values in order. */
interface Terms {
  readonly where: string
  readonly values: readonly Cell[]
}

/** A condition as SQL; a list is one parameter, whatever its length. */
export function termsOf({ where = {}, among = {}, between = {} }: Condition): Terms {
  const terms = [
    ...Object.entries(where).map(([column, cell]) => term(`${quoted(column)} IS ?`, cell)),
    ...Object.entries(among).map(([column, cells]) => amongOf(column, cells)),
    ...Object.entries(between).flatMap(([column, [from, to]]) => [
      ...(from === undefined ? [] : [term(`${quoted(column)} >= ?`, from)]),
      ...(to === undefined ? [] : [term(`${quoted(column)} <= ?`, to)]),
    ]),
  ]
  return {
    where: terms.length === 0 ? '' : `WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`,
    values: terms.map(({ value }) => value),
  }
}

function term(sql: string, cell: Cell) {
  return { sql, value: keptCell(cell) }
}

function amongOf(column: string, cells: readonly Cell[]) {
  const [only = null, ...others] = cells
  // Of a list, even of one value, SQLite does not take the rows from an index in order. Null stays a list: by `IS NULL`, SQLite would take an index of rows without an owner, which are most of them.
  if (only !== null && others.length === 0) return term(`${quoted(column)} IS ?`, only)
  const isOne = `${quoted(column)} IN (SELECT value FROM json_each(?))`
  const sql = cells.includes(null) ? `(${isOne} OR ${quoted(column)} IS NULL)` : isOne
  return { sql, value: JSON.stringify(cells.map(keptCell)) }
}

/** What rows a page has, and in which order. */
type Shape = Pick<Query, 'orderBy' | 'newestFirst' | 'columns'>

/** The most parts of a page: each is a part of its statement. */
const mostParts = 20

/**
 * The parts of a page, which exclude each other: one for each value of a column where an index has the rows of each in the wanted
 * order, because SQLite merges them and reads no more than the page has. Otherwise the query is the only part.
 */
export function partsOf(model: ReadModel, query: Query): readonly Condition[] {
  const { where = {}, among = {}, between = {}, columns } = query
  const [[column, cells] = ['', []], ...others] = Object.entries(among)
  const values = [...new Set(cells.map(keptCell))]
  const isMany = values.length > 1 && values.length <= mostParts && !values.includes(null)
  const isWhole = others.length > 0 || columns !== undefined || Object.hasOwn(where, column)
  if (!isMany || isWhole || !model.indexes.some((index) => isInOrder(index, column, model, query))) return [query]
  return values.map((value) => ({ where: { ...where, [column]: value }, between }))
}

/** Whether an index has the rows with each value of a column in the order of a query, and all that its condition is about. */
function isInOrder(index: readonly string[], column: string, { key }: ReadModel, query: Query): boolean {
  const { where = {}, between = {}, orderBy = key[0] } = query
  const place = index.indexOf(column)
  const isNext = index[place + 1] === orderBy && index.slice(0, place).every((name) => Object.hasOwn(where, name))
  const bounded = Object.entries(between).filter(([, bounds]) => bounds.some((bound) => bound !== undefined))
  const named = [...Object.keys(where), ...bounded.map(([name]) => name)]
  return place >= 0 && isNext && named.every((name) => index.includes(name))
}

/**
 * A page of the rows that match one of these, which exclude each other, in order of a column and of the key; the last parameters
 * are limit and offset.
 */
export function pageOf(
  model: ReadModel,
  generation: number,
  parts: readonly Terms[],
  { orderBy, newestFirst, columns = Object.keys(model.columns) }: Shape,
): string {
  const compared = [...new Set([...(orderBy === undefined ? [] : [orderBy]), ...model.key])]
  const order = compared.map((column) => `${quoted(column)}${newestFirst ? ' DESC' : ''}`).join(', ')
  const selected = parts.map(({ where }) => `SELECT ${listOf(columns)} FROM ${tableOf(model, generation)} ${where}`)
  return `${selected.join(' UNION ALL ')} ORDER BY ${order} LIMIT ? + 0 OFFSET ? + 0`
}

/** The number of matching rows. */
export function totalOf(model: ReadModel, generation: number, { where }: Terms): string {
  return `SELECT count(*) AS count FROM ${tableOf(model, generation)} ${where}`
}

/**
 * The number of matching rows for each value of a column. The plus keeps SQLite from reading all rows in order of that column
 * where another index has the few that match.
 */
export function countsOf(model: ReadModel, generation: number, { where }: Terms, by: string): string {
  return `SELECT ${quoted(by)} AS cell, count(*) AS count FROM ${tableOf(model, generation)} ${where} GROUP BY +${quoted(by)}`
}

/**
 * Replaces what SQLite would change: it cuts text at NUL and drops half of a surrogate pair. The rows of an event must
 * not stop a model.
 */
export function keptCell(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.toWellFormed().replaceAll('\0', '\ufffd') : cell
}

function listOf(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
