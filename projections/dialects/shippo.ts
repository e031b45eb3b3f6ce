import {
  type Dialect,
  hmacSha256,
  isObject,
  type Members,
  pathTo,
  type Reading,
  readExpected,
} from '../../engine/index.ts'
import { asItsState, type BackTable, type DetailTable, exactly, nearly, noNews, rowOf } from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The statuses of a tracking. `RETURNED` is said of what is on its way back, too. */
export const shippoStatuses: BackTable = {
  UNKNOWN: noNews,
  PRE_TRANSIT: exactly('information_submitted'),
  TRANSIT: exactly('in_transit'),
  DELIVERED: exactly('delivered'),
  RETURNED: nearly('x-returning'),
  FAILURE: exactly('x-undeliverable'),
}

/** The codes of substatuses, which say more than the status. */
export const shippoSubstatuses: DetailTable = {
  information_received: asItsState,
  address_issue: nearly('x-exception', 'address_incorrect'),
  contact_carrier: nearly('x-exception', 'contact_carrier'),
  delayed: exactly('x-delayed'),
  delivery_attempted: exactly('delivery_failed'),
  delivery_rescheduled: exactly('delivery_rescheduled'),
  delivery_scheduled: asItsState,
  location_inaccessible: exactly('delivery_failed', 'location_inaccessible'),
  notice_left: exactly('delivery_failed', 'notice_left'),
  out_for_delivery: exactly('out_for_delivery'),
  package_accepted: exactly('picked_up'),
  package_arrived: exactly('arrival_scan'),
  package_damaged: exactly('x-damaged'),
  package_departed: exactly('package_outbound'),
  package_forwarded: asItsState,
  package_held: nearly('x-exception', 'held'),
  package_processed: asItsState,
  package_processing: asItsState,
  pickup_available: exactly('x-available_for_pickup'),
  reschedule_delivery: nearly('delivery_failed', 'reschedule_needed'),
  delivered: asItsState,
  return_to_sender: asItsState,
  package_unclaimed: nearly('x-returning', 'not_collected'),
  package_undeliverable: asItsState,
  package_disposed: exactly('x-disposed'),
  package_lost: exactly('x-lost'),
  other: asItsState,
}

/** Shippo: a tracking, alone or in the event `track_updated`. */
export const shippo: Dialect = {
  name: 'shippo',
  title: 'Shippo',
  standard: 'Shippo API 2018-02-08: Track, and track_updated with one',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    if (!Object.hasOwn(document, 'event')) return read('', document)
    const { data } = document
    return isObject(data) && Object.hasOwn(data, 'tracking_history') ? read('data', data) : [{ path: 'data' }]
  },
  // Accounts without signatures have a token in the address of the webhook.
  proofIn: ({ headers, text, token }, secret) => {
    const given = headers['shippo-auth-signature']
    if (given === undefined) return { given: token, expected: secret }
    const [, time = ''] = /(?:^|,)\s*t=(\d{1,15})/.exec(given) ?? []
    return { given: given.replaceAll(' ', ''), expected: `t=${time},v1=${hmacSha256(secret, `${time}.${text}`)}` }
  },
}

function read(path: string, tracking: Members): readonly Reading[] {
  const { tracking_number: value, tracking_status: latest, eta, address_to: to } = tracking
  const { country } = isObject(to) ? to : {}
  const state = isObject(latest) ? stateOf(latest, 'tracking_status.status') : undefined
  return readingsOfParcel('shippo', {
    ...{ path, number: { member: 'tracking_number', value } },
    scans: listIn(pathTo(path, 'tracking_history'), tracking.tracking_history, scanOf),
    ...(state && { state }),
    expected: readExpected(
      { path: pathTo(path, 'eta'), value: eta },
      typeof country === 'string' ? country : undefined,
    ),
  })
}

function stateOf({ status, substatus }: Members, member: string): ToldState {
  const { code } = isObject(substatus) ? substatus : {}
  const [row, detail] = [rowOf(shippoStatuses, status), rowOf(shippoSubstatuses, code)]
  if (row !== undefined && row !== noNews && detail === undefined && code !== undefined && code !== null)
    return { member, words: [status, code], back: { ...row, exact: false } }
  const back = detail === undefined || detail === asItsState ? row : detail
  return { member, words: [status, code], back }
}

function scanOf(path: string, scan: Members): ToldScan {
  const { status_date: value, status_details: details, location, object_id: id } = scan
  const { city: locality, state: region, zip: postal_code, country } = isObject(location) ? location : {}
  return {
    ...{ path, id, at: { member: 'status_date', value }, state: stateOf(scan, 'status') },
    description: { member: 'status_details', value: details },
    location: placeOf({ locality, region, postal_code, country: /^[A-Z]{2}$/.test(String(country)) ? country : '' }),
  }
}
