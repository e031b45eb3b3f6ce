import { type Dialect, isObject, type Members, pathTo, type Reading, readExpected, sha256 } from '../../engine/index.ts'
import { type BackTable, exactly, nearly, noNews, rowOf } from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The main statuses; each says less than its sub-statuses. */
export const track17Statuses: BackTable = {
  NotFound: noNews,
  InfoReceived: exactly('information_submitted'),
  InTransit: exactly('in_transit'),
  Expired: exactly('x-expired'),
  AvailableForPickup: exactly('x-available_for_pickup'),
  OutForDelivery: exactly('out_for_delivery'),
  DeliveryFailure: exactly('delivery_failed'),
  Delivered: exactly('delivered'),
  Exception: exactly('x-exception'),
}

/** The sub-statuses. `Departure` and `Arrival` are of the ports of a country, not of depots. */
export const track17Substatuses: BackTable = {
  NotFound_Other: noNews,
  NotFound_InvalidCode: noNews,
  InfoReceived: exactly('information_submitted'),
  InTransit_PickedUp: exactly('picked_up'),
  InTransit_Other: exactly('in_transit'),
  InTransit_Departure: nearly('in_transit'),
  InTransit_Arrival: nearly('in_transit'),
  InTransit_CustomsProcessing: exactly('x-customs_started'),
  InTransit_CustomsReleased: exactly('x-customs_cleared'),
  InTransit_CustomsRequiringInformation: exactly('x-customs_held', 'documents_missing'),
  Expired_Other: exactly('x-expired'),
  AvailableForPickup_Other: exactly('x-available_for_pickup'),
  OutForDelivery_Other: exactly('out_for_delivery'),
  DeliveryFailure_Other: exactly('delivery_failed'),
  DeliveryFailure_NoBody: exactly('delivery_failed', 'consignee_absent'),
  DeliveryFailure_Security: exactly('delivery_failed', 'security'),
  DeliveryFailure_Rejected: exactly('rejected_by_recipient'),
  DeliveryFailure_InvalidAddress: exactly('delivery_failed', 'address_incorrect'),
  Delivered_Other: exactly('delivered'),
  Exception_Other: exactly('x-exception'),
  Exception_Returning: exactly('x-returning'),
  Exception_Returned: exactly('return_to_sender'),
  Exception_NoBody: nearly('x-exception', 'consignee_unknown'),
  Exception_Security: nearly('x-exception', 'security'),
  Exception_Damage: exactly('x-damaged'),
  Exception_Rejected: exactly('rejected_by_recipient'),
  Exception_Delayed: exactly('x-delayed'),
  Exception_Lost: exactly('x-lost'),
  Exception_Destroyed: exactly('x-disposed'),
  Exception_Cancel: exactly('cancelled'),
}

/** 17TRACK: the push of a number, or the answer about several. */
export const track17: Dialect = {
  name: '17track',
  title: '17TRACK',
  standard: '17TRACK API v2.2: TRACKING_UPDATED, TRACKING_STOPPED, gettrackinfo',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    const { data } = document
    if (!isObject(data)) return [refusedDocument('data', data)]
    return Array.isArray(data.accepted) ? listIn('data.accepted', data.accepted, read).flat() : read('data', data)
  },
  proofIn: ({ headers, text }, secret) => ({ given: headers.sign, expected: sha256(`${text}/${secret}`) }),
}

function read(path: string, { number: value, track_info: told }: Members): readonly Reading[] {
  const at = pathTo(path, 'track_info')
  const { latest_status: latest, tracking, time_metrics: times, shipping_info: shipping } = isObject(told) ? told : {}
  const { providers } = isObject(tracking) ? tracking : {}
  const events = listIn(pathTo(at, 'tracking.providers'), providers, (place, { events: list }) =>
    listIn(pathTo(place, 'events'), list, scanOf),
  )
  const state = isObject(latest)
    ? stateOf('track_info.latest_status.sub_status', latest.status, latest.sub_status)
    : undefined
  return readingsOfParcel('17track', {
    ...{ path, number: { member: 'number', value }, scans: events.flat() },
    ...(state && { state }),
    expected: expectedOf(pathTo(at, 'time_metrics.estimated_delivery_date'), times, shipping),
  })
}

function stateOf(member: string, status: unknown, sub: unknown): ToldState {
  const [row, detail] = [rowOf(track17Statuses, status), rowOf(track17Substatuses, sub)]
  if (detail !== undefined) return { member, words: [status, sub], back: detail }
  const isLater = row !== undefined && row !== noNews && typeof sub === 'string' && sub !== '' && sub !== status
  return { member, words: [status, sub], back: isLater ? { ...row, exact: false } : row }
}

/** An event has no main status; its sub-status begins with the name of it. */
function scanOf(path: string, event: Members): ToldScan {
  const { description, location, sub_status: sub, stage, address } = event
  const main = typeof sub === 'string' ? sub.split('_')[0] : stage
  const { country, state: region, city: locality, postal_code, street, coordinates } = isObject(address) ? address : {}
  const { latitude, longitude } = isObject(coordinates) ? coordinates : {}
  return {
    ...{ path, at: timeOf(event), state: stateOf('sub_status', main, sub) },
    description: { member: 'description', value: description },
    location: placeOf({
      ...{ name: location, latitude: degrees(latitude), longitude: degrees(longitude) },
      ...{ street, locality, region, postal_code, country: /^[A-Z]{2}$/.test(String(country)) ? country : '' },
    }),
  }
}

/** Coordinates are texts, and sometimes numbers. */
function degrees(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,3}(?:\.\d+)?$/.test(value) ? Number(value) : value
}

/** The time with the offset that is known or was inferred, else in UTC, else as the carrier wrote it. */
function timeOf({ time_iso: iso, time_utc: utc, time_raw: raw }: Members) {
  if (typeof iso === 'string' && iso !== '') return { member: 'time_iso', value: iso }
  if (typeof utc === 'string' && utc !== '') return { member: 'time_utc', value: utc }
  const { date, time, timezone } = isObject(raw) ? raw : {}
  const value = [date, time].filter((part) => typeof part === 'string' && part !== '').join('T')
  const zone = typeof timezone === 'string' && /^(?:Z|[+-]\d{2}:?\d{2})$/.test(timezone) && time ? timezone : ''
  return { member: 'time_raw', value: `${value}${zone}` }
}

function expectedOf(path: string, times: unknown, shipping: unknown) {
  const { estimated_delivery_date: told } = isObject(times) ? times : {}
  const { from, to } = isObject(told) ? told : {}
  const { recipient_address: recipient } = isObject(shipping) ? shipping : {}
  const { country } = isObject(recipient) ? recipient : {}
  const until = { path: pathTo(path, 'to'), value: to || from }
  const start = to && from ? { path: pathTo(path, 'from'), value: from } : undefined
  return readExpected(until, typeof country === 'string' ? country : undefined, start)
}
