import {
  deriveId,
  excerptOf,
  type Finding,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  profileNamed,
  type Target,
} from '../../engine/index.ts'
import type { Back } from '../shared/back.ts'
import { meaningOf } from '../shared/codes.ts'
import { profilesOf } from '../shared/profile.ts'
import { eventsBack, subtagsBack, tagsBack } from './back.ts'
import { codeAt, tags } from './codes.ts'
import { countryOfAlpha3 } from './countries.ts'

/** A checkpoint as a native event. */
interface ReadCheckpoint {
  readonly event: Members
  readonly profile?: string
  readonly warnings: readonly Finding[]
}

/** A value that is not empty: AfterShip writes `null`, and older versions an empty text, for unknown values. */
export function presentValue(value: unknown): unknown {
  return value === null || value === '' ? undefined : value
}

/** An object without its empty members; undefined if none is left. */
export function presentMembers(members: Members): Members | undefined {
  const kept: Record<string, unknown> = {}
  let says = false
  for (const name of Object.keys(members)) {
    const value = presentValue(members[name])
    if (value === undefined) continue
    kept[name] = value
    says = true
  }
  return says ? kept : undefined
}

/** A time with its offset; without one it is read as UTC of an unknown place, `-00:00` (RFC 3339, section 4.3). */
export function carrierTime(value: unknown): { readonly time: unknown; readonly assumed: boolean } {
  const assumed = typeof value === 'string' && instantProblem(value) === 'offset_missing'
  return { time: assumed ? `${value}-00:00` : value, assumed }
}

/** The event of a checkpoint; undefined if it says nothing about the parcel (`Pending`). */
export function readCheckpoint(path: string, checkpoint: Members, target: Target): ReadCheckpoint | undefined {
  const state = stateOf(checkpoint)
  if (state === 'no news') return undefined
  const { time, assumed } = carrierTime(presentValue(checkpoint.checkpoint_time))
  const country = presentValue(checkpoint.country_region ?? checkpoint.country_iso3)
  const alpha2 = typeof country === 'string' ? countryOfAlpha3(country)?.alpha2 : undefined
  const { code, profile, exact, reason } = state ?? {}
  const received = [checkpoint.tag, checkpoint.subtag].filter((word) => typeof word === 'string').join(' / ')
  const params = { received: excerptOf(received), decided: code ?? '' }
  const warnings: Finding[] = []
  const warn = (member: string, finding: Omit<Finding, 'path'>) =>
    warnings.push({ path: pathTo(path, member), ...finding })
  if (assumed) warn('checkpoint_time', { code: 'zone_assumed' })
  if (exact === false) warn('tag', { code: isKnown(checkpoint) ? 'code_missing' : 'meaning_unknown', params })
  if (country !== undefined && alpha2 === undefined)
    warn('country_region', { code: 'not_taken', params: { field: 'country_region' } })
  return {
    event:
      presentMembers({
        event_id: idOf(checkpoint),
        occurred_at: time,
        recorded_at: recordedAt(checkpoint.created_at),
        status_code: code,
        location: locationOf(checkpoint, alpha2),
        source: sourceOf(checkpoint),
        incident_reason: reasonOf(checkpoint) ?? reason,
        description:
          checkpoint.message === (meaningOf(profileNamed(profilesOf(target), profile), code ?? '') ?? code ?? '')
            ? undefined
            : checkpoint.message,
      }) ?? {},
    ...(profile !== undefined && { profile }),
    warnings,
  }
}

/** The status of a tracking as an event; undefined if it says nothing about the parcel. */
export function readStatus(path: string, { tag, subtag }: Members): ReadCheckpoint | undefined {
  const state = stateOf({ tag, subtag })
  if (state === 'no news' || state === undefined) return undefined
  const { code, exact, reason, profile } = state
  const received = excerptOf([tag, subtag].filter((word) => typeof word === 'string').join(' / '))
  const meaning = isKnown({ tag, subtag }) ? 'code_missing' : 'meaning_unknown'
  const finding = { path: pathTo(path, 'tag'), code: exact ? 'code_decided' : meaning } as const
  const source = { type: 'carrier_tracking' }
  return {
    event: { status_code: code, source, ...(reason !== undefined && { incident_reason: reason }) },
    ...(profile !== undefined && { profile }),
    warnings: [{ ...finding, params: { received, decided: code } }],
  }
}

/**
 * Before 2026-07 there is no `hash`. A scan that is repeated with a place that it lacked before has the same time and
 * description, so these two distinguish it from other scans.
 */
export function idOf({ hash, slug, checkpoint_time, subtag, message }: Members): unknown {
  const given = presentValue(hash)
  if (given !== undefined) return given
  const parts = [slug, checkpoint_time, subtag, message].map((part) => (typeof part === 'string' ? part : ''))
  return deriveId('aftership', ...parts)
}

interface ReadState extends Back {
  readonly profile?: string
}

/**
 * The code of a checkpoint: from its address, else from its event code if the tag matches, else its subtag, else its
 * tag.
 */
function stateOf({ tag, subtag, events }: Members): ReadState | 'no news' | undefined {
  const eventCodes = Array.isArray(events) ? events.flatMap((event) => (isObject(event) ? [event.code] : [])) : []
  for (const text of eventCodes) {
    const address = codeAt(text)
    if (address !== undefined) return { ...address, exact: true }
  }
  const known = tags.find((name) => name === tag)
  if (known === 'Pending') return 'no news'
  for (const text of eventCodes) {
    const back = typeof text === 'string' && Object.hasOwn(eventsBack, text) ? eventsBack[text] : undefined
    if (back !== undefined && known !== undefined && back.tags.includes(known))
      return { ...back, exact: isOwn(back.code) }
  }
  if (typeof subtag === 'string' && Object.hasOwn(subtagsBack, subtag) && subtag.startsWith(`${known}_`)) {
    const back = subtagsBack[subtag] as Back
    return { ...back, exact: back.exact && isOwn(back.code) }
  }
  if (known !== undefined)
    return { code: tagsBack[known], exact: presentValue(subtag) === undefined && isOwn(tagsBack[known]) }
  return typeof tag === 'string' && tag !== '' ? { code: unknownTagCode(tag), exact: false } : undefined
}

/** A code that no profile has is always reported. */
function isOwn(code: string): boolean {
  return !code.startsWith('x-')
}

/** Whether the table contains the state. Such a state is understood, even if no code matches it exactly. */
function isKnown({ tag, subtag }: Members): boolean {
  return typeof subtag === 'string' ? Object.hasOwn(subtagsBack, subtag) : tags.some((name) => name === tag)
}

/** A tag that AfterShip did not have when this was written. */
function unknownTagCode(tag: string): string {
  return `x-aftership_${tag
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}`
}

/** `created_at` is in UTC by definition, so it may lack an offset; an invalid value is dropped without a warning. */
function recordedAt(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  const problem = instantProblem(value)
  if (problem === 'offset_missing') return `${value}Z`
  return problem === undefined ? value : undefined
}

/** Before 2026-01 `postal_code` was called `zip`. */
function locationOf(checkpoint: Members, country: string | undefined): Members | undefined {
  const { latitude, longitude } = isObject(checkpoint.coordinate) ? checkpoint.coordinate : {}
  return presentMembers({
    name: checkpoint.location,
    latitude,
    longitude,
    address: presentMembers({
      locality: checkpoint.city,
      region: checkpoint.state,
      postal_code: presentValue(checkpoint.postal_code) ?? checkpoint.zip,
      country,
    }),
  })
}

/** A checkpoint that a user of AfterShip entered by hand is not a report of a carrier. */
function sourceOf({ source, raw_tag }: Members): Members | undefined {
  return source === 'user' ? undefined : { type: 'carrier_tracking', ...presentMembers({ code: raw_tag }) }
}

function reasonOf({ events }: Members): unknown {
  const [event] = Array.isArray(events) ? events : []
  return isObject(event) && isObject(event.reason) ? presentValue(event.reason.code) : undefined
}
