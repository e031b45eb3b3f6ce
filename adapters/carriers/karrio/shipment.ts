import {
  type CarrierLabel,
  type CarrierOffer,
  exactMoney,
  omitUndefined,
  type Shipment,
  type ShipmentParty,
} from '../../../engine/index.ts'
import { isAddress, longestReference, shortened, wordsIn } from '../answers.ts'
import type { KarrioRate, KarrioShipment } from './client.ts'
import { commodityOf, customsOf } from './customs.ts'

/** The longest texts that a Karrio takes. */
export const longest = { line: 50, name: 50, city: 30, postalCode: 10, region: 20, phone: 20 } as const

/** What of a shipment a Karrio does not take; undefined if it takes all. Nothing is cut off an address. */
export function untaken({ from, to }: Shipment): string | undefined {
  const found = [...untakenOf('from', from), ...untakenOf('to', to)]
  return found.length === 0 ? undefined : `Too long for this carrier: ${found.join(', ')}.`
}

/** The members of somebody with an address that are too long for a Karrio. */
export function untakenOf(side: string, party: ShipmentParty): readonly string[] {
  const { name = '', locality = '', postal_code = '', region = '', phone = '' } = party
  const lengths = [
    ['name', name, longest.name],
    ['locality', locality, longest.city],
    ['postal_code', postal_code, longest.postalCode],
    ['region', region, longest.region],
    ['phone', phone, longest.phone],
  ] as const
  const tooLong = lengths.flatMap(([member, text, limit]) => (text.length > limit ? `${side}.${member}` : []))
  return linesOf(party) === undefined ? [...tooLong, `${side}.street`] : tooLong
}

/** The one or two lines of a street, one without a second line broken between words; undefined if it does not fit into two. */
function linesOf({ street = '', street2 }: ShipmentParty): readonly string[] | undefined {
  if (street2 !== undefined)
    return [street, street2].some((line) => line.length > longest.line) ? undefined : [street, street2]
  if (street.length <= longest.line) return street === '' ? [] : [street]
  const gap = street.lastIndexOf(' ', longest.line)
  const lines = gap < 0 ? [] : [street.slice(0, gap), street.slice(gap + 1)]
  return lines.length === 2 && lines.every((line) => line.length <= longest.line) ? lines : undefined
}

/** Somebody with an address as a Karrio takes it. */
export function partyOf(party: ShipmentParty) {
  const { name, phone, email, locality, region, postal_code, country } = party
  const [address_line1, address_line2] = linesOf(party) ?? []
  return omitUndefined({
    ...{ person_name: name, phone_number: phone, email, address_line1, address_line2 },
    ...{ city: locality, state_code: region, postal_code, country_code: country },
  })
}

/** A question about rates as a Karrio takes it: in grams and centimetres. It says nothing to customs, but what is in the parcels. */
export function rateBodyOf({ from, to, parcels, customs = {} }: Shipment) {
  const taxed = (federal_tax_id: string | undefined) => omitUndefined({ federal_tax_id })
  return {
    shipper: { ...partyOf(from), ...taxed(customs.sender_vat_number ?? customs.sender_eori) },
    recipient: { ...partyOf(to), ...taxed(customs.recipient_vat_number ?? customs.recipient_eori) },
    parcels: parcels.map(({ weight_grams, length_cm, width_cm, height_cm, items }) => ({
      ...{ weight: weight_grams, weight_unit: 'G' },
      ...omitUndefined({ length: length_cm, width: width_cm, height: height_cm }),
      ...((length_cm ?? width_cm ?? height_cm) !== undefined && { dimension_unit: 'CM' }),
      ...(items !== undefined && { items: items.map(commodityOf) }),
    })),
  }
}

/** A shipment as a Karrio takes it: with what it declares to customs. */
export function bodyOf(shipment: Shipment) {
  return { ...rateBodyOf(shipment), ...omitUndefined({ customs: customsOf(shipment) }) }
}

/** The connection of a Karrio to a carrier, and its service. */
interface Way {
  readonly carrier_id: string
  readonly service: string
}

/** What a rate of ours says of the way at a Karrio. */
function referenceOf({ carrier_id, service }: Way): string {
  return JSON.stringify([carrier_id, service])
}

/** The way at a Karrio that a rate of ours names; undefined if it names none. */
export function wayOf(reference = ''): Way | undefined {
  try {
    const [carrier_id, service] = JSON.parse(reference) as readonly unknown[]
    return typeof carrier_id === 'string' && typeof service === 'string' ? { carrier_id, service } : undefined
  } catch {
    return undefined
  }
}

/** A rate as an offer; undefined where its price is not exact in its currency, or its service has no name, or none that can be kept. */
export function offerOf({ carrier_id, service, total_charge, currency, transit_days, meta }: KarrioRate) {
  const price = exactMoney(total_charge, currency)
  if (price === undefined || typeof service !== 'string' || service === '') return undefined
  const reference = referenceOf({ carrier_id, service })
  if (reference.length > longestReference) return undefined
  const days = Number.isSafeInteger(transit_days) && Number(transit_days) >= 0 && Number(transit_days) <= 365
  const called = typeof meta?.service_name === 'string' ? meta.service_name : service.replaceAll('_', ' ')
  const offer: CarrierOffer = {
    service: shortened(`${carrier_id}.${service}`, 60),
    service_name: wordsIn(`${carrier_id} ${called}`, 100),
    ...{ ...price, reference },
    ...(days && { transit_days: Number(transit_days) }),
  }
  return offer
}

const mediaTypes = new Map<string, NonNullable<CarrierLabel['document']>['media_type']>([
  ['PDF', 'application/pdf'],
  ['ZPL', 'application/zpl'],
  ['PNG', 'image/png'],
])

const invoice = { media_type: 'application/pdf', kind: 'commercial_invoice' } as const

/** Whether a shipment has a label. */
export function isSold({ status, tracking_number }: KarrioShipment): boolean {
  return status !== 'draft' && status !== 'cancelled' && typeof tracking_number === 'string' && tracking_number !== ''
}

/** The label of a shipment that is sold, at the price that the carrier takes for it. */
export function labelOf(shipment: KarrioShipment, asked: Pick<CarrierOffer, 'amount' | 'currency'>): CarrierLabel {
  const { id, tracking_number, selected_rate, label_url, label_type, invoice_url } = shipment
  const paid = selected_rate == null ? undefined : offerOf(selected_rate)
  const media_type = mediaTypes.get(label_type || 'PDF')
  return {
    reference: id,
    tracking_numbers: [String(tracking_number)],
    ...{ amount: paid?.amount ?? asked.amount, currency: paid?.currency ?? asked.currency },
    ...(label_url && isAddress(label_url) && media_type && { document: { reference: label_url, media_type } }),
    ...(invoice_url && isAddress(invoice_url) && { customs_document: { reference: invoice_url, ...invoice } }),
  }
}
