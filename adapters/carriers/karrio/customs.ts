import { type CustomsItem, itemsOf, type Shipment, totalValueOf } from '../../../engine/index.ts'

/** Goods of one kind as a Karrio takes them: their value and weight are those of one. */
export function commodityOf({ description, quantity, unit_value, currency, ...item }: CustomsItem) {
  const { weight_grams: weight, hs_code, origin_country, sku } = item
  return {
    ...{ description, quantity, weight, weight_unit: 'G', value_amount: Number(unit_value), value_currency: currency },
    ...{ title: description.slice(0, 35).toWellFormed() },
    ...(hs_code !== undefined && { hs_code }),
    ...(origin_country !== undefined && { origin_country }),
    ...(sku !== undefined && { sku }),
  }
}

const contentTypes = { returned_goods: 'return_merchandise' } as const

/** What a shipment declares to customs, as a Karrio takes it; undefined if that is nothing. */
export function customsOf(shipment: Shipment) {
  const { customs, from } = shipment
  if (customs === undefined) return undefined
  const items = itemsOf(shipment)
  const { contents_type = 'merchandise', contents_explanation, incoterm, invoice_number, invoice_date } = customs
  const { amount, currency } = totalValueOf(items)
  const signer = customs.signer ?? from.name?.slice(0, 50).toWellFormed()
  return {
    commodities: items.map(commodityOf),
    content_type: contents_type === 'returned_goods' ? contentTypes.returned_goods : contents_type,
    commercial_invoice: contents_type === 'merchandise',
    ...(contents_explanation !== undefined && { content_description: contents_explanation }),
    ...(incoterm !== undefined && { incoterm }),
    ...(invoice_number !== undefined && { invoice: invoice_number }),
    ...(invoice_date !== undefined && { invoice_date }),
    ...(signer !== undefined && { signer, certify: true }),
    ...(items.length > 0 && {
      duty: {
        ...{ paid_by: incoterm === 'DDP' ? 'sender' : 'recipient', currency },
        declared_value: Number(amount),
      },
    }),
    options: optionsOf(customs),
  }
}

function optionsOf({ sender_eori, sender_vat_number, ioss_number, non_delivery }: NonNullable<Shipment['customs']>) {
  return {
    ...(sender_eori !== undefined && { eori_number: sender_eori }),
    ...(sender_vat_number !== undefined && { vat_registration_number: sender_vat_number }),
    ...(ioss_number !== undefined && { ioss: ioss_number }),
    ...(non_delivery !== undefined && { non_delivery_option: non_delivery }),
  }
}
