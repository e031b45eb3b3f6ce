import {
  type CarrierLabel,
  type CarrierOffer,
  exactMoney,
  omitUndefined,
  type Shipment,
  type ShipmentParty,
} from '../../../engine/index.ts'
import { isAddress, longestReference, shortened, wordsIn } from '../answers.ts'
import type { EasyPostRate, EasyPostShipment } from './client.ts'
import { taxIdentifiersOf, toldToCustoms } from './customs.ts'

/** Somebody with an address as EasyPost takes it. */
export function partyOf(party: ShipmentParty) {
  const { name, phone, email, street, street2, locality, region, postal_code, country } = party
  return omitUndefined({
    ...{ name, phone, email, street1: street, street2, city: locality, state: region, zip: postal_code, country },
  })
}

/** Rounds up, so that a parcel is never lighter or smaller than it is said to be. */
function roundedUp(value: number, decimals: number): number {
  return Number(`${Math.ceil(Number(`${value.toFixed(6)}e${decimals}`))}e-${decimals}`)
}

const [gramsOfOunce, centimetresOfInch] = [28.349523125, 2.54]

/** The parcel of a shipment as EasyPost takes it: in ounces and inches, rounded up to tenths and hundredths. */
function parcelOf([parcel]: Shipment['parcels']) {
  const { weight_grams = 0, length_cm, width_cm, height_cm } = parcel ?? {}
  const inches = (length: number | undefined) =>
    length === undefined ? undefined : roundedUp(length / centimetresOfInch, 2)
  return {
    weight: roundedUp(weight_grams / gramsOfOunce, 1),
    ...omitUndefined({ length: inches(length_cm), width: inches(width_cm), height: inches(height_cm) }),
  }
}

/** A shipment as EasyPost takes it; its label will be a PDF. */
export function bodyOf(asked: Shipment, reference?: string) {
  const { from, to, parcels, customs: { incoterm, invoice_number } = {} } = asked
  const shipment = { from_address: partyOf(from), to_address: partyOf(to), parcel: parcelOf(parcels) }
  const options = { label_format: 'PDF', ...omitUndefined({ incoterm, invoice_number }) }
  const told = omitUndefined({ customs_info: toldToCustoms(asked), tax_identifiers: taxIdentifiersOf(asked) })
  return { shipment: { ...shipment, options, ...told, ...omitUndefined({ reference }) } }
}

/** What a rate of ours says of the way at EasyPost: the account of the carrier there, and its service. */
export function referenceOf({ carrier_account_id, service }: EasyPostRate): string {
  return JSON.stringify([carrier_account_id, service])
}

/** A rate as an offer; undefined where its price is not exact in its currency, or its way cannot be kept. */
export function offerOf(rate: EasyPostRate): CarrierOffer | undefined {
  const { carrier, service, delivery_days, est_delivery_days } = rate
  const price = exactMoney(rate.rate, rate.currency)
  const reference = referenceOf(rate)
  if (price === undefined || reference.length > longestReference) return undefined
  const days = delivery_days ?? est_delivery_days ?? -1
  return {
    service: shortened(`${carrier}.${service}`, 60),
    service_name: wordsIn(`${carrier} ${service}`, 100),
    ...{ ...price, reference },
    ...(Number.isSafeInteger(days) && days >= 0 && days <= 365 && { transit_days: days }),
  }
}

/** What EasyPost says of carriers without rates. */
export function silenceOf({ messages }: Pick<EasyPostShipment, 'messages'>): string {
  return (messages ?? []).map(({ carrier, message }) => `${carrier ?? ''}: ${String(message ?? '')}`).join('; ')
}

const mediaTypes = ['application/pdf', 'application/zpl', 'image/png'] as const

/** Whether a shipment has a label. */
export function isSold({ postage_label, tracking_code }: EasyPostShipment): boolean {
  return postage_label != null && typeof tracking_code === 'string' && tracking_code !== ''
}

/** The form for customs of a shipment, if its carrier has made one. */
function formOf({ forms }: EasyPostShipment): CarrierLabel['customs_document'] {
  for (const kind of ['commercial_invoice', 'cn22'] as const) {
    const { form_url: reference } = (forms ?? []).find(({ form_type }) => form_type === kind) ?? {}
    if (!reference || !isAddress(reference)) continue
    return { reference, media_type: /\.png$/i.test(reference) ? 'image/png' : 'application/pdf', kind }
  }
  return undefined
}

/** The label of a shipment that is sold, at the price that was taken for it. */
export function labelOf(shipment: EasyPostShipment, asked: Pick<CarrierOffer, 'amount' | 'currency'>): CarrierLabel {
  const { id, tracking_code, selected_rate, postage_label } = shipment
  const paid = selected_rate == null ? undefined : offerOf(selected_rate)
  const { label_url: reference, label_file_type = 'image/png' } = postage_label ?? {}
  const media_type = mediaTypes.find((type) => type === label_file_type)
  return {
    reference: id,
    tracking_numbers: [String(tracking_code)],
    ...{ amount: paid?.amount ?? asked.amount, currency: paid?.currency ?? asked.currency },
    ...(reference && isAddress(reference) && media_type && { document: { reference, media_type } }),
    ...omitUndefined({ customs_document: formOf(shipment) }),
  }
}
