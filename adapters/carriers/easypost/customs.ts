import {
  type Customs,
  type CustomsItem,
  compareAmounts,
  itemsOf,
  lineValueOf,
  omitUndefined,
  type Shipment,
  stateOfImportShop,
  totalValueOf,
} from '../../../engine/index.ts'

const gramsOfOunce = 28.349523125

/** Rounds down to thousandths, so that goods never weigh more than their parcel; nothing weighs nothing. */
function ouncesOf(grams: number): number {
  return Math.max(0.001, Math.floor((grams / gramsOfOunce) * 1000) / 1000)
}

/** Goods of one kind as EasyPost takes them: their value and weight are those of all of them. */
function itemOf(item: CustomsItem) {
  const { description, quantity, weight_grams, hs_code, origin_country, currency, sku } = item
  return {
    ...{ description, quantity, value: Number(lineValueOf(item)), currency, weight: ouncesOf(quantity * weight_grams) },
    ...omitUndefined({ hs_tariff_number: hs_code, origin_country, code: sku }),
  }
}

/** What a shipment declares to customs, as EasyPost takes it; undefined if that is nothing. */
export function toldToCustoms(shipment: Shipment) {
  const { customs, from } = shipment
  if (customs === undefined) return undefined
  const { contents_type = 'merchandise', contents_explanation, non_delivery = 'return', signer = from.name } = customs
  return {
    ...{ contents_type, ...omitUndefined({ contents_explanation, eel_pfc: exemptionOf(shipment) }) },
    ...{ non_delivery_option: non_delivery, restriction_type: 'none' },
    ...(signer !== undefined && { customs_certify: true, customs_signer: signer }),
    customs_items: itemsOf(shipment).map(itemOf),
  }
}

/** Why an export from the United States needs no filing (15 CFR 30.36 and 30.37): it goes to Canada, or is worth at most 2,500 USD. */
function exemptionOf(shipment: Shipment): string | undefined {
  const { from, to } = shipment
  if (from.country !== 'US') return undefined
  if (to.country === 'CA') return 'NOEEI 30.36'
  const { amount, currency } = totalValueOf(itemsOf(shipment))
  return currency === 'USD' && compareAmounts(amount, '2500') <= 0 ? 'NOEEI 30.37(a)' : undefined
}

/** The numbers of the sender and the recipient with customs and tax offices. */
export function taxIdentifiersOf({ customs = {}, from, to }: Shipment) {
  const found = numbersOf(customs, from.country, to.country).flatMap(({ tax_id, ...number }) =>
    tax_id === undefined ? [] : [{ tax_id, ...number }],
  )
  return found.length === 0 ? undefined : found
}

function numbersOf(customs: Customs, from: string, to: string) {
  const { sender_eori, sender_vat_number, ioss_number, recipient_eori, recipient_vat_number } = customs
  const [sender, receiver] = ['SENDER', 'RECEIVER'] as const
  return [
    { entity: sender, tax_id: sender_eori, tax_id_type: 'EORI', issuing_country: sender_eori?.slice(0, 2) ?? from },
    { entity: sender, tax_id: sender_vat_number, tax_id_type: 'VAT', issuing_country: from },
    {
      ...{ entity: sender, tax_id: ioss_number, tax_id_type: 'IOSS' },
      issuing_country: stateOfImportShop(ioss_number ?? '') ?? to,
    },
    {
      entity: receiver,
      tax_id: recipient_eori,
      tax_id_type: 'EORI',
      issuing_country: recipient_eori?.slice(0, 2) ?? to,
    },
    { entity: receiver, tax_id: recipient_vat_number, tax_id_type: 'VAT', issuing_country: to },
  ]
}
