import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { otherForms } from './gs1-key.ts'
import { identifiersOf, publicKinds, publicSubject } from './identifiers.ts'
import type { Workspace } from './workspace.ts'

/** Keeps a caller that reports for one business from what belongs to another; refuses with `other_business`. */
export interface SubjectGuard {
  /** Refuses a subject that names an order of another business. */
  admit(subject: Subject): Promise<void>
  /**
   * Refuses to open a timeline under a number by which the public finds one of another business, whatever kind of number
   * that is there. An order of the caller's own business keeps its number.
   */
  admitNew(subject: Subject, workspace: Pick<Workspace, 'assignments' | 'timeline'>): Promise<void>
}

/** The guard for a caller that reports for one business; undefined for all others. Looks up each order once. */
export function subjectGuardOf(context: Context): SubjectGuard | undefined {
  const { businessId } = context.caller
  if (businessId === undefined) return undefined
  const known = new Map<string, Promise<readonly number[]>>()

  function businessesOf(subject: Subject): Promise<readonly number[]> {
    const name = JSON.stringify([subject.tracking_number, subject.order_id])
    const businesses = known.get(name) ?? context.ports.tracking.businessesOf(context, subject)
    known.set(name, businesses)
    return businesses
  }

  async function admit(subject: Subject): Promise<void> {
    if ((await businessesOf(subject)).some((id) => id !== businessId)) throw new EngineError('other_business')
  }

  return {
    admit,
    admitNew: async (subject, workspace) => {
      if ((await businessesOf(subject)).length > 0) return
      for (const { value } of identifiersOf(publicSubject(subject))) {
        for (const form of [value, ...otherForms(value)]) {
          for (const kind of publicKinds) {
            const assignments = await workspace.assignments({ kind, value: form })
            for (const { timeline } of assignments) await admit((await workspace.timeline(timeline)).subject)
          }
        }
      }
    },
  }
}
