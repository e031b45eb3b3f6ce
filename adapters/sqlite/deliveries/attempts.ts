import { type AttemptFailure, attemptPhases } from '../../../engine/index.ts'
import type { Database } from '../database.ts'
import { asLast, type LastPhases, type PhaseRow, phaseColumns, phasesIn } from './phases.ts'

/** An attempt, as `allAttempts` has it. */
export interface AttemptRow extends PhaseRow {
  readonly number: number
  readonly started: number
  readonly duration: number
  readonly status: number | null
  readonly failure: AttemptFailure | null
  readonly request_headers: string
  readonly response_headers: string
  readonly response_body: Uint8Array
  readonly is_cut: number
}

/**
 * The columns of an attempt but its outcome and the sealed answer. The JSON of a first one has their values in this order: new
 * ones go to its end.
 */
export const keptColumns = [
  ...(['started', 'duration', 'request_headers', 'response_headers', 'is_cut'] as const),
  ...attemptPhases,
] as const

const fromJson = keptColumns.map((column, at) => `first_attempt ->> ${at} AS ${column}`).join(', ')

/**
 * The attempts of the file, to be read like a table. A first one that delivered is in the row of its delivery, which it
 * changes alone; the table `attempts` has all others.
 */
export const allAttempts = `(
  SELECT delivery, number, status, failure, failed_phase, response_body, ${keptColumns.join(', ')} FROM attempts
  UNION ALL
  SELECT number, 1, last_status, NULL, NULL, first_answer, ${fromJson} FROM deliveries WHERE first_attempt IS NOT NULL
)`

/** Maximum number of attempts shown per delivery: manual retries are unlimited, and each holds a response. */
const maxAttempts = 100

/** The last attempts of a delivery, oldest first. */
export const lastAttempts = `SELECT * FROM
  (SELECT * FROM ${allAttempts} WHERE delivery = ? ORDER BY number DESC LIMIT ${maxAttempts}) ORDER BY number`

/** Creates what looks up the last attempts of a delivery in an open file. */
export function createHistory(database: Database): (delivery: number) => readonly AttemptRow[] {
  const history = database.prepare(lastAttempts)
  return (delivery) => history.all(delivery) as readonly AttemptRow[]
}

/** Creates what looks up the phases of the last attempt of a delivery in an open file. */
export function createLastPhases(database: Database) {
  const last = database.prepare(
    `SELECT ${phaseColumns.join(', ')} FROM ${allAttempts} WHERE delivery = ? AND number = ?`,
  )
  return ({ number, attempts }: { readonly number: number; readonly attempts: number }): LastPhases => {
    const row = attempts === 0 ? undefined : (last.get(number, attempts) as PhaseRow | undefined)
    return row === undefined ? {} : asLast(phasesIn(row))
  }
}
