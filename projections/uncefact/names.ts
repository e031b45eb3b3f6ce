import type { Profile, TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import type { Row } from './codes.ts'

/** The URI of a code (OTEP 0.1, section 4): `otep:parcel:delivered`. */
export function nameOfCode({ name }: Profile, code: string): string {
  return `otep:${name}:${code}`
}

/** The description of an event: the producer's own, or the code's meaning if the number of the code is less exact. */
export function descriptionOf(profile: Profile, event: TimelineEvent, row: Row): string | undefined {
  if (event.description !== undefined || row.fidelity === '=') return event.description
  return meaningOf(profile, event.status_code)
}
