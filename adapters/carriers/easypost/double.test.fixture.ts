import type {
  IAddress,
  ICustomsInfo,
  IParcel,
  IRate,
  IScanForm,
  IShipment,
  ITracker,
  ITrackingDetail,
} from '@easypost/api'
import type { Test } from 'tap'
import { type Asked, serve, type Told } from '../servers.test.fixture.ts'
import { dated, described, error, wrong } from './described.test.fixture.ts'
import { answerPickup, type Pickups } from './pickups.test.fixture.ts'

/** A test key of the double. */
export const apiKey = 'EZTK0123456789'

/** What requests have, by the documentation of EasyPost. */
interface ShipmentRequest {
  readonly shipment: {
    readonly from_address: Partial<IAddress>
    readonly to_address: Partial<IAddress>
    readonly parcel: Partial<IParcel>
    readonly reference?: string
    readonly options?: { readonly label_format?: string }
    readonly customs_info?: Partial<ICustomsInfo>
    readonly tax_identifiers?: readonly object[]
  }
}

const ways = [
  { carrier: 'USPS', service: 'Priority', carrier_account_id: 'ca_usps', rate: '7.58', delivery_days: 2 },
  { carrier: 'FedEx', service: 'FEDEX_GROUND', carrier_account_id: 'ca_fedex', rate: '11.10', delivery_days: 4 },
] as const

/** Parameters of the queries. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  'GET /shipments': [
    'before_id',
    'after_id',
    'start_datetime',
    'end_datetime',
    'page_size',
    'purchased',
    'include_children',
  ],
  'GET /pickups': ['before_id', 'after_id', 'start_datetime', 'end_datetime', 'page_size'],
  'GET /trackers': ['before_id', 'after_id', 'start_datetime', 'end_datetime', 'page_size', 'tracking_code', 'carrier'],
}

/** What a double knows. */
interface Double extends Pickups {
  readonly faults: string[]
  readonly shipments: Map<string, Partial<IShipment>>
  readonly trackers: Map<string, Pick<ITracker, 'object' | 'tracking_code' | 'tracking_details'>>
  /** The shipments that were sold. */
  readonly sold: string[]
  /** What rates cost and what is taken in the end, where it is not as written above; the shipments of a page. */
  readonly be: { rate?: string; taken?: string; page?: number }
}

/**
 * A server that does what EasyPost does, for two carriers, typed by EasyPost's own library. It judges each request, and knows which
 * shipments were sold.
 */
export async function createEasyPost(t: Pick<Test, 'teardown'>) {
  const double: Double = { faults: [], shipments: new Map(), pickups: new Map(), trackers: new Map(), sold: [], be: {} }
  const server = await serve(t, (asked) => answer(double, server.url, asked))
  return Object.assign(server, double)
}

const ratesOf = (double: Double, shipment_id: string): Partial<IRate>[] =>
  ways.map((way, index) => ({
    ...{ id: `rate_${shipment_id}_${index}`, object: 'Rate', shipment_id, ...dated, ...way },
    ...{ rate: double.be.rate ?? way.rate, currency: 'USD', est_delivery_days: way.delivery_days },
  }))

function create(double: Double, { shipment }: ShipmentRequest): Told {
  const { from_address, to_address, parcel, reference } = shipment
  wrong(double, 'a shipment', shipment, described.shipment)
  for (const party of [from_address, to_address]) wrong(double, 'an address', party, described.address)
  wrong(double, 'a parcel', parcel, described.parcel)
  wrong(double, 'options', shipment.options, described.options)
  const { customs_info, tax_identifiers = [] } = shipment
  wrong(double, 'customs info', customs_info, described.customs_info)
  for (const item of customs_info?.customs_items ?? []) wrong(double, 'a customs item', item, described.customs_item)
  for (const one of tax_identifiers) wrong(double, 'a tax identifier', one, described.tax_identifier)
  const goods = (customs_info?.customs_items ?? []).reduce((sum, { weight }) => sum + weight, 0)
  if (typeof parcel.weight === 'number' && goods > parcel.weight)
    return error(422, 'SHIPMENT.CUSTOMS.WEIGHT', 'The items weigh more than the parcel.')
  if (customs_info?.contents_type === 'other' && !customs_info.contents_explanation)
    return error(422, 'SHIPMENT.CUSTOMS.EXPLANATION', 'No explanation.')
  if (typeof parcel.weight !== 'number' || parcel.weight <= 0) return error(422, 'PARCEL.WEIGHT', 'No weight.')
  const id = `shp_${double.shipments.size + 1}`
  const isServed = to_address.country !== 'AQ'
  const created: Partial<IShipment> = {
    ...{ id, object: 'Shipment', ...dated, reference: reference ?? null },
    ...(customs_info && { customs_info: customs_info as ICustomsInfo }),
    rates: (isServed ? ratesOf(double, id) : []) as IRate[],
    messages: isServed ? [] : ([{ carrier: 'USPS', message: 'Not served.' }] as unknown as IShipment['messages']),
  }
  double.shipments.set(id, created)
  return { status: 201, json: created }
}

function buy(double: Double, url: string, id: string, { rate }: { readonly rate?: { readonly id?: string } }): Told {
  const shipment = double.shipments.get(id)
  if (shipment === undefined) return error(404, 'NOT_FOUND', 'The requested resource could not be found.')
  if (shipment.postage_label) return error(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.')
  const chosen = shipment.rates?.find((one) => one.id === rate?.id)
  if (chosen === undefined)
    return error(422, 'SHIPMENT.RATE.INVALID', 'Wrong rate.', [{ field: 'rate', message: 'unknown' }])
  if (shipment.reference?.startsWith('poor')) return error(402, 'PAYMENT_REQUIRED', 'Insufficient funds.')
  double.sold.push(id)
  const tracking_code = `EZ${1000 + double.sold.length}`
  double.trackers.set(tracking_code, { object: 'Tracker', tracking_code, tracking_details: [] })
  const label = {
    object: 'PostageLabel',
    label_url: `${url}/labels/${id}.pdf`,
    label_file_type: 'application/pdf',
  }
  const bought: Partial<IShipment> = {
    ...{ ...shipment, tracking_code, selected_rate: { ...chosen, rate: double.be.taken ?? chosen.rate } },
    postage_label: label as IShipment['postage_label'],
    ...(shipment.customs_info && { forms: [formAt(`${url}/labels/${id}-invoice.pdf`)] }),
  }
  double.shipments.set(id, bought)
  return { status: 200, json: bought }
}

function formAt(form_url: string): IShipment['forms'][number] {
  const form = { object: 'Form', ...dated, form_type: 'commercial_invoice', form_url, submitted_electronically: false }
  return { id: 'form_1', ...form } as IShipment['forms'][number]
}

function refund(double: Double, id: string): Told {
  const shipment = double.shipments.get(id)
  if (shipment === undefined) return error(404, 'NOT_FOUND', 'The requested resource could not be found.')
  if (shipment.refund_status) return error(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'A refund was requested already.')
  if (shipment.status === 'delivered') return error(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'The shipment was used.')
  const refunded: Partial<IShipment> = { ...shipment, refund_status: 'submitted' }
  double.shipments.set(id, refunded)
  return { status: 200, json: refunded }
}

function scan(double: Double, asked: { readonly shipments: readonly { readonly id: string }[] }): Told {
  const own = asked.shipments.map(({ id }) => double.shipments.get(id))
  if (own.some((one) => one?.scan_form)) return error(422, 'SCAN_FORM.EXISTS', 'A shipment has a scan form already.')
  if (new Set(own.map((one) => one?.selected_rate?.carrier_account_id)).size > 1)
    return error(422, 'SCAN_FORM.MIXED', 'The shipments have different carriers.')
  const id = `sf_${new Set([...double.shipments.values()].map((one) => one.scan_form?.id)).size}`
  const form: Partial<IScanForm> = { id, object: 'ScanForm', ...dated, status: 'created' }
  for (const one of asked.shipments)
    double.shipments.set(one.id, { ...double.shipments.get(one.id), scan_form: form as IScanForm })
  return { status: 201, json: form }
}

function listed(double: Double, { query }: Asked): Told {
  const newestFirst = [...double.shipments.values()]
    .reverse()
    .filter((one) => query.get('purchased') !== 'true' || one.postage_label)
  const from = newestFirst.findIndex(({ id }) => id === query.get('before_id')) + 1
  const size = Math.min(double.be.page ?? 100, Number(query.get('page_size') ?? 20))
  const page = newestFirst.slice(from, from + size)
  return { status: 200, json: { shipments: page, has_more: from + size < newestFirst.length } }
}

function named(double: Double, name: string): Told {
  const found = double.shipments.get(name) ?? [...double.shipments.values()].find((one) => one.reference === name)
  return found === undefined
    ? error(404, 'NOT_FOUND', 'The requested resource could not be found.')
    : { status: 200, json: found }
}

function answer(double: Double, url: string, asked: Asked): Told {
  const { method, path, query, body, headers } = asked
  if (path.startsWith('/labels/')) return { status: 200, text: '%PDF-1.4 of EasyPost' }
  if (headers.authorization !== `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`)
    return error(401, 'APIKEY.INACTIVE', 'This api key is no longer active.')
  const [, kind = '', id = '', action = ''] = /^\/([a-z_]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(path) ?? []
  const name = `${method} /${kind}${id && '/:'}${action && `/${action}`}`
  wrong(double, name, (body ?? {}) as object, described[name])
  wrong(double, name, Object.fromEntries(query), parameters[name])
  switch (name) {
    case 'POST /shipments':
      return create(double, body as ShipmentRequest)
    case 'GET /shipments':
      return listed(double, asked)
    case 'GET /shipments/:':
      return named(double, decodeURIComponent(id))
    case 'POST /shipments/:/buy':
      return buy(double, url, id, body as object)
    case 'POST /shipments/:/refund':
      return refund(double, id)
    case 'POST /scan_forms':
      return scan(double, body as { readonly shipments: readonly { readonly id: string }[] })
    case 'GET /trackers':
      return {
        status: 200,
        json: {
          trackers: [double.trackers.get(query.get('tracking_code') ?? '')].filter((one) => one !== undefined),
          has_more: false,
        },
      }
    default:
      return answerPickup(double, name, id, body) ?? error(404, 'NOT_FOUND', `Nothing is at ${name}.`)
  }
}

/** What a tracker tells of its parcel. */
export function detail(status: ITrackingDetail['status'], status_detail: string, datetime: string, city = 'Boston') {
  const tracking_location = { object: 'TrackingLocation', city, state: 'MA', country: 'US', zip: '02108' }
  const told = {
    status,
    status_detail,
    datetime,
    message: status_detail,
    description: '',
    source: 'USPS',
    carrier_code: '',
  }
  return { object: 'TrackingDetail', ...told, tracking_location } as ITrackingDetail
}
