import type { Subject, Target } from '../../engine/index.ts'
import { constant, object, type Plain, plain, type Template, text } from '../shared/template/index.ts'
import { linkTo, objectUri, partUri, pieceUri, some } from './names.ts'
import type { Shipment, Waybill } from './schema.ts'

/** The number of an air waybill: the prefix of the airline and the serial number. */
interface AirWaybill {
  readonly prefix: string
  readonly number: string
}

/** A shipment and its waybill, with the order or the air waybill that they are known by. */
interface OfShipment {
  readonly uri: Plain
  readonly waybill: Plain
  readonly order: number | undefined
  readonly air: AirWaybill | undefined
}

/**
 * The shipment of a subject: what its order has, or else what its air waybill has. Undefined for a piece that has neither,
 * because nothing is known that would be carried with it.
 */
export function shipmentOf(target: Target, subject: Subject): OfShipment | undefined {
  const { order_id: order, external_tracking_number: number = '' } = subject
  const air = airWaybillIn(number)
  if (order === undefined && air === undefined) return undefined
  const owner = order === undefined ? pieceUri(target, subject) : objectUri(target.baseUrl, orderName(order))
  return { uri: partUri(owner, 'shipment'), waybill: partUri(owner, 'waybill'), order, air }
}

/** What the objects of an order are named after. */
export function orderName(order: number): string {
  return `order_id:${order}`
}

/** A number in the form of an air waybill, whose last digit is the remainder of the seven before it (IATA Resolution 600a). */
function airWaybillIn(text: string): AirWaybill | undefined {
  const [, prefix, number = ''] = /^(\d{3})[- ]?(\d{8})$/.exec(text) ?? []
  if (prefix === undefined || Number(number.slice(0, 7)) % 7 !== Number(number.slice(7))) return undefined
  return { prefix, number }
}

/** A shipment with the URIs of its pieces. */
interface Filled extends OfShipment {
  readonly pieces: readonly Plain[]
}

const linksToPieces = some(
  ({ pieces }: Filled) => pieces,
  linkTo(
    'cargo:Piece',
    plain((uri: Plain) => uri),
  ),
) as Template<Filled, Shipment['cargo:pieces']>

/** What pieces are carried together (data model, `cargo:Shipment`). */
export const shipment = object<Filled, Shipment>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:Shipment'),
  'cargo:pieces': linksToPieces,
  'cargo:waybill': linkTo(
    'cargo:Waybill',
    plain(({ waybill }) => waybill),
  ),
})

/** The document of a shipment (data model, `cargo:Waybill`). An order is its shipping reference. */
export const waybill = object<OfShipment, Waybill>({
  '@id': plain(({ waybill }) => waybill),
  '@type': constant('cargo:Waybill'),
  'cargo:waybillPrefix': text(({ air }) => air?.prefix),
  'cargo:waybillNumber': text(({ air }) => air?.number),
  'cargo:shippingRefNo': text(({ order }) => (order === undefined ? undefined : String(order))),
  'cargo:shipment': linkTo(
    'cargo:Shipment',
    plain(({ uri }) => uri),
  ),
})
