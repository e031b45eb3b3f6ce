import { latestExpected } from '../../kernel/expected.ts'
import {
  isExperimental,
  isFailure,
  isReturn,
  isTerminal,
  nearestCode,
  type Profile,
  phaseOf,
} from '../../kernel/profile.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Told } from './events.ts'
import type { PublicTimeline } from './ports.ts'

/** Milliseconds by which an expected time has to move before somebody is notified. */
const moved = 3 * 3_600_000

/** What of a timeline can be reported to a recipient. */
export function toldBy({ current, timeline: { events } }: Pick<PublicTimeline, 'current' | 'timeline'>): Told {
  const estimate = latestExpected(events)?.estimated_delivery_at
  return {
    ...(current === undefined ? {} : { status: current.status_code }),
    ...(estimate === undefined ? {} : { estimate }),
  }
}

/**
 * What is new since somebody was notified: a status that a recipient cares about, or another expected time. Undefined
 * for everything else, such as one more scan on the way.
 */
export function newsIn(
  found: Pick<PublicTimeline, 'current' | 'timeline' | 'profile'>,
  told: Told,
  now: number,
): 'status' | 'estimate' | undefined {
  const { status, estimate } = toldBy(found)
  if (status !== undefined && status !== told.status && concernsRecipient(found.profile, status)) return 'status'
  if (status === undefined || estimate === undefined || isTerminal(found.profile, status)) return undefined
  const at = instantOf(estimate)
  if (at <= now) return undefined
  const isOther = told.estimate === undefined || Math.abs(at - instantOf(told.estimate)) >= moved
  return isOther ? 'estimate' : undefined
}

/**
 * Whether a recipient cares about a status, which follows from what the codebook says of it. Of an unregistered one it says
 * nothing, not even that it is harmless: what other formats know as delayed, damaged or lost is read into such codes.
 */
function concernsRecipient(profile: Profile, code: string): boolean {
  return (
    phaseOf(profile, code) === 'out_for_delivery' ||
    isTerminal(profile, code) ||
    isFailure(profile, code) ||
    isReturn(profile, code) ||
    isExperimental(nearestCode(profile, code))
  )
}
