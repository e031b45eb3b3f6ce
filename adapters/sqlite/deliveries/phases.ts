import { type AttemptPhase, type AttemptRecord, attemptPhases, type DeliveryRecord } from '../../../engine/index.ts'
import type { Database, SqlValue } from '../database.ts'

/** The columns of `attempts` with the phases of an attempt, null for what there was not. */
export type PhaseRow = Readonly<Record<AttemptPhase, number | null>> & { readonly failed_phase: AttemptPhase | null }

/** Attempts of earlier versions have no phases. */
export const phaseColumns = [...attemptPhases, 'failed_phase'] as const satisfies readonly (keyof PhaseRow)[]

type Measured = Pick<AttemptRecord, 'phases' | 'failedPhase'>

/** The values of `phaseColumns`. */
export function phaseValues({ phases, failedPhase }: Measured): readonly SqlValue[] {
  return [...attemptPhases.map((phase) => phases?.[phase] ?? null), failedPhase ?? null]
}

/** What the row of an attempt says of its phases. */
export function phasesIn(row: PhaseRow): Measured {
  const measured = attemptPhases.flatMap((phase) => (row[phase] === null ? [] : [[phase, row[phase]]]))
  return {
    ...(measured.length === 0 ? {} : { phases: Object.fromEntries(measured) }),
    ...(row.failed_phase === null ? {} : { failedPhase: row.failed_phase }),
  }
}

/** The phases of the last attempt, as the log has them. */
export type LastPhases = Pick<DeliveryRecord, 'lastPhases' | 'lastFailedPhase'>

/** The phases of an attempt as those of the last one. */
export function asLast({ phases, failedPhase }: Measured): LastPhases {
  return {
    ...(phases === undefined ? {} : { lastPhases: phases }),
    ...(failedPhase === undefined ? {} : { lastFailedPhase: failedPhase }),
  }
}

/** Creates what looks up the last attempt of a delivery in an open file. */
export function createLastPhases(database: Database) {
  const last = database.prepare(`SELECT ${phaseColumns.join(', ')} FROM attempts WHERE delivery = ? AND number = ?`)
  return ({ number, attempts }: { readonly number: number; readonly attempts: number }): LastPhases => {
    const row = attempts === 0 ? undefined : (last.get(number, attempts) as PhaseRow | undefined)
    return row === undefined ? {} : asLast(phasesIn(row))
  }
}
