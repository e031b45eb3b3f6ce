import type { DeliveryRange } from '../../../engine/index.ts'
import { isMerged, type Terms, withEndpoints } from './filter.ts'
import { isClaimed } from './open.ts'

/** The statement of a page, newest first. */
export function pageSql(terms: Terms, range: DeliveryRange): Pick<Terms, 'values'> & { readonly sql: string } {
  return isMerged(terms) ? mergedSql(terms, range) : plainSql(withEndpoints(terms), range)
}

const newestFirst = 'ORDER BY d.created DESC, d.number DESC'

const row = `SELECT d.*, ${isClaimed} AS is_claimed`

function plainSql({ from, where, values }: Terms, { limit, offset, cursor }: DeliveryRange) {
  const after = afterCursor(cursor)
  const sql = `${row} FROM ${from} WHERE ${where}${after.sql} ${newestFirst} LIMIT ? + 0 OFFSET ? + 0`
  return { sql, values: [...values, ...after.values, limit, offset] }
}

/** Each endpoint has its own order in its index: the newest of each are merged. */
function mergedSql({ from, where, values, endpoints = [] }: Terms, { limit, offset, cursor }: DeliveryRange) {
  const after = afterCursor(cursor)
  const newestOfEach = `SELECT d.number FROM ${from} WHERE d.endpoint = e.value AND ${where}${after.sql} ${newestFirst} LIMIT ? + 0`
  const sql = `${row} FROM json_each(?) e CROSS JOIN deliveries d WHERE d.number IN (${newestOfEach})
    ${newestFirst} LIMIT ? + 0 OFFSET ? + 0`
  return { sql, values: [JSON.stringify(endpoints), ...values, ...after.values, limit + offset, limit, offset] }
}

function afterCursor(cursor: string | undefined) {
  if (cursor === undefined) return { sql: '', values: [] }
  return { sql: ' AND (d.created, d.number) < (?, ?)', values: cursor.split('-').map(Number) }
}
