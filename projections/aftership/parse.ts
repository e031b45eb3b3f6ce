import { type Finding, isObject, type Members, pathTo, type Reading, type Target } from '../../engine/index.ts'
import { aMomentAfter } from '../shared/time.ts'
import { asReturned, codeOf, latest, timeOf } from '../shared/told.ts'
import { latestEstimate, noEstimate, proofOf, withMore } from './beside.ts'
import { presentMembers, readCheckpoint, readStatus } from './checkpoint-read.ts'
import { asPeopleReadIt, readableCheckpoint } from './markup.ts'
import { ownFieldsOf, ownSubject, restored } from './own.ts'

/** The member of a checkpoint that each native member comes from. */
const places = {
  event_id: 'hash',
  occurred_at: 'checkpoint_time',
  recorded_at: 'created_at',
  status_code: 'tag',
  'location.name': 'location',
  'location.latitude': 'coordinate.latitude',
  'location.longitude': 'coordinate.longitude',
  'location.address.locality': 'city',
  'location.address.region': 'state',
  'location.address.postal_code': 'postal_code',
  'source.code': 'raw_tag',
  'source.provider': 'slug',
  incident_reason: 'events[0].reason.code',
  description: 'message',
}

/**
 * The events of AfterShip's responses and webhooks (Tracking API 2026-07): `{meta, data}` with a tracking or a list of
 * them, a webhook (`{event, msg}`), or a bare tracking.
 */
export function parseAftership(document: unknown, target: Target): readonly Reading[] {
  if (!isObject(document)) return [notAnObject('', document)]
  const { data, msg } = document
  if (isObject(data))
    return Array.isArray(data.trackings)
      ? readAll('data.trackings', data.trackings, target)
      : read('data', data, target)
  if (isObject(msg)) return read('msg', msg, target)
  if (Array.isArray(document.trackings)) return readAll('trackings', document.trackings, target)
  return read('', document, target)
}

function readAll(path: string, trackings: readonly unknown[], target: Target): readonly Reading[] {
  return trackings.flatMap((tracking, index) => read(pathTo(path, index), tracking, target))
}

function read(path: string, tracking: unknown, target: Target): readonly Reading[] {
  if (!isObject(tracking)) return [notAnObject(path, tracking)]
  const own = ownFieldsOf(tracking)
  const subject = own === undefined ? presentMembers({ tracking_number: tracking.tracking_number }) : ownSubject(own)
  if (subject === undefined) return [refused(pathTo(path, 'tracking_number'), 'required', { field: 'tracking_number' })]
  const listed: readonly unknown[] = Array.isArray(tracking.checkpoints) ? tracking.checkpoints : []
  const told = own === undefined ? listed.map(readableCheckpoint) : listed
  const listPath = pathTo(path, 'checkpoints')
  const readings = told.map((checkpoint, index) => readOne(pathTo(listPath, index), checkpoint, subject, target))
  if (own !== undefined && readings.length > 0)
    return restored(path, readings, { ...tracking, checkpoints: listed }, own)
  const all = own === undefined ? [...readings, ...statusReading(path, tracking, readings, subject)] : readings
  if (all.length === 0) return [{ path }]
  return completed(path, asReturned('aftership', all, inItsWords), asPeopleReadIt(tracking))
}

/**
 * The status of the tracking, if no checkpoint explains it. It takes place a moment after the latest one, so that it follows
 * them and precedes whatever comes next; without any it takes place now.
 */
function statusReading(
  path: string,
  tracking: Members,
  readings: readonly Reading[],
  subject: Members,
): readonly Reading[] {
  const checkpoints: readonly unknown[] = Array.isArray(tracking.checkpoints) ? tracking.checkpoints : []
  const tags = checkpoints.map((checkpoint) => (isObject(checkpoint) ? checkpoint.tag : undefined))
  const read = readStatus(path, tracking)
  if (read === undefined || tags.includes(tracking.tag)) return []
  const codes = readings.map(codeOf)
  const { status_code } = read.event
  const isKnown = (code: string | undefined) =>
    code === status_code || (status_code === 'in_transit' && code !== undefined && code !== announced)
  if (codes.some(isKnown) || status_code === announced) return []
  const last = latest(readings.map(timeOf), () => true)
  const { occurred_at: at } = (readings[last]?.event ?? {}) as { readonly occurred_at?: string }
  const event = { ...read.event, ...(at !== undefined && { occurred_at: aMomentAfter(at) }) }
  return [{ path, subject, status: true, places: { current_status: 'tag' }, ...read, event }]
}

/** What AfterShip calls the two codes that are decided by what comes before and after. */
function inItsWords(code: string): string {
  return code === 'delivered' ? 'Delivered' : 'Returned'
}

/** What every tracking is from the beginning. */
const announced = 'information_submitted'

function readOne(path: string, checkpoint: unknown, subject: Members, target: Target): Reading {
  if (!isObject(checkpoint)) return notAnObject(path, checkpoint)
  const read = readCheckpoint(path, checkpoint, target)
  if (read === undefined) return { path }
  return { path, subject, places, ...read }
}

/** Each summarised value of the tracking is added to the event that it belongs to. */
function completed(path: string, readings: readonly Reading[], tracking: Members): readonly Reading[] {
  const times = readings.map(timeOf)
  const estimated = latest(times, () => true)
  const delivered = latest(times, (index) => codeOf(readings[index]) === 'delivered')
  const proof = proofOf(tracking)
  const estimate = latestEstimate(path, tracking)
  return readings.map((reading, index) =>
    withMore(reading, index === estimated ? estimate : noEstimate, index === delivered ? proof : undefined),
  )
}

function notAnObject(path: string, value: unknown): Reading {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return refused(path, 'wrong_type', { expected: 'object', received })
}

function refused(path: string, code: Finding['code'], params: NonNullable<Finding['params']>): Reading {
  return { path, findings: [{ path, code, params }] }
}
