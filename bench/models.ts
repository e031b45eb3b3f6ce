import type { Database, SqlValue } from '../adapters/sqlite/database.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { openModels } from '../adapters/sqlite/models/open.ts'
import { inTransaction } from '../adapters/sqlite/transaction.ts'
import { domains, type ReadModel, type RecordedEvent } from '../engine/index.ts'

/** Rows of a transaction, as many as a node applies at once. */
const pageSize = 500

interface CategoryRow {
  readonly pos: number
  readonly rev: number
  readonly type: string
  readonly data: string
}

/** The read model of this name. */
export function modelNamed(name: string): ReadModel {
  const model = domains.flatMap(({ readModels = [] }) => readModels).find((one) => one.name === name)
  if (model === undefined) throw new Error(`There is no read model ${name}.`)
  return model
}

/**
 * Builds the table of a read model by hand: a query of each page, JSON.parse of the data, one prepared insertion, a
 * transaction for each page. Returns its number of rows.
 */
export function buildByHand(model: ReadModel, storeFile: string, modelsFile: string): number {
  const [store, table] = [openDatabase(storeFile), openModels(modelsFile)]
  try {
    createTable(table, model)
    const insert = createRowInserter(table, model)
    for (const page of pagesOf(store, model)) inTransaction(table, 'IMMEDIATE', () => page.forEach(insert))
    return (table.prepare('SELECT count(*) AS count FROM by_hand').get() as { readonly count: number }).count
  } finally {
    store.close()
    table.close()
  }
}

function createTable(database: Database, { columns, key }: ReadModel): void {
  const defined = Object.entries(columns).map(([name, type]) => `"${name}" ${type.toUpperCase()}`)
  const primary = key.map((name) => `"${name}"`)
  database.exec(
    `CREATE TABLE by_hand (${defined.join(', ')}, PRIMARY KEY (${primary.join(', ')})) STRICT, WITHOUT ROWID`,
  )
}

function createRowInserter(database: Database, model: ReadModel): (row: CategoryRow) => void {
  const columns = Object.keys(model.columns)
  const insert = database.prepare(`INSERT OR REPLACE INTO by_hand VALUES (${columns.map(() => '?').join(', ')})`)
  return ({ rev: revision, type, data }) => {
    const event = { type, revision, data: JSON.parse(data) as unknown } as RecordedEvent
    for (const row of model.rows(event)) insert.run(...columns.map((column): SqlValue => row[column] ?? null))
  }
}

function* pagesOf(database: Database, { category }: ReadModel): Iterable<readonly CategoryRow[]> {
  const select = database.prepare(
    `SELECT e.pos, e.rev, e.type, e.data FROM events e CROSS JOIN streams s USING (sid)
     WHERE e.pos > ?1 AND s.name >= ?2 || '-' AND s.name < ?2 || '.' ORDER BY e.pos LIMIT ${pageSize}`,
  )
  for (let after = 0; ; ) {
    const page = select.all(after, category) as readonly CategoryRow[]
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.pos
  }
}
