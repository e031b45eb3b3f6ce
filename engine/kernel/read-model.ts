import type { RecordedEvent } from './event.ts'

/** What a column of a read model holds. */
export type Cell = string | number | null

/** A row of a read model, or the part of one that is asked for, by column. */
export type Row = Readonly<Record<string, Cell>>

/**
 * A table that follows from the facts, for look-ups and lists that streams do not answer. Pure: what an event leaves behind
 * is a function of the event alone, and events are applied in order of their position, so each cell says what the last
 * event that named it said. The table is therefore the same however often and from wherever it is built: events that are
 * applied again, up to the same end, leave the same cells behind.
 */
export interface ReadModel {
  readonly name: string
  /** Grows with every change of the columns or the rows; the table is then built anew. */
  readonly version: number
  /** The category of the streams that it follows from. */
  readonly category: string
  readonly columns: Readonly<Record<string, 'text' | 'integer'>>
  /** The columns that tell one row from another. */
  readonly key: readonly string[]
  /** Columns that rows are looked for by, beside the key. */
  readonly indexes: readonly (readonly string[])[]
  /**
   * The rows that the event leaves behind, or the part of them that it changes: the columns of the key are always named;
   * of the others, those that are not named stay as they were, and are null in a row that is new.
   */
  rows(event: RecordedEvent): readonly Row[]
}

/** Which rows are meant: those to which all of it applies, and so all where nothing is said. */
export interface Condition {
  /** The cell of each of these columns. */
  readonly where?: Row
  /** Any of these values, by column, at most `maxAmong`; of none, nothing is one. */
  readonly among?: Readonly<Record<string, readonly Cell[]>>
  /** Bounds, both inclusive, by column; text is in order of its code points, and null is within none. */
  readonly between?: Readonly<Record<string, readonly [from: Cell | undefined, to: Cell | undefined]>>
}

/** A page of a list, in order of the key. */
export interface Query extends Condition {
  /** Descending order of the key: newest first where the key is a sequence number. */
  readonly newestFirst?: boolean
  readonly limit: number
  /** So many rows that match come before the page. */
  readonly offset?: number
}

/** Rows of a list. */
export interface Page {
  readonly rows: readonly Row[]
  /** How many rows match, on this page and on all others. */
  readonly total: number
}

/** The read models of a node. At least all that this node has written is in what they answer. */
export interface ReadModels {
  /** The rows with these cells, in order of the key. Throws `store_unavailable` where the model cannot be brought up. */
  rows(model: ReadModel, where: Row, limit?: number): Promise<readonly Row[]>
  /** A page of the rows that match; throws as `rows`, and a `RangeError` for a query that cannot be asked. */
  page(model: ReadModel, query: Query): Promise<Page>
  /** How many rows that match there are for each value of a column; throws as `page`. */
  counts(model: ReadModel, by: string, condition?: Condition): Promise<ReadonlyMap<Cell, number>>
}

/** So many values of one column may be asked for at once. */
export const maxAmong = 500

/**
 * Throws a `RangeError` where a condition, or one of these further columns, names a column that the model does not have,
 * or asks for too many values at once: a fault of the caller that a table would not always show.
 */
export function checkCondition(
  { name, columns }: ReadModel,
  { where = {}, among = {}, between = {} }: Condition,
  ...further: readonly string[]
): void {
  for (const column of [...further, ...[where, among, between].flatMap(Object.keys)])
    if (!Object.hasOwn(columns, column)) throw new RangeError(`${name} has no column ${column}`)
  for (const [column, values] of Object.entries(among))
    if (values.length > maxAmong) throw new RangeError(`more than ${maxAmong} values of ${column} are asked for`)
}

/** Throws a `RangeError` where a query cannot be asked: as `checkCondition`, or by a limit or offset that counts nothing. */
export function checkQuery(model: ReadModel, query: Query): void {
  const { limit, offset = 0 } = query
  checkCondition(model, query)
  for (const count of [limit, offset])
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of rows`)
}
