import { en, isEngineError, messageOf } from '../../engine/index.ts'

/** A problem that a check of a store has found. */
export interface Damage {
  /** The kind of check: `file`, `checksum`, `revisions`, ... */
  readonly check: string
  /** The place of the problem: a stream and a revision, a table, a file. */
  readonly place: string
  readonly problem: string
}

/** Called with each problem. */
export type ReportDamage = (damage: Damage) => void

/** Called with the progress of a long task, in its own units. */
export type ReportProgress = (done: number, total: number) => void

/** What went wrong, in English, as the report of a check says it. */
export function problemOf(error: unknown): string {
  if (isEngineError(error)) return messageOf(error.code, error.params, en)
  return error instanceof Error ? error.message : String(error)
}
