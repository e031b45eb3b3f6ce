import { type Dialect, isObject, type Members, pathTo, type Reading, readExpected } from '../../engine/index.ts'
import { asItsState, type BackTable, type DetailTable, exactly, nearly, noNews, rowOf } from '../shared/back.ts'
import { placeOf, readingsOfParcel, type ToldScan, type ToldState } from '../shared/told.ts'
import { listIn, refusedDocument } from './documents.ts'

/** The milestones, which every event has. */
export const ship24Milestones: BackTable = {
  pending: noNews,
  info_received: exactly('information_submitted'),
  in_transit: exactly('in_transit'),
  out_for_delivery: exactly('out_for_delivery'),
  failed_attempt: exactly('delivery_failed'),
  available_for_pickup: exactly('x-available_for_pickup'),
  delivered: exactly('delivered'),
  exception: exactly('x-exception'),
}

/** The codes of events, which may be missing. */
export const ship24Codes: DetailTable = {
  data_order_created: exactly('information_submitted'),
  data_order_cancelled: exactly('cancelled'),
  data_delivery_proposed: asItsState,
  data_delivery_decided: asItsState,
  transit_handover: exactly('picked_up'),
  transit_origin_country_departure: nearly('in_transit'),
  destination_arrival: nearly('in_transit'),
  customs_received: exactly('x-customs_started'),
  customs_exception: exactly('x-customs_held'),
  customs_rejected: nearly('x-customs_held', 'customs_rejected'),
  customs_cleared: exactly('x-customs_cleared'),
  delivery_available_for_pickup: exactly('x-available_for_pickup'),
  delivery_out_for_delivery: exactly('out_for_delivery'),
  delivery_attempted: exactly('delivery_failed'),
  delivery_exception: exactly('x-exception'),
  delivery_refused: exactly('rejected_by_recipient'),
  delivery_delivered: exactly('delivered'),
  exception_return: exactly('x-returning'),
  exception_lost: exactly('x-lost'),
  exception_discarded: exactly('x-disposed'),
}

/** Ship24: trackings, as webhooks and answers have them. */
export const ship24: Dialect = {
  name: 'ship24',
  title: 'Ship24',
  standard: 'Ship24 API v1: trackings with shipment and events',
  parse: (document) => {
    if (!isObject(document)) return [refusedDocument('', document)]
    const { data } = document
    if (Array.isArray(document.trackings)) return listIn('trackings', document.trackings, read).flat()
    const { trackings } = isObject(data) ? data : {}
    return Array.isArray(trackings) ? listIn('data.trackings', trackings, read).flat() : read('', document)
  },
  // The secret itself is sent.
  proofIn: ({ headers }, secret) => ({ given: headers.authorization, expected: `Bearer ${secret}` }),
}

function read(path: string, tracking: Members): readonly Reading[] {
  const [tracker, shipment] = [objectIn(tracking.tracker), objectIn(tracking.shipment)]
  const events: readonly unknown[] = Array.isArray(tracking.events) ? tracking.events : []
  const listPath = pathTo(path, 'events')
  const first = events.find(isObject)
  const isNamed = typeof tracker.trackingNumber === 'string'
  const number = isNamed
    ? { member: 'tracker.trackingNumber', value: tracker.trackingNumber }
    : { member: 'events[0].trackingNumber', value: first?.trackingNumber }
  const { statusMilestone: milestone, delivery } = shipment
  const { country } = { country: objectIn(shipment.recipient).countryCode ?? shipment.destinationCountryCode }
  const { estimatedDeliveryDate: value, signedBy } = objectIn(delivery)
  const until = { path: pathTo(path, 'shipment.delivery.estimatedDeliveryDate'), value }
  return readingsOfParcel('ship24', {
    ...{ path, number, signedBy, scans: listIn(listPath, events, scanOf) },
    ...(milestone !== undefined && { state: stateOf('shipment.statusMilestone', milestone, shipment.statusCode) }),
    expected: readExpected(until, typeof country === 'string' ? country : undefined),
  })
}

function objectIn(value: unknown): Members {
  return isObject(value) ? value : {}
}

function stateOf(member: string, milestone: unknown, code: unknown): ToldState {
  const [row, detail] = [rowOf(ship24Milestones, milestone), rowOf(ship24Codes, code)]
  if (detail !== undefined && detail !== asItsState) return { member, words: [milestone, code], back: detail }
  const isLater = row !== undefined && row !== noNews && detail === undefined && typeof code === 'string' && code !== ''
  return { member, words: [milestone, code], back: isLater ? { ...row, exact: false } : row }
}

function scanOf(path: string, event: Members): ToldScan {
  const { eventId: id, status, statusMilestone: milestone, statusCode: code, location } = event
  const isDeprecated = !event.occurrenceDatetime && Boolean(event.datetime)
  const member = isDeprecated ? 'datetime' : 'occurrenceDatetime'
  return {
    ...{ path, id, at: { member, value: event[member] }, state: stateOf('statusMilestone', milestone, code) },
    description: { member: 'status', value: status },
    location: placeOf({ name: location }),
  }
}
