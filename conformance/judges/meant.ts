import { nearestCode, type Timeline } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'

/** Whether an event's code, or the code that its profile says it is nearest to, is one of these. */
export function isMeant({ profile: name }: Timeline, code: string, codes: readonly string[]): boolean {
  const profile = profiles.find((one) => one.name === name)
  return codes.includes(code) || (profile !== undefined && codes.includes(nearestCode(profile, code)))
}
