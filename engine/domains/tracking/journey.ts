import { isNotice } from '../../kernel/notice.ts'
import { codeOf, isTerminal, mainPhases, type Profile, phaseOf, plannedAfter } from '../../kernel/profile.ts'
import { type Coded, counts } from './timeline.ts'

/** What an event does to a journey: it moves it, it announces too late what has begun, it is a notice, or it comes after the end. */
export type Effect = 'moves' | 'late' | 'notice' | 'uncounted'

/**
 * Follows a journey through its events in order of occurrence. A late announcement gives the current status like any other
 * event, and leaves the journey where it is.
 */
export function createJourney(profile: Profile) {
  let status = ''
  let hasBegun = false
  return {
    next: (event: Coded): Effect => {
      if (isNotice(event.status_code)) return 'notice'
      if (!counts(profile, status, event)) return 'uncounted'
      const code = event.status_code
      const announces = isAnnouncement(profile, code)
      if (announces && hasBegun && !plannedAfter(profile, status).includes(code)) return 'late'
      status = code
      hasBegun = !announces && (hasBegun || isPhysical(profile, code))
      return 'moves'
    },
    /** The status of the event that moved it last. */
    status: () => status,
  }
}

/** Whether a code only says what is to come: that is the first phase of the life cycle. */
function isAnnouncement(profile: Profile, code: string): boolean {
  return phaseOf(profile, code) === mainPhases[0] && !isTerminal(profile, code)
}

/** Whether a code says where the thing is, or that somebody tried to take it over or to hand it over. */
function isPhysical(profile: Profile, code: string): boolean {
  const { phase = '', webhook } = codeOf(profile, code) ?? {}
  return profile.phases.includes(phase) || webhook?.attempt !== undefined
}
