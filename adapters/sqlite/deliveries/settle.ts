import type { AttemptResult, Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { emptyBody, isErased } from './erase.ts'
import { held, isClaimed } from './open.ts'

/** Records the results of claimed deliveries, inside the caller's transaction. */
export interface Settling {
  record(attempted: AttemptResult): void
  skip(ids: readonly string[]): void
  release(ids: readonly string[]): void
  revive(businessId: number, id: string, now: number): boolean
}

interface Settled {
  readonly number: number
  /** Whether its body was erased. */
  readonly isForgotten: number | null
}

/** Creates the recorder of an open file. */
export function createSettling(database: Database, box: Sealer): Settling {
  const settle = database.prepare(
    `UPDATE deliveries AS d SET state = ?, due = coalesce(?, due), attempts = ?, last_status = ?, last_failure = ?
     WHERE id = ? AND (${isClaimed} OR (is_test = 1 AND state IN ('sending', 'failed'))) AND attempts = ? - 1
     RETURNING number, ${isErased} AS isForgotten`,
  )
  const insert = database.prepare(
    `INSERT INTO attempts (delivery, number, started, duration, status, failure, request_headers, response_headers,
       response_body, is_cut) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const skip = database.prepare(`UPDATE deliveries AS d SET state = 'skipped' WHERE id = ? AND ${isClaimed}`)
  const release = database.prepare('DELETE FROM claimed WHERE number = (SELECT number FROM deliveries WHERE id = ?)')
  // Another process, which held the lease before, has recorded this attempt; this process drops the delivery.
  const overtaken = database.prepare(
    'DELETE FROM claimed WHERE number = (SELECT number FROM deliveries WHERE id = ?) AND attempt = ?',
  )
  const giveUp = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")
  let name: Uint8Array | undefined
  const revive = database.prepare(
    `UPDATE deliveries AS d SET state = 'waiting', due = ?, earlier = iif(state = 'dead', attempts, earlier)
     WHERE id = ? AND business = ? AND state IN ('dead', 'waiting') AND due <> ${held} AND NOT ${isClaimed} RETURNING number`,
  )

  function record({ id, attempt, state, dueAt }: AttemptResult) {
    const { number, status = null, failure = null } = attempt
    const due = dueAt === undefined ? null : Math.trunc(dueAt)
    name ??= box.name(emptyBody)
    const row = settle.get(state, due, number, status, failure, id, number, name) as Settled | undefined
    if (row === undefined) return void overtaken.run(id, number)
    const isGone = row.isForgotten === 1
    if (isGone && state === 'waiting') giveUp.run(row.number)
    insert.run(
      ...[row.number, number, Math.trunc(attempt.startedAt), attempt.duration, status, failure],
      ...[JSON.stringify(attempt.requestHeaders), JSON.stringify(attempt.responseHeaders)],
      ...[box.seal(Buffer.from(isGone ? '' : attempt.responseBody)), Number(attempt.isResponseCut)],
    )
  }

  return {
    record,
    skip: (ids) => {
      for (const id of ids) {
        skip.run(id)
        release.run(id)
      }
    },
    release: (ids) => {
      for (const id of ids) release.run(id)
    },
    revive: (businessId, id, now) => revive.get(Math.trunc(now), id, businessId) !== undefined,
  }
}
