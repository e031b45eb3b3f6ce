import type { Context, Facts } from '../../../kernel/context.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { profileNamed } from '../../../kernel/profile.ts'
import { inSteps, visitInSteps } from '../../../kernel/steps.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { namingSubject } from '../../../kernel/timeline.ts'
import { isAhead } from '../ahead.ts'
import type { TrackingEvent } from '../events.ts'
import { readState } from '../read.ts'
import { orderInSteps } from '../reducer.ts'
import { createJudgement } from './contradiction.ts'

/** The facts after which the judgement on a timeline may be another. */
const deciding: readonly string[] = [
  ...(['TrackingEventRecorded', 'TrackingEventEnriched', 'TrackingEventWithdrawn'] as const),
  ...(['TrackingEventBecameDue', 'TimelineSplit'] as const),
] satisfies readonly TrackingEvent['type'][]

/**
 * The carriers that contradict each other in the timeline of a fact as it is now, by name, if there are some; undefined for facts that
 * decide nothing of it.
 */
export async function contradictionIn(
  facts: Facts & Pick<Context, 'pause' | 'profiles' | 'clock'>,
  { type, stream, data }: RecordedEvent,
): Promise<{ readonly tracking_number: string; readonly contradicting: string | undefined } | undefined> {
  // What moves to another timeline follows a fact that decides.
  if (!deciding.includes(type) || 'moved' in (data as object)) return undefined
  const { state } = await readState(facts, stream as StreamName)
  const { tracking_number } = namingSubject(state.subject)
  if (tracking_number === undefined) return undefined
  const [first] = state.entries
  if (type === 'TrackingEventRecorded' && state.entries.every(({ provider }) => provider === first?.provider))
    return undefined
  const profile = profileNamed(facts.profiles, state.profile)
  const judgement = createJudgement(profile)
  const now = facts.clock()
  const ordered = await inSteps(orderInSteps(state, profile), facts.pause)
  const judge = visitInSteps(ordered, ({ at, event, withdrawn }, index) => {
    if (withdrawn === undefined && !isAhead(at, now)) judgement.next(event, index)
  })
  await inSteps(judge, facts.pause)
  const [found] = judgement.found()
  return { tracking_number, contradicting: found?.providers.join(', ') }
}
