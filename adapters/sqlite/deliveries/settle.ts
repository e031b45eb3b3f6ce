import type { AttemptResult, CopiedAttempt, DeliveryChange, Sealer } from '../../node/deliveries.ts'
import type { Database, SqlValue, Statement } from '../database.ts'
import { keptColumns } from './attempts.ts'
import { emptyBody, isErased } from './erase.ts'
import { type PackedHeaders, packHeaders } from './headers.ts'
import type { HealthBook } from './health.ts'
import { isClaimed, pulled } from './open.ts'
import { phaseValues } from './phases.ts'

/** Records the results of claimed deliveries, inside the caller's transaction. */
export interface Settling {
  record(attempted: AttemptResult): void
  /** Makes an attempt of another node; nothing if it was delivered before, or that attempt or a later one is known. */
  copy(attempted: Extract<DeliveryChange, { readonly kind: 'attempt' }>): void
  skip(ids: readonly string[]): void
  /** Skips a delivery that waits, no matter who had claimed it. */
  giveUp(id: string): void
  release(ids: readonly string[]): void
  revive(businessId: number, id: string, now: number): boolean
}

/** The row of a delivery that an attempt has settled. */
interface Settled {
  readonly number: number
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
  let name: Uint8Array | undefined
  const sealing: Sealing = { box, nameOfEmpty: () => (name ??= box.name(emptyBody)) }
  const first = createFirst(database, sealing)
  const next = createNext(database, sealing)
  // Another process, which held the lease before, has recorded this attempt; this process drops the delivery.
  const overtaken = database.prepare(
    'DELETE FROM claimed WHERE number = (SELECT number FROM deliveries WHERE id = ?) AND attempt = ?',
  )

  function count(row: Settled, { attempt }: Settlement) {
    if (row.is_test === 0) health.count(row.number, row.endpoint, attempt)
  }

  return {
    record: (attempted) => {
      const row = isFirst(attempted) ? first.record(attempted) : next.record(attempted)
      if (row === undefined) overtaken.run(attempted.id, attempted.attempt.number)
      else count(row, attempted)
    },
    copy: (attempted) => {
      const row = (isFirst(attempted) ? first.copy(attempted) : undefined) ?? next.copy(attempted)
      if (row !== undefined) count(row, attempted)
    },
  }
}

/** What seals answers, and the name of the body of erased deliveries, which is made once. */
interface Sealing {
  readonly box: Sealer
  readonly nameOfEmpty: () => Uint8Array
}

/** Whether an attempt is the first one of its delivery, and the only one. */
function isFirst({ attempt: { number, failure }, state }: Settlement): boolean {
  return state === 'delivered' && number === 1 && failure === undefined
}

/** A delivery that this process sends. */
const isUnderWay = `(${isClaimed} OR (is_test = 1 AND state IN ('sending', 'failed')))`

/** Settles the row of a delivery by an attempt; `undefined` if it was overtaken. */
type Settle = (attempted: Settlement) => Settled | undefined

/** How an attempt of this node, and one of another node, settles a delivery. */
interface Settles {
  readonly record: Settle
  readonly copy: Settle
}

/** Creates what settles deliveries by their first attempts, which become a part of their rows. */
function createFirst(database: Database, { box, nameOfEmpty }: Sealing): Settles {
  const change = (condition: string): Settle => {
    const update = database.prepare(
      `UPDATE deliveries AS d SET state = 'delivered', attempts = 1, last_status = ?, last_failure = NULL, first_attempt = ?,
         first_answer = iif(${isErased}, ?, ?)
       WHERE id = ? AND ${condition} AND attempts = 0 RETURNING number, endpoint, is_test`,
    )
    return ({ id, attempt }) =>
      update.get(
        ...[attempt.status ?? null, JSON.stringify(keptOf(attempt))],
        ...[nameOfEmpty(), box.seal(emptyBody), sealedAnswerTo(attempt, box), id],
      ) as Settled | undefined
  }
  return { record: change(isUnderWay), copy: change("state <> 'delivered'") }
}

/** Creates what settles deliveries by any other attempt, which becomes a row of `attempts`. */
function createNext(database: Database, { box, nameOfEmpty }: Sealing): Settles {
  const returned = `RETURNING number, endpoint, is_test, ${isErased} AS isForgotten`
  const change = `UPDATE deliveries AS d SET state = ?, due = coalesce(?, due), attempts = max(attempts, ?),
    earlier = coalesce(?, earlier), last_status = ?, last_failure = ? WHERE id = ?`
  const record = database.prepare(`${change} AND ${isUnderWay} AND attempts = ? - 1 ${returned}`)
  const copy = database.prepare(
    `${change} AND state <> 'delivered'
       AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.delivery = d.number AND a.number >= ?) ${returned}`,
  )
  const columns = ['delivery', 'number', 'status', 'failure', 'failed_phase', 'response_body', ...keptColumns]
  const insert = database.prepare(
    `INSERT OR IGNORE INTO attempts (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const giveUp = database.prepare("UPDATE deliveries SET state = 'skipped' WHERE number = ?")

  function settle(statement: Statement, { id, attempt, state, dueAt, earlier }: Settlement, limit: number) {
    const { number, status = null, failure = null, failedPhase = null } = attempt
    const due = dueAt === undefined ? null : Math.trunc(dueAt)
    const values = [state, due, number, earlier ?? null, status, failure, id, limit, nameOfEmpty()]
    const row = statement.get(...values) as (Settled & { readonly isForgotten: number | null }) | undefined
    if (row === undefined) return undefined
    const isGone = row.isForgotten === 1
    if (isGone && state === 'waiting') giveUp.run(row.number)
    const answer = isGone ? box.seal(emptyBody) : sealedAnswerTo(attempt, box)
    insert.run(row.number, number, status, failure, failedPhase, answer, ...keptOf(attempt).map(inColumn))
    return row
  }

  return {
    record: (attempted) => settle(record, attempted, attempted.attempt.number),
    copy: (attempted) => {
      // Where two nodes attempted at once, a success of either counts.
      const isLast = attempted.state === 'delivered'
      return settle(copy, attempted, isLast ? Number.MAX_SAFE_INTEGER : attempted.attempt.number)
    },
  }
}

/** The values of `keptColumns`. An attempt of another node comes without its headers. */
function keptOf(attempt: Settlement['attempt']): readonly (SqlValue | PackedHeaders)[] {
  const { requestHeaders = {}, responseHeaders = {}, isResponseCut = false } = attempt
  return [
    ...[Math.trunc(attempt.startedAt), attempt.duration, packHeaders(requestHeaders), packHeaders(responseHeaders)],
    ...[Number(isResponseCut), ...phaseValues(attempt)],
  ]
}

function inColumn(value: SqlValue | PackedHeaders): SqlValue {
  return Array.isArray(value) ? JSON.stringify(value) : (value as SqlValue)
}

function sealedAnswerTo({ responseBody = '' }: Settlement['attempt'], box: Sealer): Uint8Array {
  return box.seal(Buffer.from(responseBody))
}
