import { isExperimental, profileNamed, codeOf as statusOf, type TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import type { Row } from './codes.ts'

const unregistered: ReadonlyMap<string, string> = new Map(Object.entries(unregisteredCodes))

/** The name of a code among all vocabularies: `otep:parcel:delivered` (OTEP 0.1, section 4). */
export function nameOfCode(profile: string, code: string): string {
  return `otep:${profile}:${code}`
}

/** What happened, in words: the producer's own, or, where the number of the code does not say it all, the code's meaning. */
export function descriptionOf(profile: string, event: TimelineEvent, row: Row): string | undefined {
  if (event.description !== undefined || row.fidelity === '=') return event.description
  if (isExperimental(event.status_code)) return unregistered.get(event.status_code)
  const known = profileNamed(profiles, profile)
  return known.name === profile ? statusOf(known, event.status_code)?.meaning : undefined
}

/** A number as XML Schema writes a decimal: without an exponent. */
export function decimalOf(number: number): string {
  const text = String(number)
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text
}
