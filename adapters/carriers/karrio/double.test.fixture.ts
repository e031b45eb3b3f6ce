import type { Test } from 'tap'
import { type Asked, serve, type Told } from '../servers.test.fixture.ts'
import { described } from './described.test.fixture.ts'

type Members = Readonly<Record<string, unknown>>

/** A key of the double. */
export const token = 'key_0123456789'

const ways = [
  { carrier_name: 'canadapost', carrier_id: 'post_main', service: 'canadapost_expedited_parcel', charge: 12.5 },
  { carrier_name: 'ups', carrier_id: 'ups_main', service: 'ups_standard', charge: 9.99 },
] as const

/** How the double is to be, beyond its faults. */
interface Ways {
  /** What a rate costs; what is written above if absent. */
  charge?: number
  /** What the carrier takes in the end, where it is another price than that of the rate. */
  taken?: number
  currency?: string
}

/** What a double knows. */
interface Double {
  readonly faults: string[]
  /** The shipments that were sold. */
  readonly sold: string[]
  readonly manifests: Members[]
  /** The pickups that were scheduled and not called off. */
  readonly pickups: Members[]
  readonly shipments: Map<string, Members>
  readonly trackers: Map<string, Members>
  readonly be: Ways
}

/**
 * A server that does what Karrio does, for two carriers. It judges each request and its own answers by Karrio's OpenAPI, and knows how
 * often each carrier was asked for a label.
 */
export async function createKarrio(t: Pick<Test, 'teardown'>) {
  const { here: faultsIn = () => [] } = described()
  const double: Double = {
    ...{ faults: [], sold: [], manifests: [], pickups: [] },
    shipments: new Map(),
    trackers: new Map(),
    be: {},
  }
  const server = await serve(t, (asked) => {
    const told = answer(double, server.url, asked)
    // The document of a label has its own address, which is not described.
    if (!/\/(label|invoice)\.pdf$/.test(asked.path) && told.status !== 401) double.faults.push(...faultsIn(asked, told))
    return told
  })
  return Object.assign(server, double)
}

const error = (status: number, code: string, message: string): Told =>
  status === 424
    ? { status, json: { messages: [{ code, message }] } }
    : { status, json: { errors: [{ code, message }] } }

function ratesOf(double: Double, asked: Members) {
  const of = (member: string) => (asked[member] as readonly string[] | undefined) ?? []
  const { country_code } = asked.recipient as Members
  if (country_code === 'IS') return []
  return ways
    .filter(({ carrier_id }) => of('carrier_ids').length === 0 || of('carrier_ids').includes(carrier_id))
    .filter(({ service }) => of('services').length === 0 || of('services').includes(service))
    .map(({ charge, ...way }, index) => ({
      ...{ id: `rat_${index}`, object_type: 'rate', ...way, currency: double.be.currency ?? 'CAD', test_mode: true },
      ...{ total_charge: double.be.charge ?? charge, transit_days: 2 + index, extra_charges: [] },
      meta: { service_name: way.service.toUpperCase() },
    }))
}

function change(double: Double, id: string, members: Members) {
  const changed = { ...double.shipments.get(id), ...members }
  double.shipments.set(id, changed)
  return { status: 200, json: changed }
}

function create(double: Double, asked: Members): Told {
  const id = `shp_${double.shipments.size + 1}`
  const { shipper, recipient, parcels, carrier_ids, services, metadata, label_type, customs } = asked
  const draft = {
    ...{ id, object_type: 'shipment', shipper, recipient, parcels, carrier_ids, services, metadata, label_type },
    ...(customs === undefined ? {} : { customs }),
    ...{
      status: 'draft',
      rates: ratesOf(double, asked),
      created_at: new Date(1_780_000_000_000 + double.shipments.size).toISOString(),
    },
    ...{ test_mode: true, messages: [] },
  }
  double.shipments.set(id, draft)
  return { status: 201, json: draft }
}

function purchase(double: Double, url: string, id: string, { selected_rate_id }: Members): Told {
  const shipment = double.shipments.get(id) ?? {}
  if (shipment.status !== 'draft') return error(409, 'state_error', 'The shipment is purchased already.')
  const rate = (shipment.rates as readonly Members[]).find((one) => one.id === selected_rate_id)
  if (rate === undefined) return error(400, 'invalid', 'There is no such rate.')
  if ((shipment.recipient as Members).postal_code === 'H0H0H0')
    return error(424, 'no_money', 'The account\nhas no funds.')
  double.sold.push(id)
  const tracking_number = `KR${1000 + double.sold.length}`
  const { carrier_name, carrier_id, service } = rate
  const tracker = { carrier_name, carrier_id, tracking_number, test_mode: true, status: 'pending', events: [] }
  double.trackers.set(tracking_number, tracker)
  const selected_rate = double.be.taken === undefined ? rate : { ...rate, total_charge: double.be.taken }
  const bought = {
    status: 'purchased',
    carrier_name,
    carrier_id,
    service,
    tracking_number,
    selected_rate,
    selected_rate_id,
  }
  const invoice_url = shipment.customs !== undefined && { invoice_url: `${url}/v1/shipments/${id}/invoice.pdf` }
  return change(double, id, {
    ...bought,
    ...invoice_url,
    label_url: `${url}/v1/shipments/${id}/label.pdf`,
    label_type: 'PDF',
  })
}

function cancel(double: Double, id: string): Told {
  const { status } = double.shipments.get(id) ?? {}
  if (status === undefined) return error(404, 'not_found', 'There is no such shipment.')
  if (status === 'cancelled' || status === 'delivered') return error(409, 'state_error', `The shipment is ${status}.`)
  return change(double, id, { status: 'cancelled' })
}

function listed(double: Double, { query }: Asked): Told {
  const results = [...double.shipments.values()].reverse().filter(({ metadata, tracking_number }) => {
    const [key, value, number] = ['metadata_key', 'metadata_value', 'tracking_number'].map((name) => query.get(name))
    if (key && !Object.hasOwn((metadata as Members | undefined) ?? {}, key)) return false
    if (value && !Object.values((metadata as Members | undefined) ?? {}).includes(value)) return false
    return !number || tracking_number === number
  })
  return { status: 200, json: { count: results.length, next: null, previous: null, results } }
}

function close(double: Double, { shipment_ids, ...more }: Members): Told {
  const shipment_identifiers = (shipment_ids as readonly string[]).map((id) => `${id}-at-carrier`)
  const id = `manf_${double.manifests.length + 1}`
  const closed = { id, ...more, carrier_id: 'any', shipment_identifiers, test_mode: true }
  double.manifests.push(closed)
  return { status: 201, json: closed }
}

function schedule(double: Double, carrier_name: string, asked: Members): Told {
  const { tracking_numbers, ...more } = asked
  const own = [...double.shipments.values()].filter((one) =>
    (tracking_numbers as readonly unknown[]).includes(one.tracking_number),
  )
  if (own.length === 0) return error(400, 'invalid', 'Shipments are not found.')
  const { postal_code } = (asked.address ?? {}) as Members
  if (postal_code === 'H0H0H0') return error(424, 'closed', 'Nobody comes there.')
  const number = double.pickups.length + 1
  const scheduled = {
    ...{ id: `pck_${number}`, object_type: 'pickup', carrier_name, carrier_id: 'any', ...more },
    ...{ confirmation_number: `P${number}`, parcels: own.flatMap((one) => one.parcels), test_mode: true },
    pickup_charge: { name: 'Pickup', amount: 3.5, currency: 'CAD' },
  }
  double.pickups.push(scheduled)
  return { status: 201, json: scheduled }
}

function callOff(double: Double, id: string): Told {
  const place = double.pickups.findIndex((one) => one.id === id)
  if (place < 0) return error(404, 'not_found', 'There is no such pickup.')
  if (double.pickups[place]?.instruction === 'be quick') return error(424, 'late', 'The driver is on the way.')
  const [off] = double.pickups.splice(place, 1)
  return { status: 200, json: off }
}

function answer(double: Double, url: string, asked: Asked): Told {
  const { method, path } = asked
  const body = (asked.body ?? {}) as Members
  const [, kind = '', id = '', action = ''] = /^\/v1\/([a-z]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(path) ?? []
  if (asked.headers.authorization !== `Token ${token}`) return error(401, 'authentication_required', 'Wrong key.')
  const known = double.shipments.get(id)
  switch (`${method} ${kind}${id && (kind === 'proxy' ? `/${id}` : '/:')}${action && `/${action}`}`) {
    case 'POST proxy/rates':
      return {
        status: 200,
        json: { rates: ratesOf(double, body), messages: [{ carrier_id: 'post_main', message: 'Not there.' }] },
      }
    case 'GET shipments':
      return listed(double, asked)
    case 'POST shipments':
      return create(double, body)
    case 'GET shipments/:':
      return known === undefined ? error(404, 'not_found', 'There is no such shipment.') : { status: 200, json: known }
    case 'PUT shipments/:':
      return change(double, id, { metadata: { ...(known?.metadata as Members), ...(body.metadata as Members) } })
    case 'POST shipments/:/purchase':
      return purchase(double, url, id, body)
    case 'POST shipments/:/cancel':
      return cancel(double, id)
    case 'GET shipments/:/invoice.pdf':
    case 'GET shipments/:/label.pdf':
      return { status: 200, text: '%PDF-1.4 of Karrio' }
    case 'GET pickups':
      return { status: 200, json: { count: double.pickups.length, next: null, results: [...double.pickups].reverse() } }
    case 'POST pickups/:/schedule':
      return schedule(double, id, body)
    case 'POST pickups/:/cancel':
      return callOff(double, id)
    case 'GET trackers/:':
      return double.trackers.has(id)
        ? { status: 200, json: double.trackers.get(id) }
        : { status: 404, json: { messages: [{ message: 'There is no such tracker.' }] } }
    case 'POST trackers': {
      const tracker = { ...body, carrier_id: 'any', test_mode: true, status: 'pending', events: [] }
      double.trackers.set(String(body.tracking_number), tracker)
      return { status: 200, json: tracker }
    }
    case 'GET manifests':
      return {
        status: 200,
        json: { results: double.manifests.filter((one) => one.carrier_name === asked.query.get('carrier_name')) },
      }
    case 'POST manifests':
      return close(double, body)
    default:
      return error(404, 'not_found', `Nothing is at ${method} ${path}.`)
  }
}
