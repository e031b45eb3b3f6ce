import {
  excerptOf,
  type Finding,
  isObject,
  type Members,
  pathTo,
  type Reading,
  withoutMarkup,
} from '../../engine/index.ts'
import { backOf } from './back.ts'
import { unknownCode } from './details.ts'
import { summarized } from './summary.ts'

/** The member of an event that each native member comes from. */
const places = {
  occurred_at: 'eventTime',
  status_code: 'eventCode',
  'location.address.locality': 'location.city',
  'location.address.region': 'location.stateOrRegion',
  'location.address.postal_code': 'location.postalCode',
  'location.address.country': 'location.countryCode',
}

/** The events of Amazon's response: `{payload}` or the result alone (Shipping API v2, getTracking). */
export function parseAmazon(document: unknown): readonly Reading[] {
  if (!isObject(document)) return [notAnObject('', document)]
  const isWrapped = Object.hasOwn(document, 'payload')
  const [path, result] = isWrapped ? (['payload', document.payload] as const) : (['', document] as const)
  if (!isObject(result)) return [notAnObject(path, result)]
  const { trackingId } = result
  if (trackingId === '') return [ofNobody(path)]
  const subject = subjectOf(trackingId)
  if (subject === undefined) return [refused(pathTo(path, 'trackingId'), 'required', { field: 'trackingId' })]
  const history: readonly unknown[] = Array.isArray(result.eventHistory) ? result.eventHistory : []
  const listPath = pathTo(path, 'eventHistory')
  const readings = history.map((event, index) => readOne(pathTo(listPath, index), event, subject))
  const whole = summarized(path, readings, { ...result, eventHistory: history }, subject)
  return whole.length === 0 ? [{ path }] : whole
}

/** A document of this server may name only a shop's order and no parcel; then nothing can be recorded. */
function ofNobody(path: string): Reading {
  const warning = {
    path: pathTo(path, 'trackingId'),
    code: 'no_identifier',
    params: { expected: 'trackingId' },
  } as const
  return { path, warnings: [warning] }
}

/** A value that is too long for a tracking number is the id of a piece. */
function subjectOf(trackingId: unknown): Members | undefined {
  const isLong = typeof trackingId === 'string' && trackingId.length > 100
  return presentMembers(isLong ? { piece_id: trackingId } : { tracking_number: trackingId })
}

function readOne(path: string, event: unknown, subject: Members): Reading {
  if (!isObject(event)) return notAnObject(path, event)
  const { eventCode, eventTime, location } = event
  if (typeof eventCode !== 'string' || eventCode === '')
    return refused(pathTo(path, 'eventCode'), 'required', { field: 'eventCode' })
  const known = backOf(eventCode, event.shipmentType)
  const { code, exact, reason } = known ?? { code: unknownCode(eventCode), exact: false }
  const warning: Finding = {
    path: pathTo(path, 'eventCode'),
    code: known === undefined ? 'meaning_unknown' : 'code_missing',
    params: { received: excerptOf(eventCode), decided: code },
  }
  const read = presentMembers({
    occurred_at: eventTime,
    status_code: code,
    location: locationOf(location),
    source: { type: 'carrier_tracking', ...(eventCode.length <= 100 && { code: eventCode }) },
    incident_reason: reason,
  })
  return { path, subject, places, event: read ?? {}, warnings: exact ? [] : [warning] }
}

function locationOf(location: unknown): Members | undefined {
  if (!isObject(location)) return undefined
  const { city, stateOrRegion, postalCode, countryCode } = location
  const address = presentMembers({
    locality: wordsIn(city),
    region: wordsIn(stateOrRegion),
    postal_code: postalCode,
    country: countryCode,
  })
  return address && { address }
}

function wordsIn(text: unknown): unknown {
  return typeof text === 'string' ? withoutMarkup(text) : text
}

/** An object without its empty members; live responses have `null` even in required members. */
function presentMembers(members: Members): Members | undefined {
  const kept: Record<string, unknown> = {}
  let says = false
  for (const name of Object.keys(members)) {
    const value = members[name]
    if (value === null || value === undefined || value === '') continue
    kept[name] = value
    says = true
  }
  return says ? kept : undefined
}

function notAnObject(path: string, value: unknown): Reading {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return refused(path, 'wrong_type', { expected: 'object', received })
}

function refused(path: string, code: Finding['code'], params: NonNullable<Finding['params']>): Reading {
  return { path, findings: [{ path, code, params }] }
}
