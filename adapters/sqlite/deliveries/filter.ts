import type { DeliveryQuery, DeliveryState } from '../../../engine/index.ts'
import type { SqlValue } from '../database.ts'
import { isClaimed, isUndelivered, isUnusualStatus, openStates, usualStatus } from './open.ts'

/** SQL conditions on the rows `d` of `deliveries`, with parameter values in order. */
export interface Terms {
  /** The table and, where one is known to be best, its index. */
  readonly from: string
  readonly where: string
  readonly values: readonly SqlValue[]
  /** The only endpoints, where these are several. */
  readonly endpoints?: readonly string[]
}

type Term = readonly [sql: string, value: SqlValue]

/** The most endpoints whose orders are merged. More of them have so much of the log that its order is read. */
const maxMerged = 100

/**
 * A query as SQL; a list is one parameter, whatever its length. `endpoints` are those at the URL of the query, which is
 * sealed in the file.
 */
export function termsOf(query: DeliveryQuery, endpoints?: readonly string[]): Terms {
  const terms: readonly Term[] = [
    ['d.business = ?', query.businessId],
    ...termOf('d.customer = ?', query.customerId),
    ...termOf('d.owner = ?', query.owner),
    ...termOf('d.endpoint = ?', query.endpointId),
    ...termOf('d.endpoint = ?', endpoints?.length === 1 ? endpoints[0] : undefined),
    ...termOf('d.channel = ?', query.channel),
    ...termOf('d.event = ?', query.event),
    ...termOf('d.event_id = ?', query.eventId),
    ...termOf('d.last_failure IS NOT NULL AND d.last_failure = ?', query.failure),
    ...statusTerm(query.status),
    ...termOf('d.id IN (SELECT value FROM json_each(?))', query.ids && JSON.stringify(query.ids)),
    ...(query.state === undefined ? [] : [stateTerm(query.state)]),
    ...termOf('d.subject = ?', query.subject),
    ...termOf('d.created >= ?', query.since),
    ...termOf('d.created < ?', query.until),
  ]
  const where = terms.map(([sql]) => sql).join(' AND ')
  const index = indexFor(query, endpoints)
  return {
    from: `deliveries d${index === undefined ? '' : ` INDEXED BY ${index}`}`,
    where: query.state?.every(isFailure) === true ? `${where} AND d.${isUndelivered}` : where,
    values: terms.map(([, value]) => value),
    ...(endpoints === undefined || endpoints.length === 1 ? {} : { endpoints }),
  }
}

/** Whether a page merges the orders of some endpoints. */
export function isMerged({ endpoints }: Terms): boolean {
  return endpoints !== undefined && endpoints.length < maxMerged
}

/** The terms with the endpoints as one of them. */
export function withEndpoints({ endpoints, ...terms }: Terms): Terms {
  if (endpoints === undefined) return terms
  const where = `${terms.where} AND d.endpoint IN (SELECT value FROM json_each(?))`
  return { ...terms, where, values: [...terms.values, JSON.stringify(endpoints)] }
}

/** Deliveries of a query that are finished, not tests and not sent again yet. */
export function unsentTerms(query: DeliveryQuery, endpoints?: readonly string[]): Terms {
  const terms = termsOf(query, endpoints)
  const { where, values } = withEndpoints(terms)
  // All that several endpoints failed to get is less than all that was sent to them.
  const isFailed = terms.endpoints !== undefined && query.state?.every(isFailure)
  const from = isFailed ? 'deliveries d INDEXED BY undelivered' : terms.from
  const isUnsent = `d.state NOT IN ('waiting', 'sending') AND d.is_test = 0
    AND NOT EXISTS (SELECT 1 FROM deliveries r WHERE r.redelivery_of = d.id)`
  return { from, where: `${where} AND ${isUnsent}`, values }
}

/** Deliveries that are being sent have the state `waiting` in the file. */
function stateTerm(states: readonly DeliveryState[]): Term {
  const sql = 'd.state IN (SELECT value FROM json_each(?))'
  const [waiting, sending] = [states.includes('waiting'), states.includes('sending')]
  const open = isOpen(states) ? `${openStates} AND ` : ''
  if (waiting === sending) return [`${open}${sql}`, JSON.stringify(states)]
  return [`${open}${sending ? `(${sql} OR ${isClaimed})` : `${sql} AND NOT ${isClaimed}`}`, JSON.stringify(states)]
}

/** The narrowest index, named because the planner does not know how many rows share a value. */
function indexFor(query: DeliveryQuery, endpoints: readonly string[] | undefined): string | undefined {
  if (query.ids !== undefined) return undefined
  if (query.eventId !== undefined) return 'deliveries_of_event'
  if (query.subject !== undefined) return 'deliveries_of_subject'
  if (query.endpointId !== undefined || (endpoints && endpoints.length < maxMerged)) return 'deliveries_of_endpoint'
  // A customer has far less than its business, so this comes before what the whole business has.
  if (query.customerId !== undefined) return 'deliveries_of_customer'
  if (query.failure !== undefined) return 'deliveries_by_failure'
  if (query.status !== undefined && query.status !== usualStatus) return 'deliveries_by_status'
  if (query.event !== undefined) return 'deliveries_of_type'
  if (query.state?.every(isFailure)) return 'undelivered'
  if (query.state !== undefined && isOpen(query.state)) return 'open_deliveries'
  return query.channel === undefined ? undefined : 'deliveries_of_channel'
}

/** The condition of the index, exactly, where it holds. */
function statusTerm(status: number | undefined): readonly Term[] {
  return termOf(status === usualStatus ? 'd.last_status = ?' : `d.${isUnusualStatus} AND d.last_status = ?`, status)
}

function termOf(sql: string, value: SqlValue | undefined): readonly Term[] {
  return value === undefined ? [] : [[sql, value]]
}

/** Whether all states are those of the index of open deliveries. */
function isOpen(states: readonly DeliveryState[]): boolean {
  return states.length > 0 && states.every((state) => state === 'waiting' || state === 'sending')
}

function isFailure(state: DeliveryState): boolean {
  return state === 'failed' || state === 'dead' || state === 'skipped'
}
