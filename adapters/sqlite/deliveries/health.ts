import {
  type AttemptFailure,
  type EndpointHealth,
  goneStatus,
  type HealthPeriod,
  latencyBounds,
} from '../../../engine/index.ts'
import type { CopiedAttempt, HealthNotice } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'

/** The health of endpoints: their last answers, and how many attempts ended how in each period. */
export interface HealthBook {
  /** Counts an attempt of a delivery; it is written by `flush`. */
  count(delivery: number, endpoint: string, attempt: CopiedAttempt): void
  /** Writes what was counted, inside the caller's transaction. */
  flush(): void
  /** Forgets what was counted, because its transaction failed. */
  drop(): void
  of(endpointId: string, now: number): EndpointHealth | undefined
  /** Endpoints whose health has to be reviewed. */
  notices(limit: number): readonly HealthNotice[]
  /** An endpoint was reviewed in the state of a notice; does nothing if its state has changed since. */
  reviewed(notice: HealthNotice): void
  /** Deletes what is older than a week, and endpoints without an attempt since an instant. */
  purge(before: number, limit: number): void
}

/** Milliseconds of a period. */
const period = 600_000

/** Milliseconds of failure after which an endpoint counts as failing. */
const failingAfter = 600_000

/** Milliseconds between two reviews of an endpoint that goes on failing. */
const reviewEvery = 3_600_000

const hour = 3_600_000

const spans = { hour, day: 24 * hour, week: 168 * hour } as const

/** The columns of attempts that were delivered, by latency. */
const steps = [...latencyBounds.map((bound) => `within_${bound}`), 'slower']

/** `review` is set when an endpoint begins to fail, goes on failing, is gone or recovers, until somebody has looked after it. */
export const healthSchema = `
CREATE TABLE endpoints (
  number INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  failing_since INTEGER,
  is_failing INTEGER NOT NULL DEFAULT 0,
  review INTEGER NOT NULL DEFAULT 0,
  reviewed INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER NOT NULL DEFAULT 0,
  last_duration REAL NOT NULL DEFAULT 0,
  last_status INTEGER,
  last_failure TEXT
) STRICT;
CREATE INDEX endpoints_to_review ON endpoints (number) WHERE review = 1;
CREATE TABLE endpoint_periods (
  endpoint INTEGER NOT NULL,
  start INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  ${steps.map((step) => `${step} INTEGER NOT NULL`).join(', ')},
  PRIMARY KEY (endpoint, start)
) STRICT, WITHOUT ROWID;
`

type Attempt = CopiedAttempt

interface Counted {
  readonly delivery: number
  readonly counts: Map<number, number[]>
  last: Attempt
  /** The first attempt that failed since the last one that did not. */
  failingSince: number | undefined
  hasDelivered: boolean
}

interface EndpointRow {
  readonly number: number
  readonly endpoint: string
  readonly owner: string
  readonly failing_since: number | null
  readonly is_failing: number
  readonly last_at: number
  readonly last_duration: number
  readonly last_status: number | null
  readonly last_failure: AttemptFailure | null
}

/** Creates the health of an open file. */
export function createHealth(database: Database): HealthBook {
  const counted = new Map<string, Counted>()
  const write = createWriter(database)
  const one = database.prepare('SELECT * FROM endpoints WHERE endpoint = ?')
  const sums = ['failed', ...steps].map((column) => `coalesce(sum(${column}), 0)`).join(', ')
  const since = database.prepare(
    `SELECT json_array(${sums}) AS counts FROM endpoint_periods WHERE endpoint = ? AND start > ?`,
  )
  const hours = database.prepare(
    `SELECT start / ${hour} AS hour, json_array(${sums}) AS counts FROM endpoint_periods
     WHERE endpoint = ? AND start >= ? GROUP BY 1 ORDER BY 1`,
  )
  const review = database.prepare(
    'SELECT * FROM endpoints INDEXED BY endpoints_to_review WHERE review = 1 ORDER BY number LIMIT ? + 0',
  )
  const reviewed = database.prepare(
    'UPDATE endpoints SET review = 0 WHERE endpoint = ? AND is_failing = ? AND last_at = ?',
  )
  const old = createHealthPurge(database)

  return {
    count: (delivery, endpoint, attempt) => {
      const found = counted.get(endpoint)
      if (found === undefined) counted.set(endpoint, add(newCounted(delivery, attempt), attempt))
      else add(found, attempt)
    },
    flush: () => {
      for (const [endpoint, counts] of counted) write(endpoint, counts)
      counted.clear()
    },
    drop: () => counted.clear(),
    of: (endpointId, now) => {
      const row = one.get(endpointId) as EndpointRow | undefined
      if (row === undefined) return undefined
      const tally = (span: number) => {
        const { counts } = since.get(row.number, now - span - period) as { readonly counts: string }
        return periodOf(counts)
      }
      const rows = hours.all(row.number, now - spans.week) as readonly { hour: number; counts: string }[]
      return {
        ...stateOf(row),
        hour: tally(spans.hour),
        day: tally(spans.day),
        week: tally(spans.week),
        hours: rows.map(({ hour: at, counts }) => ({ start: at * hour, ...periodOf(counts) })),
      }
    },
    notices: (limit) => (review.all(limit) as readonly EndpointRow[]).map(noticeOf),
    reviewed: ({ endpointId, isFailing, at }) => void reviewed.run(endpointId, Number(isFailing), at),
    purge: old,
  }
}

function newCounted(delivery: number, last: Attempt): Counted {
  return { delivery, counts: new Map(), last, failingSince: undefined, hasDelivered: false }
}

/** Adds an attempt to what is not written yet. */
function add(counted: Counted, attempt: Attempt): Counted {
  const { startedAt, duration, failure } = attempt
  const at = startedAt + duration
  const start = Math.floor(at / period) * period
  const counts = counted.counts.get(start) ?? [0, ...steps.map(() => 0)]
  const found = latencyBounds.findIndex((bound) => duration <= bound)
  const index = failure === undefined ? 1 + (found === -1 ? latencyBounds.length : found) : 0
  counts[index] = (counts[index] ?? 0) + 1
  counted.counts.set(start, counts)
  counted.last = attempt
  if (failure === undefined) counted.hasDelivered = true
  counted.failingSince = failure === undefined ? undefined : (counted.failingSince ?? at)
  return counted
}

function createWriter(database: Database) {
  const create = database.prepare(
    `INSERT INTO endpoints (endpoint, owner) SELECT endpoint, owner FROM deliveries WHERE number = ?
     ON CONFLICT DO NOTHING`,
  )
  // What was failing before goes on failing, unless an attempt was delivered meanwhile.
  const settle = database.prepare(
    `UPDATE endpoints SET failing_since = iif(?1, ?2, coalesce(failing_since, ?2)), last_at = ?3, last_duration = ?4,
       last_status = ?5, last_failure = ?6 WHERE endpoint = ?7 RETURNING number`,
  )
  const judge = database.prepare(
    `UPDATE endpoints SET is_failing = ?2, review = 1, reviewed = ?3 WHERE number = ?1 AND CASE ?2
       WHEN 1 THEN ?3 - failing_since >= ${failingAfter} AND (is_failing = 0 OR ?3 - reviewed >= ${reviewEvery})
       ELSE is_failing = 1 END`,
  )
  const gone = database.prepare('UPDATE endpoints SET review = 1 WHERE number = ?')
  const columns = ['failed', ...steps]
  const upsert = database.prepare(
    `INSERT INTO endpoint_periods (endpoint, start, ${columns.join(', ')}) VALUES (?, ?${columns.map(() => ', ?').join('')})
     ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')}`,
  )

  return (endpoint: string, { delivery, counts, last, failingSince, hasDelivered }: Counted) => {
    const { startedAt, duration, status = null, failure = null } = last
    const at = Math.trunc(startedAt + duration)
    const since = failingSince === undefined ? null : Math.trunc(failingSince)
    const values = [Number(hasDelivered), since, at, duration, status, failure, endpoint] as const
    const find = () => settle.get(...values) as { readonly number: number } | undefined
    let found = find()
    if (found === undefined) {
      create.run(delivery)
      found = find()
    }
    if (found === undefined) return
    const { number } = found
    judge.run(number, Number(since !== null), at)
    if (failure !== null && status === goneStatus) gone.run(number)
    for (const [start, row] of counts) upsert.run(number, start, ...row)
  }
}

function createHealthPurge(database: Database): HealthBook['purge'] {
  const oldPeriods = database.prepare(
    `DELETE FROM endpoint_periods WHERE (endpoint, start) IN
       (SELECT e.number, p.start FROM endpoints e CROSS JOIN endpoint_periods p ON p.endpoint = e.number AND p.start < ?
        LIMIT ? + 0)`,
  )
  const oldEndpoints = database.prepare('DELETE FROM endpoints WHERE last_at < ?')
  return (before, limit) => {
    oldPeriods.run(before + (90 - 8) * 24 * hour, 100 * limit)
    oldEndpoints.run(before)
  }
}

function periodOf(counts: string): HealthPeriod {
  const [failed = 0, ...latencies] = JSON.parse(counts) as readonly number[]
  return { failed, latencies }
}

function stateOf({ failing_since, is_failing, last_at, last_duration, last_status, last_failure }: EndpointRow) {
  return {
    isFailing: is_failing === 1,
    ...(failing_since === null ? {} : { failingSince: failing_since }),
    lastAt: last_at,
    lastDuration: last_duration,
    ...(last_status === null ? {} : { lastStatus: last_status }),
    ...(last_failure === null ? {} : { lastFailure: last_failure }),
  }
}

function noticeOf(row: EndpointRow): HealthNotice {
  const { endpoint: endpointId, owner, failing_since, is_failing, last_at: at, last_status, last_failure } = row
  return {
    ...{ endpointId, owner, at, isFailing: is_failing === 1 },
    ...(failing_since === null ? {} : { failingSince: failing_since }),
    ...(last_status === null ? {} : { status: last_status }),
    ...(last_failure === null ? {} : { failure: last_failure }),
  }
}
