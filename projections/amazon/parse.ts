import {
  type Finding,
  instantOf,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type Reading,
  shown,
} from '../../engine/index.ts'
import { backOf, currentOf, type Told } from './back.ts'
import { hasDetails, reasonOf } from './details.ts'
import { noPromise } from './schema.ts'
import { detailCodes } from './vocabulary.ts'

/** Where native members come from in an event. */
const places = {
  occurred_at: 'eventTime',
  status_code: 'eventCode',
  'location.address.locality': 'location.city',
  'location.address.region': 'location.stateOrRegion',
  'location.address.postal_code': 'location.postalCode',
  'location.address.country': 'location.countryCode',
}

/** The events of what Amazon answers: `{payload}` or the result alone (Shipping API v2, getTracking). */
export function parseAmazon(document: unknown): readonly Reading[] {
  if (!isObject(document)) return [notAnObject('', document)]
  const isWrapped = Object.hasOwn(document, 'payload')
  const [path, result] = isWrapped ? (['payload', document.payload] as const) : (['', document] as const)
  if (!isObject(result)) return [notAnObject(path, result)]
  const subject = subjectOf(result.trackingId)
  if (subject === undefined) return [refused(pathTo(path, 'trackingId'), 'required', { field: 'trackingId' })]
  const { eventHistory } = result
  if (!Array.isArray(eventHistory) || eventHistory.length === 0) return [{ path }]
  const listPath = pathTo(path, 'eventHistory')
  const readings = eventHistory.map((event, index) => readOne(pathTo(listPath, index), event, subject))
  return completed(path, readings, result, subject)
}

/** What is longer than a tracking number can be is a piece's id. */
function subjectOf(trackingId: unknown): Members | undefined {
  const isLong = typeof trackingId === 'string' && trackingId.length > 100
  return saying(isLong ? { piece_id: trackingId } : { tracking_number: trackingId })
}

function readOne(path: string, event: unknown, subject: Members): Reading {
  if (!isObject(event)) return notAnObject(path, event)
  const { eventCode, eventTime, location } = event
  if (typeof eventCode !== 'string' || eventCode === '')
    return refused(pathTo(path, 'eventCode'), 'required', { field: 'eventCode' })
  const known = backOf(eventCode, event.shipmentType)
  const { code, exact, reason } = known ?? { code: strange(eventCode), exact: false }
  const warning: Finding = {
    path: pathTo(path, 'eventCode'),
    code: known === undefined ? 'meaning_unknown' : 'code_missing',
    params: { received: shown(eventCode), decided: code },
  }
  const read = saying({
    occurred_at: eventTime,
    status_code: code,
    location: locationOf(location),
    source: { type: 'carrier_tracking', ...(eventCode.length <= 100 && { code: eventCode }) },
    incident_reason: reason,
  })
  return { path, subject, places, event: read ?? {}, warnings: exact ? [] : [warning] }
}

/** An event code that the model does not have. */
function strange(eventCode: string): string {
  return `x-amazon_${reasonOf(eventCode)
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}`
}

function locationOf(location: unknown): Members | undefined {
  if (!isObject(location)) return undefined
  const { city, stateOrRegion, postalCode, countryCode } = location
  const address = saying({ locality: city, region: stateOrRegion, postal_code: postalCode, country: countryCode })
  return address && { address }
}

/** The promise was there from the first event; the details explain the event that gave the status. */
function completed(path: string, readings: readonly Reading[], result: Members, subject: Members): readonly Reading[] {
  const told = (result.eventHistory as readonly unknown[]).map(toldBy)
  const { at: current, status } = currentOf(told)
  const promise = promiseOf(result.promisedDeliveryDate)
  const summary = isObject(result.summary) ? result.summary : {}
  const details = isObject(summary.trackingDetailCodes) ? summary.trackingDetailCodes : {}
  const forward = { at: explained(told, current, 'FORWARD'), detail: knownDetail(details.forward) }
  const returns = { at: explained(told, current, 'RETURNS'), detail: knownDetail(details.returns) }
  const whole = readings.map((reading, index) => {
    if (reading.event === undefined) return reading
    const { detail } = [forward, returns].find(({ at }) => at === index) ?? {}
    const estimate = index === 0 && promise !== undefined && { estimated_delivery_at: promise }
    return { ...reading, event: { ...reading.event, ...estimate, ...explaining(reading, detail) } }
  })
  const isSaid = summary.status !== 'InTransit' || status === 'InTransit'
  return [...whole, ...movement(pathTo(path, 'summary'), readings, subject, isSaid)]
}

/** An event as far as the status of the history needs it. */
function toldBy(event: unknown): Told {
  const { eventCode, shipmentType } = isObject(event) ? event : {}
  return { eventCode: typeof eventCode === 'string' ? eventCode : '', leg: shipmentType }
}

/** A promise is no reason to refuse an event: one that is no moment is not taken. */
function promiseOf(value: unknown): string | undefined {
  return isInstant(value) && value !== noPromise ? value : undefined
}

/**
 * Where the event stands that the details of a leg explain: the one that gives the status, or the last of the other leg
 * that can have details.
 */
function explained(told: readonly Told[], current: number, leg: string): number {
  const isOf = (event: Told | undefined) =>
    event !== undefined && (event.leg ?? 'FORWARD') === leg && hasDetails(event.eventCode)
  return isOf(told[current]) ? current : told.findLastIndex(isOf)
}

/** The parcel moves, says the summary, and the history does not: one event is made of that, at the time of the last. */
function movement(path: string, readings: readonly Reading[], subject: Members, isSaid: boolean): readonly Reading[] {
  if (isSaid) return []
  const times = readings.flatMap(({ event }) => (event as { readonly occurred_at?: unknown } | undefined)?.occurred_at)
  const last = times
    .filter(isInstant)
    .reduce<string | undefined>(
      (one, other) => (one === undefined || instantOf(other) >= instantOf(one) ? other : one),
      undefined,
    )
  if (last === undefined) return []
  const params = { received: 'InTransit', decided: 'in_transit' }
  return [
    {
      path,
      subject,
      places: { occurred_at: 'status', status_code: 'status' },
      event: {
        occurred_at: last,
        status_code: 'in_transit',
        source: { type: 'carrier_tracking', code: 'InTransit' },
        synthesized: true,
      },
      warnings: [{ path: pathTo(path, 'status'), code: 'code_decided', params }],
    },
  ]
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && instantProblem(value) === undefined
}

function knownDetail(list: unknown): string | undefined {
  return detailCodes.find((code) => Array.isArray(list) && list.includes(code))
}

/** How a delivery was made is its proof; why something else happened is its reason. */
function explaining({ event }: Reading, detail: string | undefined): Members | undefined {
  if (detail === undefined) return undefined
  const { status_code } = event as { readonly status_code?: string }
  return status_code === 'delivered' ? { pod: { note: detail } } : { incident_reason: reasonOf(detail) }
}

/** An object without the members that say nothing: live answers have `null` even for what is required. */
function saying(members: Members): Members | undefined {
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
