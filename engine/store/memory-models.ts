import type { RecordedEvent } from '../kernel/event.ts'
import type { EventStore } from '../kernel/event-store.ts'
import {
  type Cell,
  type Condition,
  checkCondition,
  checkQuery,
  type ReadModel,
  type ReadModels,
  type Row,
} from '../kernel/read-model.ts'
import { modelEvents } from './model-events.ts'

interface Table {
  readonly rows: Map<string, Row>
  position: string | undefined
}

/** The reference read models: in memory, brought up to date at each query. */
export function createMemoryModels(store: Pick<EventStore, 'readAll'>): ReadModels {
  const tables = new Map<ReadModel, Table>()

  /** The matching rows, in order of the key. */
  async function matching(model: ReadModel, condition: Condition): Promise<readonly Row[]> {
    const table = tables.get(model) ?? { rows: new Map(), position: undefined }
    tables.set(model, table)
    for await (const event of modelEvents(store, model, table.position)) apply(model, table, event)
    const found = [...table.rows.values()].filter((row) => matches(row, condition))
    return found.sort((one, other) => compareKeys(model, one, other))
  }

  return {
    rows: async (model, where, limit = Number.POSITIVE_INFINITY) => (await matching(model, { where })).slice(0, limit),
    page: async (model, query) => {
      checkQuery(model, query)
      const { orderBy, newestFirst = false, limit, offset = 0, uncounted, columns } = query
      const matched = await matching(model, query)
      const found = orderBy === undefined ? matched : matched.toSorted(by(orderBy))
      const ordered = newestFirst ? found.toReversed() : found
      const rows = ordered.slice(offset, offset + limit).map((row) => cellsOf(row, columns))
      return { rows, total: uncounted ? 0 : found.length }
    },
    counts: async (model, by, condition = {}) => {
      checkCondition(model, condition, by)
      const counts = new Map<Cell, number>()
      for (const { [by]: cell = null } of await matching(model, condition))
        counts.set(cell, (counts.get(cell) ?? 0) + 1)
      return counts
    },
  }
}

function cellsOf(row: Row, columns: readonly string[] | undefined): Row {
  return columns === undefined ? row : Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

/** Concurrent queries read the same events; an event that one has applied is skipped by the other. */
function apply(model: ReadModel, table: Table, event: RecordedEvent): void {
  if (table.position !== undefined && event.position <= table.position) return
  for (const where of model.gone?.(event) ?? [])
    for (const [key, row] of table.rows) if (matches(row, { where })) table.rows.delete(key)
  for (const row of model.rows(event)) {
    const key = JSON.stringify(model.key.map((column) => row[column]))
    table.rows.set(key, { ...(table.rows.get(key) ?? emptyRow(model)), ...row })
  }
  table.position = event.position
}

function emptyRow({ columns }: ReadModel): Row {
  return Object.fromEntries(Object.keys(columns).map((column) => [column, null]))
}

function matches(row: Row, { where = {}, among = {}, between = {} }: Condition): boolean {
  const cellOf = (column: string) => row[column] ?? null
  return (
    Object.entries(where).every(([column, cell]) => cellOf(column) === cell) &&
    Object.entries(among).every(([column, cells]) => cells.includes(cellOf(column))) &&
    Object.entries(between).every(([column, bounds]) => isWithin(cellOf(column), bounds))
  )
}

function isWithin(cell: Cell, [from, to]: readonly [Cell | undefined, Cell | undefined]): boolean {
  const isAfter = from === undefined || (from !== null && cell !== null && compareCells(from, cell) <= 0)
  return isAfter && (to === undefined || (to !== null && cell !== null && compareCells(cell, to) <= 0))
}

/** Compares rows by a column, where null comes before any value. */
function by(column: string) {
  return ({ [column]: one = null }: Row, { [column]: other = null }: Row): number => {
    if (one === null || other === null) return Number(one !== null) - Number(other !== null)
    return compareCells(one, other)
  }
}

function compareKeys({ key }: ReadModel, one: Row, other: Row): number {
  const column = key.find((name) => one[name] !== other[name])
  return column === undefined ? 0 : compareCells(one[column] ?? 0, other[column] ?? 0)
}

function compareCells(one: string | number, other: string | number): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares by code points, as databases do: characters of two UTF-16 units come after all others. */
function compareTexts(one: string, other: string): number {
  let place = 0
  while (place < one.length && one.charCodeAt(place) === other.charCodeAt(place)) place++
  return weightOf(one, place) - weightOf(other, place)
}

function weightOf(text: string, place: number): number {
  const unit = text.charCodeAt(place)
  if (Number.isNaN(unit)) return -1
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
