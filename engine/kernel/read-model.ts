import type { RecordedEvent } from './event.ts'

/** What a column of a read model holds. */
export type Cell = string | number | null

/** A row of a read model, or the part of one that is asked for, by column. */
export type Row = Readonly<Record<string, Cell>>

/**
 * A table that follows from the facts, for look-ups and lists that streams do not answer. Pure: the rows of an event are
 * a function of the event alone, and a row replaces the one of the same key, so the table is the same however often and
 * from wherever it is built.
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
  /** Whole rows that the event leaves behind. */
  rows(event: RecordedEvent): readonly Row[]
}

/** The read models of a node. */
export interface ReadModels {
  /**
   * The rows with these cells, in order of the key; at least all that this node has written is in them. Throws
   * `store_unavailable` where the model cannot be brought up to that.
   */
  rows(model: ReadModel, where: Row, limit?: number): Promise<readonly Row[]>
}
