import type { Attempted, Box } from '../../deliveries.ts'
import type { Database } from '../database.ts'
import { createIsForgotten } from './forget.ts'

/** What becomes of what was claimed; each within a transaction that somebody else has begun. */
export interface Settling {
  record(attempted: Attempted): void
  skip(ids: readonly string[]): void
  release(ids: readonly string[]): void
  revive(businessId: number, id: string, now: number): boolean
}

interface Settled {
  readonly number: number
  readonly body: number
}

/** What settles the deliveries in an open file. */
export function createSettling(database: Database, box: Box): Settling {
  const settle = database.prepare(
    `UPDATE deliveries SET state = ?, due = coalesce(?, due), attempts = ?, last_status = ?, last_failure = ?
     WHERE id = ? AND (state = 'sending' OR (state = 'failed' AND is_test = 1)) AND attempts = ? - 1 RETURNING number, body`,
  )
  const insert = database.prepare(
    `INSERT INTO attempts (delivery, number, started, duration, status, failure, request_headers, response_headers,
       response_body, is_cut) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const turn = database.prepare("UPDATE deliveries SET state = ? WHERE id = ? AND state = 'sending'")
  const giveUp = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")
  const isForgotten = createIsForgotten(database, box)
  const revive = database.prepare(
    `UPDATE deliveries SET state = 'waiting', due = ?, earlier = attempts
     WHERE id = ? AND business = ? AND state = 'dead' RETURNING number`,
  )

  function record({ id, attempt, state, dueAt }: Attempted) {
    const { number, status = null, failure = null } = attempt
    const due = dueAt === undefined ? null : Math.trunc(dueAt)
    const row = settle.get(state, due, number, status, failure, id, number) as Settled | undefined
    if (row === undefined) return
    const isGone = isForgotten(row.body)
    if (isGone && state === 'waiting') giveUp.run(row.number)
    insert.run(
      ...[row.number, number, Math.trunc(attempt.startedAt), attempt.duration, status, failure],
      ...[JSON.stringify(attempt.requestHeaders), JSON.stringify(attempt.responseHeaders)],
      ...[box.seal(Buffer.from(isGone ? '' : attempt.responseBody)), Number(attempt.isResponseCut)],
    )
  }

  function turnAll(ids: readonly string[], state: string) {
    for (const id of ids) turn.run(state, id)
  }

  return {
    record,
    skip: (ids) => turnAll(ids, 'skipped'),
    release: (ids) => turnAll(ids, 'waiting'),
    revive: (businessId, id, now) => revive.get(Math.trunc(now), id, businessId) !== undefined,
  }
}
