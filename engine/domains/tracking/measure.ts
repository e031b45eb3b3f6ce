import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { passed } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import { placeEvent } from './place.ts'
import { reservedNames } from './reserved-names.ts'
import { subjectGuardOf } from './subject-guard.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

/** A thing that was measured, by whom, and when (epoch milliseconds). */
interface Measured {
  readonly subject: Subject
  readonly provider: string
  readonly at: number
}

/** The timeline of a measured thing. */
interface PlacedThing {
  readonly timeline: StreamName
  readonly subject: Subject
  readonly isErased: boolean
}

/**
 * Finds the timeline of a measured thing as events find theirs, or opens it; the appends note in it that it was measured. Throws
 * the refusals of events.
 */
export async function placeMeasured(
  context: Context,
  { subject, provider, at }: Measured,
): Promise<PlacedThing & { readonly appends: readonly Append[] }> {
  const workspace = createWorkspace(context)
  const guard = subjectGuardOf(context)
  const now = context.clock()
  const thing = await passed(() => {
    guard?.admit(subject)
    const admit = guard && { admit: guard.admit }
    const placed = placeEvent(workspace, { subject, provider, at, now, ...admit, isIn: () => false })
    const known = workspace.timeline(placed.timeline)
    guard?.admit(known.subject)
    if (known.entries.length === 0) guard?.admitNew(subject, workspace)
    for (const { identifier, from, providers } of placed.claims)
      workspace.assign(identifier, placed.timeline, from, providers)
    noteReadings(workspace, placed.timeline, { subject, provider, now })
    const { isErased, subject: all } = workspace.timeline(placed.timeline)
    return { timeline: placed.timeline, subject: all, isErased }
  })
  const names = await reservedNames(context, [{ provider, outcome: 'accepted' }])
  return { ...thing, appends: [...workspace.appends(), ...names] }
}

/** Notes in a timeline that the thing was measured, unless it is noted. */
export function noteReadings(
  workspace: Workspace,
  timeline: StreamName,
  noted: { readonly subject: Subject; readonly provider: string; readonly now: number },
): void {
  workspace.record(timeline, tracking.decide({ type: 'NoteReadings', ...noted }, workspace.timeline(timeline)))
}
