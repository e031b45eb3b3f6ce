import * as v from 'valibot'
import { id } from '../../kernel/schemas.ts'

/** Problems that staff report; the clock alone opens `overdue`. */
export const reportedTypes = [
  ...(['door_left_open', 'deposit_unverified', 'item_missing'] as const),
  ...(['item_damaged', 'wrong_item', 'device_offline', 'other'] as const),
] as const

/** The severity of a problem. */
export const severity = v.picklist(['low', 'medium', 'high'])

/** A word for what was done. */
export const action = v.pipe(v.string(), v.maxLength(64), v.regex(/^[a-z0-9]+(_[a-z0-9]+)*$/))

/** A problem with a deposit or its machine (document 3, `data.exception`). */
export const problem = v.strictObject({
  id: v.pipe(id, v.description('Counted from 1 within the device order.')),
  type: v.picklist([...reportedTypes, 'overdue']),
  severity,
  status: v.picklist(['open', 'resolved', 'dismissed']),
  resolution_action: v.nullable(action),
})

/** A problem with a deposit or its machine. */
export type Problem = v.InferOutput<typeof problem>

/** What the event of a reported problem says of it. */
export interface ReportedProblem extends Pick<Problem, 'type' | 'severity'> {
  readonly exception_id: number
}

/** What the event of a settled problem says of it. */
export interface SettledProblem extends Pick<Problem, 'status' | 'resolution_action'> {
  readonly exception_id: number
}

/** The problems of a device order. */
export interface Problems {
  readonly exceptions: readonly Problem[]
}

/** A problem that was just reported. */
export function opened({ exception_id: id, type, severity }: ReportedProblem): Problem {
  return { id, type, severity, status: 'open', resolution_action: null }
}

/** The problems after one was reported. */
export function withOpened(reported: ReportedProblem, { exceptions }: Problems): readonly Problem[] {
  return [...exceptions, opened(reported)]
}

/** The problems after one was settled. */
export function withSettled(settled: SettledProblem, { exceptions }: Problems): readonly Problem[] {
  const { exception_id, status, resolution_action } = settled
  return exceptions.map((one) => (one.id === exception_id ? { ...one, status, resolution_action } : one))
}

/** A problem that was just settled. */
export function settledIn(settled: SettledProblem, before: Problems): Problem | undefined {
  return withSettled(settled, before).find(({ id }) => id === settled.exception_id)
}
