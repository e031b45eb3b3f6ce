import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** Refuses a subject that names an order of another business, with `other_business`. */
export type SubjectGuard = (subject: Subject) => Promise<void>

/** The guard for a caller that reports for one business; undefined for all others. Looks up each order once. */
export function subjectGuardOf(context: Context): SubjectGuard | undefined {
  const { businessId } = context.caller
  if (businessId === undefined) return undefined
  const known = new Map<string, Promise<readonly number[]>>()
  return async (subject) => {
    const name = JSON.stringify([subject.tracking_number, subject.order_id])
    const businesses = known.get(name) ?? context.ports.tracking.businessesOf(context, subject)
    known.set(name, businesses)
    if ((await businesses).some((id) => id !== businessId)) throw new EngineError('other_business')
  }
}
