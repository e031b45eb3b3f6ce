import type { RecordedEvent } from './event.ts'
import type { EventStore } from './event-store.ts'

/** A value in a read model. */
export type Cell = string | number | null

/** A row of a read model by column, complete or in part. */
export type Row = Readonly<Record<string, Cell>>

/** The events of a category of streams, and the rows that they set. */
export interface ModelFeed {
  readonly category: string
  /** The events that are needed with their personal data, as in `EventFilter`; all if absent. */
  readonly opens?: (event: RecordedEvent) => boolean
  /**
   * The rows that an event sets, complete or in part. The key columns are required. Columns that are not named keep
   * their value, and are null in a new row.
   */
  rows(event: RecordedEvent): readonly Row[]
  /** The rows that an event removes, before it sets its own: those with all cells of one of these; none if absent. */
  gone?(event: RecordedEvent): readonly Row[]
}

/**
 * A table derived from events, for lookups and lists that streams do not answer. It is pure: the rows of an event
 * depend only on that event, and events are applied in order of position, so each cell holds the value of the last
 * event that set it. Rebuilding the table, or applying events again up to the same end, gives the same cells.
 */
export interface ReadModel extends ModelFeed {
  readonly name: string
  /** Incremented with every change of columns or rows; the table is then rebuilt. */
  readonly version: number
  /** The stream categories that it is derived from, if there are more than its own. */
  readonly categories?: readonly string[]
  readonly columns: Readonly<Record<string, 'text' | 'integer'>>
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** Columns for lookups, in addition to the key. */
  readonly indexes: readonly (readonly string[])[]
}

/** Selects the rows that match all of its parts; all rows if it is empty. */
export interface Condition {
  /** Required value of each column. */
  readonly where?: Row
  /** Allowed values of a column, at most `maxAmong`; an empty list matches no row. */
  readonly among?: Readonly<Record<string, readonly Cell[]>>
  /** Inclusive bounds of a column. Text is ordered by code points; null is never within bounds. */
  readonly between?: Readonly<Record<string, readonly [from: Cell | undefined, to: Cell | undefined]>>
}

/** A page of a list, in order of a column, and then of the key. */
export interface Query extends Condition {
  /** The column that is compared before the key; null comes before any value. The key alone if absent. */
  readonly orderBy?: string
  /** Descending order; newest first if the key is a sequence number. */
  readonly newestFirst?: boolean
  readonly limit: number
  /** Number of matching rows before the page. */
  readonly offset?: number
  /** The total is not wanted, and is 0: to count a million rows takes longer than to read a page of them. */
  readonly uncounted?: true
  /** The only columns that the rows have; all if absent. Three cells of a thousand rows are read in a tenth of the time. */
  readonly columns?: readonly string[]
}

/** Rows of a list. */
export interface Page {
  readonly rows: readonly Row[]
  /** Number of matching rows on all pages. */
  readonly total: number
}

/** The read models of a node. Queries see at least everything that this node has written. */
export interface ReadModels {
  /**
   * The rows with these cells, in order of the key. Throws `store_unavailable` if the model cannot be brought up to
   * date, or not within `patience` milliseconds.
   */
  rows(model: ReadModel, where: Row, limit?: number, patience?: number): Promise<readonly Row[]>
  /** A page of the matching rows. Throws like `rows`, and a `RangeError` for an invalid query. */
  page(model: ReadModel, query: Query): Promise<Page>
  /** The number of matching rows for each value of a column. Throws like `page`. */
  counts(model: ReadModel, by: string, condition?: Condition): Promise<ReadonlyMap<Cell, number>>
  /** The same models for one request, of which `store` is the view: it tells the end that their look-ups must reach. */
  forRequest?(store: Pick<EventStore, 'latest'>): ReadModels
}

/** The most values of one column in a condition. */
export const maxAmong = 500

/**
 * Throws a `RangeError` if a condition, or one of the further columns, names an unknown column or has too many
 * values. This is a bug of the caller that a table would not always reveal.
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

/** Throws a `RangeError` for an invalid query: as `checkCondition`, or because limit or offset is not a count. */
export function checkQuery(model: ReadModel, query: Query): void {
  const { limit, offset = 0, orderBy, columns = [] } = query
  checkCondition(model, query, ...(orderBy === undefined ? [] : [orderBy]), ...columns)
  for (const count of [limit, offset])
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of rows`)
}
