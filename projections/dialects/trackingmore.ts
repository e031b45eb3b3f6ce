import {
  type Dialect,
  hmacSha256,
  isObject,
  type Members,
  pathTo,
  type Reading,
  readExpected,
} from '../../engine/index.ts'
import { type BackTable, exactly, nearly, noNews, rowOf } from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The statuses. `pickup` is said of a parcel on a van and of one that waits to be collected. */
export const trackingmoreStatuses: BackTable = {
  pending: noNews,
  notfound: noNews,
  inforeceived: exactly('information_submitted'),
  transit: exactly('in_transit'),
  pickup: nearly('out_for_delivery'),
  delivered: exactly('delivered'),
  undelivered: exactly('delivery_failed'),
  exception: exactly('x-exception'),
  expired: exactly('x-expired'),
}

/** The substatuses; of returns, 010 is the end and 011 the way. */
export const trackingmoreSubstatuses: BackTable = {
  notfound001: exactly('information_submitted'),
  notfound002: noNews,
  inforeceived001: exactly('information_submitted'),
  transit001: exactly('in_transit'),
  transit002: exactly('arrival_scan'),
  transit003: exactly('arrival_scan'),
  transit004: nearly('in_transit'),
  transit005: exactly('x-customs_cleared'),
  transit006: nearly('package_outbound'),
  transit007: nearly('in_transit'),
  pickup001: exactly('out_for_delivery'),
  pickup002: exactly('x-available_for_pickup'),
  pickup003: nearly('out_for_delivery', 'recipient_contacted'),
  delivered001: exactly('delivered'),
  delivered002: exactly('delivered'),
  delivered003: exactly('delivered'),
  delivered004: exactly('delivered'),
  undelivered001: exactly('delivery_failed', 'address_incorrect'),
  undelivered002: exactly('delivery_failed', 'consignee_absent'),
  undelivered003: exactly('delivery_failed', 'consignee_unknown'),
  undelivered004: exactly('delivery_failed'),
  exception004: exactly('x-undeliverable', 'not_collected'),
  exception005: exactly('x-exception'),
  exception006: exactly('x-customs_held'),
  exception007: nearly('x-exception', 'damaged_lost_or_discarded'),
  exception008: exactly('cancelled'),
  exception009: exactly('rejected_by_recipient'),
  exception010: exactly('return_to_sender'),
  exception011: exactly('x-returning'),
}

/** TrackingMore: one tracking or several, as webhooks and answers have them. */
export const trackingmore: Dialect = {
  name: 'trackingmore',
  title: 'TrackingMore',
  standard: 'TrackingMore API v4, and the members of v2 and v3',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    const { data = document } = document
    const path = data === document ? '' : 'data'
    if (Array.isArray(data)) return listIn(path, data, read).flat()
    return isObject(data) ? read(path, data) : [refusedDocument(path, data)]
  },
  // Only the time is signed.
  proofIn: ({ headers }, secret) => ({
    given: headers.signature,
    expected: hmacSha256(secret, headers.timestamp ?? ''),
  }),
}

function read(path: string, tracking: Members): readonly Reading[] {
  const { tracking_number: value, destination_country: country, signed_by: signedBy, substatus } = tracking
  const sides = ['origin_info', 'destination_info'] as const
  const scans = sides.flatMap((side) => {
    const { trackinfo } = isObject(tracking[side]) ? tracking[side] : {}
    return listIn(pathTo(pathTo(path, side), 'trackinfo'), trackinfo, scanOf)
  })
  const member = tracking.delivery_status === undefined ? 'status' : 'delivery_status'
  const until = { path: pathTo(path, 'scheduled_delivery_date'), value: tracking.scheduled_delivery_date }
  const state = stateOf(member, tracking[member], substatus)
  return readingsOfParcel('trackingmore', {
    ...{ path, signedBy, scans, number: { member: 'tracking_number', value } },
    ...(tracking[member] !== undefined && { state }),
    expected: readExpected(until, typeof country === 'string' ? country : undefined),
  })
}

/** The two levels may contradict each other; then the status counts, and is reported. */
function stateOf(member: string, status: unknown, sub: unknown): ToldState {
  const [row, detail] = [rowOf(trackingmoreStatuses, status), rowOf(trackingmoreSubstatuses, sub)]
  const words = [status, sub]
  const belongs = typeof sub === 'string' && typeof status === 'string' && sub.replace(/\d+$/, '') === status
  if (detail !== undefined && (belongs || row === undefined || row === noNews)) return { member, words, back: detail }
  const isOdd = typeof sub === 'string' && sub !== '' && row !== undefined && row !== noNews
  return { member, words, back: isOdd ? { ...row, exact: false } : row }
}

function scanOf(path: string, checkpoint: Members): ToldScan {
  const named = (...members: readonly string[]) => members.find((name) => checkpoint[name]) ?? members[0] ?? ''
  const at = named('checkpoint_date', 'Date')
  const status = named('checkpoint_delivery_status', 'checkpoint_status')
  const sub = named('checkpoint_delivery_substatus', 'substatus')
  const text = named('tracking_detail', 'StatusDescription')
  const { country_iso2: country, state: region, city: locality, zip: postal_code } = checkpoint
  return {
    ...{ path, at: { member: at, value: checkpoint[at] } },
    state: stateOf(status, checkpoint[status], checkpoint[sub]),
    description: { member: text, value: checkpoint[text] },
    location: placeOf({
      ...{ name: checkpoint[named('location', 'Details')], locality, region, postal_code },
      country: /^[A-Z]{2}$/.test(String(country)) ? country : '',
    }),
    code: { member: 'raw_status', value: checkpoint.raw_status },
  }
}
