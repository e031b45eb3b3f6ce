import { isNoDate } from '../../kernel/expected.ts'
import { excerptOf, type Finding } from '../../kernel/finding.ts'
import { meantBy } from '../../kernel/meant.ts'
import type { Members } from '../../kernel/members.ts'
import { codeOf, isExperimental, type Profile, phaseOf } from '../../kernel/profile.ts'
import { readInstant } from '../../kernel/time.ts'
import { isAhead } from './ahead.ts'
import { otepVersion } from './timeline.ts'

/** What an event is checked against: its profile, and the current time in epoch milliseconds. */
interface CheckContext {
  readonly profile: Profile
  readonly now: number
}

/** One rule about one event. The path of a finding is relative to the event. Members of a wrong type are ignored. */
export type EventCheck = (event: Members, setting: CheckContext) => Finding | undefined

const experimental = /^x-[a-z0-9][a-z0-9_.-]*$/

/** The code is known to the profile, or marked as unregistered. */
export const codeIsKnown: EventCheck = ({ status_code: code }, { profile }) => {
  if (typeof code !== 'string' || code.trim() === '') return undefined
  if (codeOf(profile, code) !== undefined || experimental.test(code)) return undefined
  const meant = meantBy(code, Object.keys(profile.codes))
  return {
    path: 'status_code',
    code: 'unknown_status_code',
    params: { received: excerptOf(code), profile: profile.name, ...(meant !== undefined && { meant }) },
  }
}

/** The code is registered; `x-` codes are accepted, but not part of the profile. */
export const codeIsRegistered: EventCheck = ({ status_code: code }) => {
  if (typeof code !== 'string' || !isExperimental(code)) return undefined
  return { path: 'status_code', code: 'experimental_code', params: { received: excerptOf(code) } }
}

/** The phase of the event, if present, is the phase of its code. */
export const phaseMatches: EventCheck = ({ status_code: code, phase }, { profile }) => {
  if (typeof code !== 'string' || typeof phase !== 'string') return undefined
  const expected = phaseOf(profile, code)
  if (expected === undefined || expected === phase) return undefined
  return {
    path: 'phase',
    code: 'phase_mismatch',
    params: { code: excerptOf(code), expected, received: excerptOf(phase) },
  }
}

/** The version in an event (or a timeline) is supported by this engine. */
export const versionIsSupported: EventCheck = ({ otep_version: version }) => {
  if (typeof version !== 'string' || version === otepVersion) return undefined
  return {
    path: 'otep_version',
    code: 'unsupported_version',
    params: { received: excerptOf(version), expected: otepVersion },
  }
}

/** The event is not more than a day in the future. */
export const notInFuture: EventCheck = ({ occurred_at: at }, { now }) => {
  return isAhead(readInstant(at) ?? now, now) ? { path: 'occurred_at', code: 'in_future' } : undefined
}

/** Members with expected times. */
const expectedTimes = ['estimated_delivery_at', 'estimated_delivery_from'] as const

type ExpectedTimes = { readonly [Name in (typeof expectedTimes)[number]]?: string }

/** The event without expected times that stand for no date, and without half of a window. */
export function withoutNoDates<Event extends ExpectedTimes>(event: Event): Event {
  const { estimated_delivery_at: until, estimated_delivery_from: from } = event
  const isOdd = (time: string | undefined) => time !== undefined && isNoDate(time)
  if (!isOdd(until) && !isOdd(from)) return event
  const { estimated_delivery_at, estimated_delivery_from, ...rest } = event
  return { ...rest, ...(!isOdd(until) && until !== undefined && { estimated_delivery_at: until }) } as Event
}

/** An expected time is not one that systems write where they know none. */
export const expectedIsKnown: EventCheck = (event) => {
  const path = expectedTimes.find((name) => readInstant(event[name]) !== undefined && isNoDate(String(event[name])))
  return path && { path, code: 'no_date', params: { received: String(event[path]).slice(0, 10) } }
}

/** A window ends, and it ends after it has begun. */
export const windowIsWhole: EventCheck = ({ estimated_delivery_from: from, estimated_delivery_at: until }) => {
  if (from === undefined) return undefined
  const field = 'estimated_delivery_at'
  if (until === undefined) return { path: field, code: 'required', params: { field } }
  // One of them is not recorded, and so neither is the window.
  if ([from, until].some((time) => typeof time === 'string' && isNoDate(time))) return undefined
  const [start, end] = [readInstant(from), readInstant(until)]
  return start === undefined || end === undefined || start < end
    ? undefined
    : { path: field, code: 'ends_before_start' }
}

/** The event is not of a time before tracking numbers were on the Internet, as it is where a program had no time. */
export const isNotLongAgo: EventCheck = ({ occurred_at: at }) =>
  typeof at === 'string' && readInstant(at) !== undefined && at < '2000'
    ? { path: 'occurred_at', code: 'long_ago', params: { received: at.slice(0, 10) } }
    : undefined

/** The event says who reported it. */
export const sourceIsPresent: EventCheck = ({ source }) =>
  source === undefined ? { path: 'source', code: 'source_missing' } : undefined

/** Only events whose code may carry proof have proof. */
export const proofIsExpected: EventCheck = ({ status_code: code, pod }, { profile }) => {
  if (pod === undefined || typeof code !== 'string' || codeOf(profile, code)?.pod !== false) return undefined
  return { path: 'pod', code: 'unexpected_proof', params: { code } }
}

/** Checks that refuse an event on any way in. */
export const eventErrors: readonly EventCheck[] = [codeIsKnown, phaseMatches, versionIsSupported, windowIsWhole]

/** Checks that only cause warnings. */
export const eventWarnings: readonly EventCheck[] = [notInFuture, isNotLongAgo, expectedIsKnown, proofIsExpected]

/** The findings of these checks for one event. */
export function findingsOf(checks: readonly EventCheck[], event: Members, setting: CheckContext): readonly Finding[] {
  const findings: Finding[] = []
  for (const check of checks) {
    const finding = check(event, setting)
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}
