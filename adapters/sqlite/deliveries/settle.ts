import type { AttemptResult, CopiedAttempt, DeliveryChange, Sealer } from '../../node/deliveries.ts'
import type { Database, Statement } from '../database.ts'
import { emptyBody, isErased } from './erase.ts'
import type { HealthBook } from './health.ts'
import { isClaimed, pulled } from './open.ts'
import { phaseColumns, phaseValues } from './phases.ts'

/** Records the results of claimed deliveries, inside the caller's transaction. */
export interface Settling {
  record(attempted: AttemptResult): void
  /** Makes an attempt of another node; nothing if it was delivered before, or that attempt or a later one is known. */
  copy(attempted: Extract<DeliveryChange, { readonly kind: 'attempt' }>): void
  skip(ids: readonly string[]): void
  /** Skips a delivery that waits, whoever had claimed it. */
  giveUp(id: string): void
  release(ids: readonly string[]): void
  revive(businessId: number, id: string, now: number): boolean
}

interface Settled {
  readonly number: number
  /** Whether its body was erased. */
  readonly isForgotten: number | null
  readonly endpoint: string
  readonly is_test: number
}

/** An attempt and the state after it, of this node or another one. */
type Settlement = Omit<AttemptResult, 'attempt'> & {
  readonly attempt: CopiedAttempt & Partial<AttemptResult['attempt']>
}

/** Creates the recorder of an open file. */
export function createSettling(database: Database, box: Sealer, health: Pick<HealthBook, 'count'>): Settling {
  const { record, copy } = createRecording(database, box, health)
  const skip = database.prepare(`UPDATE deliveries AS d SET state = 'skipped' WHERE id = ? AND ${isClaimed}`)
  const release = database.prepare('DELETE FROM claimed WHERE number = (SELECT number FROM deliveries WHERE id = ?)')
  const skipWaiting = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE id = ? AND state = 'waiting'")
  const revive = database.prepare(
    `UPDATE deliveries AS d SET state = 'waiting', due = ?, earlier = iif(state = 'dead', attempts, earlier)
     WHERE id = ? AND business = ? AND state IN ('dead', 'waiting') AND due < ${pulled} AND NOT ${isClaimed} RETURNING number`,
  )

  return {
    record,
    copy,
    giveUp: (id) => void skipWaiting.run(id),
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

/** Creates what records attempts, of this node and of other ones. */
function createRecording(
  database: Database,
  box: Sealer,
  health: Pick<HealthBook, 'count'>,
): Pick<Settling, 'record' | 'copy'> {
  const { settle, copy, insert, overtaken, giveUp } = statementsOn(database)
  let name: Uint8Array | undefined

  /** Settles a row; an attempt of another node comes without its headers and answer. */
  function settled(row: Settled, { attempt, state }: Settlement) {
    const { number, status = null, failure = null } = attempt
    const { requestHeaders = {}, responseHeaders = {}, responseBody = '', isResponseCut = false } = attempt
    if (row.is_test === 0) health.count(row.number, row.endpoint, attempt)
    const isGone = row.isForgotten === 1
    if (isGone && state === 'waiting') giveUp.run(row.number)
    insert.run(
      ...[row.number, number, Math.trunc(attempt.startedAt), attempt.duration, status, failure],
      ...[JSON.stringify(requestHeaders), JSON.stringify(responseHeaders)],
      ...[box.seal(Buffer.from(isGone ? '' : responseBody)), Number(isResponseCut)],
      ...phaseValues(attempt),
    )
  }

  function rowIn(statement: Statement, attempted: Settlement, limit: number): Settled | undefined {
    const { id, attempt, state, dueAt, earlier } = attempted
    const { number, status = null, failure = null } = attempt
    const due = dueAt === undefined ? null : Math.trunc(dueAt)
    name ??= box.name(emptyBody)
    return statement.get(state, due, number, earlier ?? null, status, failure, id, limit, name) as Settled | undefined
  }

  return {
    record: (attempted) => {
      const row = rowIn(settle, attempted, attempted.attempt.number)
      if (row === undefined) overtaken.run(attempted.id, attempted.attempt.number)
      else settled(row, attempted)
    },
    copy: (attempted) => {
      // Where two nodes attempted at once, a success of either counts.
      const isLast = attempted.state === 'delivered'
      const row = rowIn(copy, attempted, isLast ? Number.MAX_SAFE_INTEGER : attempted.attempt.number)
      if (row !== undefined) settled(row, attempted)
    },
  }
}

/** The statements of attempts. */
function statementsOn(database: Database) {
  const change = `state = ?, due = coalesce(?, due), attempts = max(attempts, ?), earlier = coalesce(?, earlier), last_status = ?,
    last_failure = ?`
  const settle = database.prepare(
    `UPDATE deliveries AS d SET ${change}
     WHERE id = ? AND (${isClaimed} OR (is_test = 1 AND state IN ('sending', 'failed'))) AND attempts = ? - 1
     RETURNING number, endpoint, is_test, ${isErased} AS isForgotten`,
  )
  const copy = database.prepare(
    `UPDATE deliveries AS d SET ${change}
     WHERE id = ? AND state <> 'delivered'
       AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.delivery = d.number AND a.number >= ?)
     RETURNING number, endpoint, is_test, ${isErased} AS isForgotten`,
  )
  const insert = database.prepare(
    `INSERT OR IGNORE INTO attempts (delivery, number, started, duration, status, failure, request_headers, response_headers,
       response_body, is_cut, ${phaseColumns.join(', ')}) VALUES (${Array(10 + phaseColumns.length)
         .fill('?')
         .join(', ')})`,
  )
  // Another process, which held the lease before, has recorded this attempt; this process drops the delivery.
  const overtaken = database.prepare(
    'DELETE FROM claimed WHERE number = (SELECT number FROM deliveries WHERE id = ?) AND attempt = ?',
  )
  const giveUp = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")
  return { settle, copy, insert, overtaken, giveUp }
}
