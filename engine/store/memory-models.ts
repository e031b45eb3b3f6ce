import type { RecordedEvent } from '../kernel/event.ts'
import type { EventStore } from '../kernel/event-store.ts'
import type { ReadModel, ReadModels, Row } from '../kernel/read-model.ts'

interface Table {
  readonly rows: Map<string, Row>
  position: string | undefined
}

/** The reference read models: everything in memory, brought up to the store's end at each look-up. */
export function createMemoryModels(store: Pick<EventStore, 'readAll'>): ReadModels {
  const tables = new Map<ReadModel, Table>()
  return {
    rows: async (model, where, limit = Number.POSITIVE_INFINITY) => {
      const table = tables.get(model) ?? { rows: new Map(), position: undefined }
      tables.set(model, table)
      for await (const event of store.readAll(table.position, { category: model.category })) apply(model, table, event)
      const found = [...table.rows.values()].filter((row) =>
        Object.entries(where).every(([column, cell]) => row[column] === cell),
      )
      return found.sort((one, other) => compare(model, one, other)).slice(0, limit)
    },
  }
}

/** Two look-ups at once may both apply an event: its rows replace each other. */
function apply(model: ReadModel, table: Table, event: RecordedEvent): void {
  for (const row of model.rows(event)) table.rows.set(JSON.stringify(model.key.map((column) => row[column])), row)
  table.position = event.position
}

function compare({ key }: ReadModel, one: Row, other: Row): number {
  const column = key.find((name) => one[name] !== other[name])
  if (column === undefined) return 0
  return (one[column] ?? 0) < (other[column] ?? 0) ? -1 : 1
}
