import type { Profile, TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import type { Row } from './codes.ts'

/** The name of a code among all vocabularies: `otep:parcel:delivered` (OTEP 0.1, section 4). */
export function nameOfCode({ name }: Profile, code: string): string {
  return `otep:${name}:${code}`
}

/** What happened, in words: the producer's own, or, where the number of the code does not say it all, the code's meaning. */
export function descriptionOf(profile: Profile, event: TimelineEvent, row: Row): string | undefined {
  if (event.description !== undefined || row.fidelity === '=') return event.description
  return meaningOf(profile, event.status_code)
}
