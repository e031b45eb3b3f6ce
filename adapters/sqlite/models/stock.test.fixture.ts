import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent, ReadModel, RecordedEvent, Row, StreamName } from '../../../engine/index.ts'
import { openModels } from './open.ts'

interface Stocked {
  readonly items: readonly string[]
  readonly note?: string
}

/**
 * The last place of each item: the order of the events matters, because a later one replaces the row of an earlier one.
 */
export const stock: ReadModel = {
  name: 'stock',
  version: 1,
  category: 'shelf',
  columns: { item: 'text', shelf: 'text', revision: 'integer', note: 'text' },
  key: ['item'],
  indexes: [['shelf', 'revision'], ['note']],
  rows: ({ stream, revision, data }) => {
    const { items, note = null } = data as Stocked
    return items.map((item) => ({ item, shelf: stream, revision, note }))
  },
}

/** An event that puts items on a shelf. */
export function stocked(...items: readonly string[]): NewEvent {
  return { id: randomUUID(), type: 'Stocked', data: { items }, metadata: { schemaVersion: 1 } }
}

/**
 * Records the given number of random events, in calls of up to a hundred, some in a category that the model does not
 * follow.
 */
export async function recordStock(store: EventStore, count: number, items = 300): Promise<void> {
  const any = (below: number) => Math.floor(Math.random() * below)
  for (let left = count; left > 0; ) {
    const size = Math.min(left, 1 + any(100))
    const events = Array.from({ length: size }, () =>
      stocked(...Array.from({ length: any(3) }, () => `i${any(items)}`)),
    )
    const stream: StreamName = any(4) === 0 ? `box-${any(5)}` : `shelf-${any(20)}`
    await store.append(stream, events, 'any')
    left -= size
  }
}

/** The contents of a table at each checkpoint of a file, and the expected ones: a fold of the events up to there. */
export function tablesIn(
  file: string,
  events: readonly RecordedEvent[],
): readonly { held: unknown; folded: unknown }[] {
  const database = openModels(file)
  database.exec('BEGIN')
  const generations = database.prepare('SELECT * FROM generations').all() as readonly {
    readonly generation: number
    readonly version: number
    readonly checkpoint: string | null
  }[]
  const tables = generations.map(({ generation, version, checkpoint }) => {
    const held = database
      .prepare(`SELECT * FROM stock_v${version}_g${generation} ORDER BY item`)
      .all() as readonly Row[]
    return { held: held.map((row) => ({ ...row })), folded: foldOf(events, checkpoint ?? '') }
  })
  database.close()
  return tables
}

function foldOf(events: readonly RecordedEvent[], checkpoint: string): readonly Row[] {
  const rows = new Map<unknown, Row>()
  for (const event of events.filter(({ position, stream }) => position <= checkpoint && stream.startsWith('shelf-')))
    for (const row of stock.rows(event)) rows.set(row.item, row)
  return [...rows.values()].sort((one, other) => (String(one.item) < String(other.item) ? -1 : 1))
}
