/** Something that a check of a store has found to be wrong. */
export interface Damage {
  /** What was held against what: `file`, `checksum`, `revisions`, ... */
  readonly check: string
  /** Where: a stream and a revision, a table, a file. */
  readonly place: string
  readonly problem: string
}

/** Takes each damage as it is found. */
export type ReportDamage = (damage: Damage) => void

/** How far a long work has come, in units of its own. */
export type ReportProgress = (done: number, total: number) => void
