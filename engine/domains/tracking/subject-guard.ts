import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { waitFirst } from '../../kernel/steps.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { otherForms } from './gs1-key.ts'
import { identifiersOf, publicKinds, publicSubject } from './identifiers.ts'
import type { Workspace } from './workspace.ts'

/**
 * Keeps a caller that reports for one business from what belongs to another; refuses with `other_business`. Made for passes:
 * what is not known yet is waited for first.
 */
export interface SubjectGuard {
  /** Refuses a subject that names an order of another business. */
  admit(subject: Subject): void
  /**
   * Refuses to open a timeline under a number by which the public finds one of another business, whatever kind of number
   * that is there. An order of the caller's own business keeps its number.
   */
  admitNew(subject: Subject, workspace: Pick<Workspace, 'assignments' | 'timeline'>): void
}

/** The guard for a caller that reports for one business; undefined for all others. Looks up each order once. */
export function subjectGuardOf(context: Context): SubjectGuard | undefined {
  const { businessId } = context.caller
  if (businessId === undefined) return undefined
  const known = new Map<string, readonly number[]>()

  function businessesOf(subject: Subject): readonly number[] {
    const name = JSON.stringify([subject.tracking_number, subject.order_id])
    const ask = async () => known.set(name, await context.ports.tracking.businessesOf(context, subject))
    return known.get(name) ?? waitFirst(ask())
  }

  function admit(subject: Subject): void {
    if (businessesOf(subject).some((id) => id !== businessId)) throw new EngineError('other_business')
  }

  return {
    admit,
    admitNew: (subject, workspace) => {
      if (businessesOf(subject).length > 0) return
      for (const { value } of identifiersOf(publicSubject(subject))) {
        for (const form of [value, ...otherForms(value)]) {
          for (const kind of publicKinds) {
            const assignments = workspace.assignments({ kind, value: form })
            for (const { timeline } of assignments) admit(workspace.timeline(timeline).subject)
          }
        }
      }
    },
  }
}
