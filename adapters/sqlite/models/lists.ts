import type { Cell, Condition, Page, Query, ReadModel, Row } from '../../../engine/index.ts'
import type { Statement } from '../database.ts'
import { countsOf, keptCell, pageOf, partsOf, scanOf, termsOf, totalOf } from './sql.ts'

/** Reads the serving generation at one moment, if it has reached `target`. */
type Look = <Seen>(model: ReadModel, target: string | undefined, see: (generation: number) => Seen) => Seen | undefined

/** Lists and counts of rows; `undefined` if the model has not reached `target`. */
export interface Lists {
  /** A page of the matching rows. */
  page(model: ReadModel, query: Query, target: string | undefined): Page | undefined
  /** The number of matching rows for each value of a column. */
  counts(model: ReadModel, by: string, of: Condition, target: string | undefined): ReadonlyMap<Cell, number> | undefined
  /** Rows after the row with a key, in order of the key; `undefined` if no table serves. */
  scan(model: ReadModel, after: Row | undefined, limit: number): readonly Row[] | undefined
}

/** Creates the lists. */
export function createLists(prepare: (sql: string) => Statement, look: Look): Lists {
  return {
    page: (model, query, target) => {
      const { limit, offset = 0, uncounted } = query
      const terms = termsOf(query)
      const parts = partsOf(model, query).map(termsOf)
      const values = parts.flatMap((part) => part.values)
      return look(model, target, (generation) => ({
        rows: rowsOf(prepare(pageOf(model, generation, parts, query)), [...values, limit, offset]),
        total: uncounted ? 0 : countOf(prepare(totalOf(model, generation, terms)), terms.values),
      }))
    },
    counts: (model, by, condition, target) => {
      const terms = termsOf(condition)
      return look(model, target, (generation) => {
        const found = prepare(countsOf(model, generation, terms, by)).all(...terms.values) as readonly Counted[]
        return new Map(found.map(({ cell, count }) => [cell, count]))
      })
    },
    scan: (model, after, limit) => {
      const cells = after === undefined ? [] : model.key.map((column) => keptCell(after[column] ?? null))
      return look(model, undefined, (generation) =>
        rowsOf(prepare(scanOf(model, generation, after !== undefined)), [...cells, limit]),
      )
    },
  }
}

interface Counted {
  readonly cell: Cell
  readonly count: number
}

/** The selected rows as plain objects. */
export function rowsOf(statement: Statement, values: readonly Cell[]): readonly Row[] {
  return (statement.all(...values) as readonly Row[]).map((row) => ({ ...row }))
}

/** The result of a counting statement. */
export function countOf(statement: Statement, values: readonly Cell[] = []): number {
  return (statement.get(...values) as { readonly count: number }).count
}
