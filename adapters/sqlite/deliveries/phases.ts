import { type AttemptPhase, type AttemptRecord, attemptPhases, type DeliveryRecord } from '../../../engine/index.ts'
import type { SqlValue } from '../database.ts'

/** The columns with the phases of an attempt, null for what there was not. */
export type PhaseRow = Readonly<Record<AttemptPhase, number | null>> & { readonly failed_phase: AttemptPhase | null }

/** Attempts of earlier versions have no phases. */
export const phaseColumns = [...attemptPhases, 'failed_phase'] as const satisfies readonly (keyof PhaseRow)[]

type Measured = Pick<AttemptRecord, 'phases' | 'failedPhase'>

/** How long each phase took, in the order of `attemptPhases`. */
export function phaseValues({ phases }: Measured): readonly SqlValue[] {
  return attemptPhases.map((phase) => phases?.[phase] ?? null)
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
