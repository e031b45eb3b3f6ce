import {
  deriveId,
  type Finding,
  instantOf,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type Reading,
  type Target,
} from '../../engine/index.ts'
import { latestEstimate, proofOf, withMore } from './beside.ts'
import { presentMembers, readCheckpoint } from './checkpoint-read.ts'
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
  const { checkpoints } = tracking
  if (!Array.isArray(checkpoints) || checkpoints.length === 0) return [{ path }]
  const listPath = pathTo(path, 'checkpoints')
  const readings = checkpoints.map((checkpoint, index) => readOne(pathTo(listPath, index), checkpoint, subject, target))
  return own === undefined
    ? completed(path, asReturned(readings), tracking)
    : restored(path, readings, { ...tracking, checkpoints }, own)
}

function readOne(path: string, checkpoint: unknown, subject: Members, target: Target): Reading {
  if (!isObject(checkpoint)) return notAnObject(path, checkpoint)
  const read = readCheckpoint(path, checkpoint, target)
  if (read === undefined) return { path }
  return { path, subject, places, ...read }
}

/**
 * After the return has begun, `Delivered` means that the parcel is back at its sender. Only the neighbours show that,
 * so the same checkpoint may have been read differently before. It is therefore a new event with its own id.
 */
function asReturned(readings: readonly Reading[]): readonly Reading[] {
  const isReturn = (reading: Reading) => ['x-returning', 'return_to_sender'].includes(codeOf(reading) ?? '')
  const starts = readings.filter(isReturn).map(timeOf)
  if (starts.length === 0) return readings
  const start = starts.reduce((one, other) => Math.min(one, other))
  return readings.map((reading) => {
    if (codeOf(reading) !== 'delivered' || !(timeOf(reading) >= start)) return reading
    const decided = 'return_to_sender'
    const { event_id: id } = reading.event as Members
    const event_id = typeof id === 'string' ? deriveId('aftership', id, decided) : id
    const params = { received: 'Delivered', decided }
    const warning: Finding = { path: pathTo(reading.path, 'tag'), code: 'code_decided', params }
    return {
      ...reading,
      event: { ...reading.event, event_id, status_code: decided },
      warnings: [...(reading.warnings ?? []), warning],
    }
  })
}

/** Each summarised value of the tracking is added to the event that it belongs to. */
function completed(path: string, readings: readonly Reading[], tracking: Members): readonly Reading[] {
  const times = readings.map(timeOf)
  const estimated = latest(times, () => true)
  const delivered = latest(times, (index) => codeOf(readings[index]) === 'delivered')
  const proof = proofOf(tracking)
  const estimate = latestEstimate(path, tracking)
  return readings.map((reading, index) =>
    withMore(reading, index === estimated ? estimate : undefined, index === delivered ? proof : undefined),
  )
}

/** The index of the latest of these times, the last one of equals; -1 if there is none. */
function latest(times: readonly number[], isMeant: (index: number) => boolean): number {
  let found = -1
  for (const [index, at] of times.entries())
    if (!Number.isNaN(at) && isMeant(index) && (found === -1 || at >= (times[found] ?? 0))) found = index
  return found
}

function codeOf(reading: Reading | undefined): string | undefined {
  return (reading?.event as { readonly status_code?: string } | undefined)?.status_code
}

function timeOf({ event }: Reading): number {
  const at = (event as { readonly occurred_at?: unknown } | undefined)?.occurred_at
  return typeof at === 'string' && instantProblem(at) === undefined ? instantOf(at) : Number.NaN
}

function notAnObject(path: string, value: unknown): Reading {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return refused(path, 'wrong_type', { expected: 'object', received })
}

function refused(path: string, code: Finding['code'], params: NonNullable<Finding['params']>): Reading {
  return { path, findings: [{ path, code, params }] }
}
