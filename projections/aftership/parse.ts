import {
  type Finding,
  instantOf,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type Reading,
} from '../../engine/index.ts'
import { identifierKinds } from '../shared/subject.ts'
import { given, readCheckpoint, saying } from './checkpoint-read.ts'

/** Where native members come from in a checkpoint. */
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
 * The events of what AfterShip answers or sends (Tracking API 2026-07): `{meta, data}` with a tracking or a list of them,
 * a webhook (`{event, msg}`), or a bare tracking.
 */
export function parseAftership(document: unknown): readonly Reading[] {
  if (!isObject(document)) return [notAnObject('', document)]
  const { data, msg } = document
  if (isObject(data))
    return Array.isArray(data.trackings) ? readAll('data.trackings', data.trackings) : read('data', data)
  if (isObject(msg)) return read('msg', msg)
  if (Array.isArray(document.trackings)) return readAll('trackings', document.trackings)
  return read('', document)
}

function readAll(path: string, trackings: readonly unknown[]): readonly Reading[] {
  return trackings.flatMap((tracking, index) => read(pathTo(path, index), tracking))
}

function read(path: string, tracking: unknown): readonly Reading[] {
  if (!isObject(tracking)) return [notAnObject(path, tracking)]
  const own = isObject(tracking.custom_fields) && tracking.custom_fields.otep_version !== undefined
  const subject = own
    ? ownSubject(tracking.custom_fields as Members)
    : saying({ tracking_number: tracking.tracking_number })
  if (subject === undefined) return [refused(pathTo(path, 'tracking_number'), 'required', { field: 'tracking_number' })]
  const { checkpoints } = tracking
  if (!Array.isArray(checkpoints) || checkpoints.length === 0) return [{ path }]
  const listPath = pathTo(path, 'checkpoints')
  const readings = checkpoints.map((checkpoint, index) => readOne(pathTo(listPath, index), checkpoint, subject))
  return completed(own ? namedBy(readings, checkpoints, tracking) : asReturned(readings), tracking, own)
}

/** Our own documents name every identifier by its kind. */
function ownSubject(fields: Members): Members | undefined {
  return saying(Object.fromEntries(identifierKinds.map((kind) => [kind, fields[kind]])))
}

function readOne(path: string, checkpoint: unknown, subject: Members): Reading {
  if (!isObject(checkpoint)) return notAnObject(path, checkpoint)
  const told = readCheckpoint(path, checkpoint)
  if (told === undefined) return { path }
  return { path, subject, places, ...told }
}

/** Our own documents say in whose name, of which profile and version; other ones speak for who sends them. */
function namedBy(readings: readonly Reading[], checkpoints: readonly unknown[], tracking: Members): readonly Reading[] {
  const { otep_version, otep_profile } = tracking.custom_fields as Members
  return readings.map((reading, index) => {
    if (reading.event === undefined) return reading
    const { slug } = checkpoints[index] as Members
    const event = reading.event as Members
    const source = { ...(event.source as Members), ...saying({ provider: slug }) }
    const profile = reading.profile ?? (typeof otep_profile === 'string' ? otep_profile : undefined)
    return { ...reading, ...(profile !== undefined && { profile }), event: { ...event, otep_version, source } }
  })
}

/** `Delivered` after the return began is where the parcel came from, not where it was to go. */
function asReturned(readings: readonly Reading[]): readonly Reading[] {
  const isReturn = (reading: Reading) => ['x-returning', 'return_to_sender'].includes(codeOf(reading) ?? '')
  const starts = readings.filter(isReturn).map(timeOf)
  if (starts.length === 0) return readings
  const start = starts.reduce((one, other) => Math.min(one, other))
  return readings.map((reading) => {
    if (codeOf(reading) !== 'delivered' || !(timeOf(reading) >= start)) return reading
    const warning: Finding = {
      path: pathTo(reading.path, 'tag'),
      code: 'code_decided',
      params: { received: 'Delivered', decided: 'return_to_sender' },
    }
    return {
      ...reading,
      event: { ...reading.event, status_code: 'return_to_sender' },
      warnings: [...(reading.warnings ?? []), warning],
    }
  })
}

/** What the tracking tells beside its checkpoints goes to the event that it belongs to. */
function completed(readings: readonly Reading[], tracking: Members, own: boolean): readonly Reading[] {
  const extras = new Map<number, Members>()
  const add = (index: number, more: Members | undefined) => {
    if (index !== -1 && more !== undefined) extras.set(index, { ...extras.get(index), ...more })
  }
  const times = readings.map(timeOf)
  const first = times.findIndex((at) => !Number.isNaN(at))
  if (own) add(first, saying({ estimated_delivery_at: estimateOf(tracking.first_estimated_delivery) }))
  add(
    latest(times, () => true),
    saying({ estimated_delivery_at: latestEstimate(tracking) }),
  )
  add(
    latest(times, (index) => codeOf(readings[index]) === 'delivered'),
    saying({ pod: proofOf(tracking) }),
  )
  return readings.map((reading, index) => {
    const more = extras.get(index)
    return more === undefined ? reading : { ...reading, event: { ...reading.event, ...more } }
  })
}

/** Where the latest of these times stands, the last one of several; -1 where there is none. */
function latest(times: readonly number[], isMeant: (index: number) => boolean): number {
  let found = -1
  for (const [index, at] of times.entries())
    if (!Number.isNaN(at) && isMeant(index) && (found === -1 || at >= (times[found] ?? 0))) found = index
  return found
}

/** Only what the carrier estimates is its event's; the other sources are predictions of AfterShip and the shop. */
function estimateOf(estimate: unknown): unknown {
  if (!isObject(estimate) || estimate.source !== 'Carrier EDD') return undefined
  return instantOrNothing(estimate.datetime)
}

function latestEstimate({
  latest_estimated_delivery: latest,
  courier_estimated_delivery_date: courier,
}: Members): unknown {
  return estimateOf(latest) ?? (isObject(courier) ? instantOrNothing(courier.estimated_delivery_date) : undefined)
}

/** Dates without a time say no instant. */
function instantOrNothing(value: unknown): unknown {
  return typeof value === 'string' && instantProblem(value) === undefined ? value : undefined
}

/** An event takes twenty pictures; one more in our own document is the signature, which stands first. */
function proofOf({ signed_by, proof_of_delivery: records }: Members): Members | undefined {
  const urls = Array.isArray(records) ? records.flatMap((record) => (isObject(record) ? [given(record.url)] : [])) : []
  const known = urls.filter((url) => url !== undefined)
  const [photos, rest] = [known.slice(-20), known.slice(0, -20)]
  return saying({
    recipient: signed_by,
    signature_url: rest.at(-1),
    photo_urls: photos.length === 0 ? undefined : photos,
  })
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
