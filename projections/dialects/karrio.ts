import { type Dialect, isObject, type Members, pathTo, type Reading, readExpected } from '../../engine/index.ts'
import { type BackTable, exactly, nearly, noNews, rowOf } from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The statuses of trackers and their events. One that goes back is not back yet. */
export const karrioStatuses: BackTable = {
  pending: exactly('information_submitted'),
  unknown: noNews,
  picked_up: exactly('picked_up'),
  in_transit: exactly('in_transit'),
  out_for_delivery: exactly('out_for_delivery'),
  ready_for_pickup: exactly('x-available_for_pickup'),
  delivery_delayed: exactly('x-delayed'),
  delivery_failed: exactly('delivery_failed'),
  return_to_sender: nearly('x-returning'),
  delivered: exactly('delivered'),
  cancelled: exactly('cancelled'),
  on_hold: nearly('x-exception', 'held'),
}

/** Karrio: a tracker, alone or in the event `tracker_updated`. */
export const karrio: Dialect = {
  name: 'karrio',
  title: 'Karrio',
  standard: 'Karrio API 2026.1: TrackingStatus, and tracker_updated with one',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    if (!Object.hasOwn(document, 'event')) return read('', document)
    const { data } = document
    return isObject(data) && Array.isArray(data.events) ? read('data', data) : [{ path: 'data' }]
  },
  // The secret itself is sent.
  proofIn: ({ headers }, secret) => ({ given: headers['x-event-id'], expected: secret }),
}

function read(path: string, tracker: Members): readonly Reading[] {
  const { tracking_number: value, status, estimated_delivery: estimate, info } = tracker
  const { expected_delivery, shipment_destination_country: country, signed_by } = isObject(info) ? info : {}
  const until = estimate
    ? { path: pathTo(path, 'estimated_delivery'), value: estimate }
    : { path: pathTo(path, 'info.expected_delivery'), value: expected_delivery }
  return readingsOfParcel('karrio', {
    ...{ path, number: { member: 'tracking_number', value }, signedBy: signed_by },
    scans: listIn(pathTo(path, 'events'), tracker.events, scanOf),
    ...(status !== undefined && { state: stateOf(status) }),
    expected: readExpected(until, typeof country === 'string' ? country : undefined),
  })
}

function stateOf(status: unknown): ToldState {
  return { member: 'status', words: [status], back: rowOf(karrioStatuses, status) }
}

/** Karrio before 2026 gives its events no status; what they say is then kept under the code of the carrier. */
function scanOf(path: string, event: Members): ToldScan {
  const { description, location, code, status, reason, latitude, longitude } = event
  const hasStatus = typeof status === 'string' && status !== ''
  return {
    ...{ path, reason, at: timeOf(event) },
    state: hasStatus ? stateOf(status) : { member: 'code', words: [code || 'event'], back: undefined },
    description: { member: 'description', value: description },
    location: placeOf({ name: location, latitude, longitude }),
    code: { member: 'code', value: code },
  }
}

/**
 * The day and the clock, which have no zone. The `timestamp` counts only without a day, because it may have lost its offset.
 */
function timeOf({ date, time, timestamp }: Members): ToldScan['at'] {
  if (typeof date !== 'string' || date === '') return { member: 'timestamp', value: timestamp }
  return { member: 'date', value: `${date}${clockOf(time)}` }
}

/** `14:05`, `14:05:30` and `02:05 PM` as the clock of a date-time; nothing else. */
export function clockOf(time: unknown): string {
  const [, hour, minute, second = '00', half = ''] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?$/i.exec(typeof time === 'string' ? time.trim() : '') ?? []
  if (hour === undefined) return ''
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  return `T${String(hours).padStart(2, '0')}:${minute}:${second}`
}
