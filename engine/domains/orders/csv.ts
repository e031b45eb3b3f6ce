import * as v from 'valibot'
import type { Field, Values } from '../../entity/field.ts'
import type { Role } from '../../kernel/account.ts'
import { csvTableIn } from '../../kernel/csv.ts'
import { isObject } from '../../kernel/members.ts'
import { priceOf } from '../../kernel/prices.ts'
import { timeOfDay, withDecimalPoint } from '../../kernel/spreadsheet.ts'
import { orderTable } from './order.ts'
import { address } from './schema.ts'

const addressColumns = Object.keys(address.entries)

const partyColumns = (side: 'delivery' | 'pickup') => [
  ...['name', 'phone', 'email'].map((name) => `${side}.${name}`),
  ...addressColumns.map((name) => `${side}.address.${name}`),
]

/** The columns that an order is created from: the paths of the members of a request. */
export const givenColumns: readonly string[] = [
  ...['type', 'reference', 'tracking_number', 'external_tracking_number', 'customer_id', 'schedule_date'],
  ...['time_window.start', 'time_window.end', 'items', ...partyColumns('delivery'), ...partyColumns('pickup')],
  ...['delivery_instruction', 'note', 'tags', 'price.shipping_price', 'price.currency', 'price.tax'],
]

/** The columns that an export has beside those, before and after them; an import passes over them. */
const firstColumns: readonly string[] = ['order_id', 'status', 'created_at', 'updated_at']
const lastColumns: readonly string[] = ['family', 'state', 'carrier']

/** All columns, in order. */
export const csvColumns: readonly string[] = [...firstColumns, ...givenColumns, ...lastColumns]

/** The columns that a table of refused lines has beside those of an import, which passes over them. */
export const refusedColumns = ['line', 'problem'] as const

/** The columns that an import knows. */
export const importColumns: readonly string[] = [...csvColumns, ...refusedColumns]

/** The columns that callers of a role may give. */
export function columnsFor(role: Role): readonly string[] {
  const fields: Readonly<Record<string, Pick<Field, 'setBy'>>> = orderTable.fields
  return givenColumns.filter((column) => fields[column.split('.')[0] ?? '']?.setBy?.includes(role) ?? true)
}

/** The column whose cell is a list: its values, with spaces between them. */
const listed = 'tags'

const numeric = /(^|\.)(items|customer_id|latitude|longitude|order_id)$/

/** The columns whose numbers may have decimals. */
const decimal = /(^price\.(shipping_price|tax)|\.(latitude|longitude))$/

const timed = /^time_window\./

/** A row of an export: the cells that are there. */
export const csvRow = v.strictObject(
  Object.fromEntries(
    csvColumns.map((column) => {
      const cell: v.GenericSchema = numeric.test(column) ? v.number() : v.string()
      return [column, v.exactOptional(column.startsWith('price.') ? priceOf('local_delivery', cell) : cell)]
    }),
  ),
)

/** An order as its reader sees it, as a row. Its surcharges have no column. */
export function csvRowOf(record: Values): Values {
  const { shipping_price, currency, tax } = record
  const whole: Values = { ...record, price: { shipping_price, currency, tax } }
  const cells = csvColumns.map((column) => {
    const value = column.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), whole)
    return [column, column === listed && Array.isArray(value) ? value.join(' ') : value] as const
  })
  return Object.fromEntries(cells.filter(([, value]) => value !== undefined))
}

/** A row of an import: the line that it begins in, and the request for its order, unchecked. */
interface ImportedRow {
  readonly line: number
  readonly order: Values
}

/** The requests for orders in a text in CSV: at least one, and at most so many. Refuses as `csvTableIn` does. */
export function importedRows(text: string, most: number): readonly ImportedRow[] {
  const rows = csvTableIn('csv', text, { columns: importColumns, least: 1, most })
  return rows.map(({ line, cells, hasFreeCommas }) => ({ line, order: orderIn(cells, hasFreeCommas) }))
}

function orderIn(cells: Readonly<Record<string, string>>, hasFreeCommas: boolean): Values {
  const order: Record<string, unknown> = {}
  for (const [column, text] of Object.entries(cells)) {
    if (text === '' || !givenColumns.includes(column)) continue
    const path = column.split('.')
    const last = path.pop() ?? column
    let at = order
    for (const name of path) {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
    at[last] = valueIn(column, decimal.test(column) && hasFreeCommas ? withDecimalPoint(text) : text)
  }
  return order
}

function valueIn(column: string, text: string): unknown {
  if (column === listed) return text.split(' ').filter((one) => one !== '')
  if (timed.test(column)) return timeOfDay(text)
  return numeric.test(column) && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
