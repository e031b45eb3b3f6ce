import {
  type Dialect,
  hmacSha256,
  isObject,
  type Members,
  pathTo,
  type Reading,
  readExpected,
} from '../../engine/index.ts'
import {
  asItsState,
  type Back,
  type BackTable,
  type DetailTable,
  exactly,
  nearly,
  noNews,
  rowOf,
} from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The statuses of trackers and of their details. One that goes back is not back yet. */
export const easypostStatuses: BackTable = {
  unknown: noNews,
  error: noNews,
  pre_transit: exactly('information_submitted'),
  in_transit: exactly('in_transit'),
  out_for_delivery: exactly('out_for_delivery'),
  delivered: exactly('delivered'),
  available_for_pickup: exactly('x-available_for_pickup'),
  return_to_sender: nearly('x-returning'),
  failure: nearly('delivery_failed'),
  cancelled: exactly('cancelled'),
}

/** The details of a status. */
export const easypostDetails: DetailTable = {
  address_correction: nearly('x-exception', 'address_incorrect'),
  arrived_at_destination: exactly('arrival_scan'),
  arrived_at_facility: exactly('arrival_scan'),
  arrived_at_pickup_location: exactly('x-available_for_pickup'),
  awaiting_information: asItsState,
  cancelled: asItsState,
  damaged: exactly('x-damaged'),
  delayed: exactly('x-delayed'),
  delivery_exception: exactly('x-exception'),
  departed_facility: exactly('package_outbound'),
  departed_origin_facility: exactly('package_outbound'),
  expired: exactly('x-expired'),
  failure: asItsState,
  held: nearly('x-exception', 'held'),
  in_transit: asItsState,
  label_created: asItsState,
  lost: exactly('x-lost'),
  missorted: nearly('x-exception', 'missorted'),
  out_for_delivery: asItsState,
  received_at_destination_facility: exactly('arrival_scan'),
  received_at_origin_facility: exactly('received'),
  refused: exactly('rejected_by_recipient', 'refused'),
  return: exactly('x-returning'),
  status_update: asItsState,
  transferred_to_destination_carrier: asItsState,
  transit_exception: exactly('x-exception'),
  unknown: asItsState,
  weather_delay: exactly('x-delayed', 'weather'),
}

/**
 * How a status with a detail is read; undefined for an unknown status. A detail counts only for a parcel under way: what was
 * delivered stays delivered, however the carrier words it.
 */
export function easypostBack(status: unknown, detail: unknown): Back | typeof noNews | undefined {
  // What goes back has arrived where it goes to.
  if (status === 'return_to_sender' && detail === 'arrived_at_destination') return exactly('return_to_sender')
  const told = rowOf(easypostDetails, detail)
  const isUnderWay = status === 'in_transit' || status === 'failure'
  if (isUnderWay && told !== undefined && told !== asItsState && told !== noNews) return told
  const row = rowOf(easypostStatuses, status)
  if (row === undefined || row === noNews) return row
  const reason = told === undefined || told === asItsState || told === noNews ? undefined : told.reason
  // Details that were added later say more than is understood.
  const exact = row.exact && (told !== undefined || detail === undefined || detail === null || detail === '')
  return { ...row, exact, ...(reason !== undefined && { reason }) }
}

/** EasyPost: a tracker, alone or in an event that a webhook has. */
export const easypost: Dialect = {
  name: 'easypost',
  title: 'EasyPost',
  standard: 'EasyPost API v2: Tracker, and Event with one',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    if (document.object !== 'Event' && !isObject(document.result)) return read('', document)
    const { result } = document
    return isObject(result) && result.object === 'Tracker' ? read('result', result) : [{ path: 'result' }]
  },
  proofIn: ({ headers, text }, secret) => ({
    given: headers['x-hmac-signature'],
    expected: `hmac-sha256-hex=${hmacSha256(secret.normalize('NFKD'), text)}`,
  }),
}

function read(path: string, tracker: Members): readonly Reading[] {
  const { carrier_detail: more } = tracker
  const scans = listIn(pathTo(path, 'tracking_details'), tracker.tracking_details, scanOf)
  const state = stateOf(tracker)
  return readingsOfParcel('easypost', {
    ...{ path, scans, state, signedBy: tracker.signed_by },
    number: { member: 'tracking_code', value: tracker.tracking_code },
    expected: expectedOf(path, tracker, isObject(more) ? more : {}),
  })
}

function stateOf({ status, status_detail: detail }: Members): ToldState {
  return { member: 'status', words: [status, detail], back: easypostBack(status, detail) }
}

function scanOf(path: string, detail: Members): ToldScan {
  const { datetime, message, description, tracking_location: at, carrier_code: code } = detail
  const { city: locality, state: region, zip: postal_code, country } = isObject(at) ? at : {}
  const [member, value] = description ? ['description', description] : ['message', message]
  return {
    ...{ path, at: { member: 'datetime', value: datetime }, state: stateOf(detail) },
    description: { member: String(member), value },
    location: placeOf({ locality, region, postal_code, country: /^[A-Z]{2}$/.test(String(country)) ? country : '' }),
    code: { member: 'carrier_code', value: code },
  }
}

/** The day and time at the destination if the carrier names them, or else the time in UTC, which is midnight for a day. */
function expectedOf(path: string, { est_delivery_date: value }: Members, more: Members) {
  const { est_delivery_date_local: day, est_delivery_time_local: time, destination_tracking_location: place } = more
  const country = isObject(place) && typeof place.country === 'string' ? place.country : undefined
  const member = day ? 'carrier_detail.est_delivery_date_local' : 'est_delivery_date'
  const local = typeof day === 'string' && time ? `${day.slice(0, 10)}T${time}` : day
  return readExpected({ path: pathTo(path, member), value: local || value }, country)
}
