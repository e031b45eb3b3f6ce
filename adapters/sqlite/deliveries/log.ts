import type { DeliveryDetail, DeliveryPage, DeliveryQuery, DeliveryRange } from '../../../engine/index.ts'
import type { Checkpoint, OriginalDelivery, RedeliverablePage, Sealer } from '../../node/deliveries.ts'
import type { Database, Statement } from '../database.ts'
import { createHistory, createLastPhases } from './attempts.ts'
import { type Terms, termsOf, unsentTerms, withEndpoints } from './filter.ts'
import { isClaimed } from './open.ts'
import { pageSql } from './page-sql.ts'
import { type DeliveryRow, demandSecret, detailOf, originalOf, recordOf, shownUrl, type WithBodies } from './rows.ts'
import { createLookThrough, cursorOf, type SearchSlice, type Slice } from './search.ts'

/** Reads deliveries outside of transactions. */
export interface DeliveryLog {
  checkpoint(): Checkpoint | undefined
  lastTold(endpointId: string, throttle: string): number | undefined
  page(query: DeliveryQuery, range: DeliveryRange): DeliveryPage
  /** Looks for a text in lower case in the bodies of the next deliveries. */
  search(...slice: Parameters<SearchSlice>): Slice
  businessOf(id: string): number | undefined
  find(businessId: number, id: string): DeliveryDetail | undefined
  original(businessId: number, id: string): OriginalDelivery | undefined
  unsent(query: DeliveryQuery, limit: number, after?: string): RedeliverablePage
}

/** Creates the log of an open file. */
export function createDeliveryLog(database: Database, box: Sealer): DeliveryLog {
  const one = database.prepare(
    `SELECT d.*, ${isClaimed} AS is_claimed, b.bytes, n.bytes AS native_bytes FROM deliveries d
     JOIN bodies b ON b.body = d.body LEFT JOIN bodies n ON n.body = d.native WHERE d.id = ? AND d.business = ?`,
  )
  const historyOf = createHistory(database)
  const business = database.prepare('SELECT business FROM deliveries WHERE id = ?')
  const checkpoint = database.prepare('SELECT position, stream, revision, id FROM checkpoint')
  const told = database.prepare('SELECT at FROM told WHERE endpoint = ? AND throttle = ?')

  function rowOf(businessId: number, id: string): WithBodies | undefined {
    return one.get(id, businessId) as WithBodies | undefined
  }

  return {
    ...createPages(database, box),
    checkpoint: () => {
      const row = checkpoint.get() as Checkpoint | undefined
      return row === undefined ? undefined : { ...row }
    },
    lastTold: (endpointId, throttle) => (told.get(endpointId, throttle) as { readonly at: number } | undefined)?.at,
    businessOf: (id) => (business.get(id) as { readonly business: number } | undefined)?.business,
    find: (businessId, id) => {
      const row = rowOf(businessId, id)
      return row === undefined ? undefined : detailOf(row, historyOf(row.number), box)
    },
    original: (businessId, id) => {
      const row = rowOf(businessId, id)
      return row === undefined ? undefined : originalOf(row, box)
    },
  }
}

/** Creates what reads the deliveries of a query, part by part. */
function createPages(database: Database, box: Sealer): Pick<DeliveryLog, 'page' | 'search' | 'unsent'> {
  const prepare = createStatements(database)
  const endpoints = createEndpointSearch(database, box)
  const lastPhases = createLastPhases(database)
  const shownOf = (row: DeliveryRow) => recordOf(row, lastPhases(row), box)
  const lookThrough = createLookThrough(database, shownOf, box)
  const place = database.prepare('SELECT created, number FROM deliveries WHERE id = ?')

  function count(terms: Terms): number {
    const { from, where, values } = withEndpoints(terms)
    return (prepare(`SELECT count(*) AS count FROM ${from} WHERE ${where}`).get(...values) as { count: number }).count
  }

  function rowsOf(terms: Terms, range: DeliveryRange): readonly DeliveryRow[] {
    const { sql, values } = pageSql(terms, range)
    return prepare(sql).all(...values) as readonly DeliveryRow[]
  }

  return {
    page: (query, { limit, ...from }) => {
      const terms = termsOf(query, endpoints(query))
      const rows = rowsOf(terms, { limit: limit + 1, ...from })
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        deliveries: shown.map(shownOf),
        ...(last === undefined ? {} : { next: cursorOf(last) }),
        ...(from.cursor === undefined ? { total: count(terms) } : {}),
      }
    },
    search: (query, text, cursor, bounds) => {
      demandSecret(box)
      const range = { limit: bounds.deliveries + 1, offset: 0, ...(cursor === undefined ? {} : { cursor }) }
      const rows = rowsOf(termsOf(query, endpoints(query)), range)
      const looked = lookThrough(rows, text, bounds)
      return { ...looked, isEnd: looked.deliveries === rows.length }
    },
    unsent: (query, limit, after) => {
      const terms = unsentTerms(query, endpoints(query))
      const { created = 0, number = 0 } = (place.get(after ?? '') ?? {}) as Partial<DeliveryRow>
      const sql = `SELECT id, owner, endpoint AS endpointId FROM ${terms.from}
        WHERE ${terms.where} AND (d.created, d.number) > (?, ?) ORDER BY d.created, d.number LIMIT ? + 0`
      const rows = prepare(sql).all(...terms.values, created, number, limit) as RedeliverablePage['deliveries']
      const deliveries = rows.map((row) => ({ ...row }))
      // Counting reads all rows, so it is done once.
      return after === undefined ? { deliveries, total: count(terms) } : { deliveries }
    },
  }
}

/** Prepares one statement per shape of query. */
function createStatements(database: Database): (sql: string) => Statement {
  const prepared = new Map<string, Statement>()
  return (sql) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
}

/** Jumps from endpoint to endpoint of a business, so the cost does not depend on the number of its deliveries. */
const endpointsOfBusiness = `WITH RECURSIVE ends (endpoint) AS (
    SELECT min(endpoint) FROM deliveries WHERE business = ?1
    UNION ALL
    SELECT (SELECT min(endpoint) FROM deliveries WHERE business = ?1 AND endpoint > ends.endpoint)
    FROM ends WHERE ends.endpoint IS NOT NULL
  )
  SELECT endpoint, (SELECT url FROM deliveries WHERE business = ?1 AND endpoint = ends.endpoint LIMIT 1) AS url
  FROM ends WHERE endpoint IS NOT NULL`

/** Finds the endpoints of a business that have a part of a URL; `undefined` if the query asks for none. */
function createEndpointSearch(database: Database, box: Sealer) {
  const all = database.prepare(endpointsOfBusiness)
  return ({ businessId, url }: DeliveryQuery): readonly string[] | undefined => {
    if (url === undefined) return undefined
    const rows = all.all(businessId) as readonly Pick<DeliveryRow, 'endpoint' | 'url'>[]
    return rows.filter((row) => shownUrl(row.url, box).includes(url)).map(({ endpoint }) => endpoint)
  }
}
