import type { DeliveryQuery, DeliveryState } from '../../../engine/index.ts'
import type { SqlValue } from '../database.ts'
import { isClaimed, isUndelivered } from './open.ts'

/** SQL conditions on the rows `d` of `deliveries`, with parameter values in order. */
export interface Terms {
  readonly where: string
  readonly values: readonly SqlValue[]
}

type Term = readonly [sql: string, value: SqlValue]

/** A query as SQL; a list is one parameter, whatever its length. */
export function termsOf(query: DeliveryQuery): Terms {
  const terms: readonly Term[] = [
    ['d.business = ?', query.businessId],
    ...termOf('d.customer = ?', query.customerId),
    ...termOf('d.owner = ?', query.owner),
    ...termOf('d.endpoint = ?', query.endpointId),
    ...termOf('d.channel = ?', query.channel),
    ...termOf('d.event = ?', query.event),
    ...(query.state === undefined ? [] : [stateTerm(query.state)]),
    ...termOf('d.subject = ?', query.subject),
    ...termOf('d.created >= ?', query.since),
    ...termOf('d.created < ?', query.until),
  ]
  const where = terms.map(([sql]) => sql).join(' AND ')
  return {
    where: query.state?.every(isFailure) === true ? `${where} AND d.${isUndelivered}` : where,
    values: terms.map(([, value]) => value),
  }
}

/** Deliveries of a query that are finished, not tests and not sent again yet. */
export function unsentTerms(query: DeliveryQuery): Terms {
  const { where, values } = termsOf(query)
  const isUnsent = `d.state NOT IN ('waiting', 'sending') AND d.is_test = 0
    AND NOT EXISTS (SELECT 1 FROM deliveries r WHERE r.redelivery_of = d.id)`
  return { where: `${where} AND ${isUnsent}`, values }
}

/** Deliveries that are being sent have the state `waiting` in the file. */
function stateTerm(states: readonly DeliveryState[]): Term {
  const sql = 'd.state IN (SELECT value FROM json_each(?))'
  const [waiting, sending] = [states.includes('waiting'), states.includes('sending')]
  if (waiting === sending) return [sql, JSON.stringify(states)]
  return [sending ? `(${sql} OR ${isClaimed})` : `${sql} AND NOT ${isClaimed}`, JSON.stringify(states)]
}

function termOf(sql: string, value: SqlValue | undefined): readonly Term[] {
  return value === undefined ? [] : [[sql, value]]
}

function isFailure(state: DeliveryState): boolean {
  return state === 'failed' || state === 'dead' || state === 'skipped'
}
