import { type Database, queryOn } from '../adapters/sqlite/database.ts'
import { inTransaction } from '../adapters/sqlite/transaction.ts'
import type { Ask } from './business.ts'
import { isCancelled, isLabel, nameOf, numberOf, referenceOf, renumbered } from './many-orders.ts'

const columns = ['family', 'status', 'tracking_number', 'reference', 'recipient'] as const

/** What orders are selected by: a column and its value; all where absent. */
export type Selected = readonly [column: (typeof columns)[number], value: string] | undefined

/** A table of ready texts. */
export interface OrdersByHand {
  /** The texts of the newest orders below an id. */
  page(selected: Selected, before: number, limit: number): readonly string[]
  count(selected: Selected): number
}

/** Writes the orders of a register as ready texts, with an index for each column, and prepares the queries. */
export async function writeOrdersByHand(database: Database, ask: Ask, count: number): Promise<OrdersByHand> {
  const defined = columns.map((column) => `${column} TEXT NOT NULL`).join(', ')
  database.exec(`CREATE TABLE orders (order_id INTEGER PRIMARY KEY, ${defined}, body TEXT NOT NULL) STRICT`)
  const rowOf = await createRowOf(ask)
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)')
  inTransaction(database, 'IMMEDIATE', () => {
    for (let order = 1; order <= count; order++) insert.run(...rowOf(order))
  })
  for (const column of columns) database.exec(`CREATE INDEX by_${column} ON orders (${column}, order_id)`)
  const queries = new Map([undefined, ...columns].map((column) => [column, queriesOf(database, column)]))
  const of = ([column]: NonNullable<Selected> | [] = []) => queries.get(column) as ReturnType<typeof queriesOf>
  return {
    page: (selected, before, limit) =>
      of(selected)
        .page(...valueIn(selected), before, limit)
        .flat(),
    count: (selected) => of(selected).count(...valueIn(selected))[0]?.[0] ?? 0,
  }
}

function valueIn(selected: Selected): readonly string[] {
  return selected === undefined ? [] : [selected[1]]
}

function queriesOf(database: Database, column: string | undefined) {
  const where = column === undefined ? 'WHERE' : `WHERE ${column} = ? AND`
  const page = `SELECT body FROM orders ${where} order_id < ? ORDER BY order_id DESC LIMIT ?`
  const count = `SELECT count(*) FROM orders ${where} true`
  return { page: queryOn<[body: string]>(database, page), count: queryOn<[count: number]>(database, count) }
}

/** The row of an order; its text is what the register answers of one of its kind, with another number and name. */
async function createRowOf(ask: Ask) {
  const kindOf = (order: number) => [
    isLabel(order) ? 'label_service' : 'local_delivery',
    isCancelled(order) ? 'CANCELLED' : 'NEW_ORDER',
  ]
  const texts = new Map<string, { readonly of: number; readonly text: string }>()
  for (let of = 1; texts.size < 4; of++) {
    const kind = kindOf(of).join()
    if (!texts.has(kind))
      texts.set(kind, { of, text: JSON.stringify((await ask('get_order_detail', { order_id: of })).order) })
  }
  return (order: number) => {
    const kind = kindOf(order)
    const { of, text } = texts.get(kind.join()) as { readonly of: number; readonly text: string }
    const body = renumbered(text, of, order)
    return [order, ...kind, numberOf(order), referenceOf(order), nameOf(order), body]
  }
}
