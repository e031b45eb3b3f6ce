import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Shipment, ShipmentParty } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import {
  type CustomsItem,
  gramsOf,
  isForCn22,
  itemsOf,
  lineValueOf,
  totalValueOf,
  unitValueOf,
} from '../../kernel/customs.ts'
import { EngineError } from '../../kernel/errors.ts'
import { customsDocumentKinds } from '../../kernel/label-documents.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { addressLines, type PrintedCustoms, type PrintedParty } from '../../kernel/printed-label.ts'
import { id } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { fetched, labelDocumentErrors, usable } from './download.ts'
import { type Label, labelId, loadLabel, shipmentOf } from './label.ts'
import type { ShippingWay } from './ports.ts'
import { labelReaders } from './table.ts'

type Kind = (typeof customsDocumentKinds)[number]

/** Returns the customs document of a label. */
export const getCustomsDocument = operation({
  name: 'get_customs_document',
  summary:
    'The customs document of a label in base64: that of its carrier, or a CN22, CN23 or commercial invoice that is made here.',
  scopes: ['labels:read'],
  roles: labelReaders,
  risk: 'low',
  tag: 'LabelService',
  mcp: { title: 'Customs document of a label', idempotent: true, server: 'developer' },
  rest: { method: 'GET', path: '/api/v1/labelservice/labels/{order_id}/customs-document' },
  ids: { order_id: labelId },
  file: 'document',
  input: v.strictObject({
    order_id: v.pipe(id, v.description('Id of the label order.')),
    kind: v.exactOptional(
      v.pipe(
        v.picklist(customsDocumentKinds),
        v.description('That of the carrier where absent; else a CN22 or, where that is not enough, a CN23.'),
      ),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    kind: v.picklist(customsDocumentKinds),
    is_of_carrier: v.pipe(v.boolean(), v.description('Whether the carrier has made it.')),
    media_type: v.pipe(v.string(), v.description('application/pdf, or another one of a carrier.')),
    document: v.pipe(v.string(), v.description('The document in base64.')),
  }),
  errors: [...labelDocumentErrors, 'label_without_customs', 'cn22_too_much'],
  handle: async (context, { order_id, kind }) => {
    const { state } = await loadLabel(context, order_id)
    const { status, label: bought, customs_document: own } = state
    const shipment = state.isErased ? undefined : shipmentOf(state)
    if (bought === undefined || !usable.includes(status))
      throw new EngineError('label_status_forbids', { label: state.order_id, status })
    if (shipment === undefined) throw new EngineError('label_forgotten', { label: state.order_id })
    const way = await context.ports.labels.wayOf(context, state.carrier, state.service)
    const answer = { result: true, order_id: state.order_id } as const
    if (own !== undefined && way.hasDocuments && (kind ?? own.kind) === own.kind) {
      const { kind: _, ...document } = own
      const { media_type, content } = await fetched(context, state, { ...bought, document }, way)
      return { ...answer, kind: own.kind, is_of_carrier: true, media_type, document: content }
    }
    const made = kindFor(state.order_id, shipment, kind)
    const document = await context.printer.printCustoms(formsOf(context, state, shipment, made, way))
    return { ...answer, kind: made, is_of_carrier: false, media_type: 'application/pdf', document }
  },
})

/** The goods of each form: of each parcel that has its own, or of the whole shipment. */
function partsOf(
  shipment: Shipment,
): readonly { readonly items: readonly CustomsItem[]; readonly grams: number; readonly number: number }[] {
  const { parcels, customs } = shipment
  const grams = parcels.reduce((sum, { weight_grams }) => sum + weight_grams, 0)
  if (customs?.items !== undefined) return [{ items: customs.items, grams, number: 0 }]
  return parcels.flatMap(({ items, weight_grams }, number) =>
    items === undefined ? [] : [{ items, grams: weight_grams, number }],
  )
}

/** The kind of document for a shipment. Refuses with `label_without_customs` and `cn22_too_much`. */
function kindFor(label: number, shipment: Shipment, asked: Kind | undefined): Kind {
  const parts = partsOf(shipment)
  if (parts.length === 0) throw new EngineError('label_without_customs', { label })
  const isSmall = parts.every(({ items, grams }) => isForCn22(items, grams))
  if (asked === 'cn22' && !isSmall) throw new EngineError('cn22_too_much', { label })
  return asked ?? (isSmall ? 'cn22' : 'cn23')
}

function formsOf(
  context: Context,
  label: Label,
  shipment: Shipment,
  kind: Kind,
  way: ShippingWay,
): readonly PrintedCustoms[] {
  const whole = {
    items: itemsOf(shipment),
    grams: shipment.parcels.reduce((sum, { weight_grams }) => sum + weight_grams, 0),
    number: 0,
  }
  const parts = kind === 'commercial_invoice' ? [whole] : partsOf(shipment)
  const day = zonedIso(Date.parse(label.asked_at), accountOf(context).business.timeZone).slice(0, 10)
  const { customs = {}, from, to } = shipment
  const { contents_type = 'merchandise', contents_explanation, incoterm, non_delivery = 'return', signer } = customs
  const numbers = label.label?.tracking_numbers ?? []
  return parts.map(({ items, grams, number }) => ({
    ...{ kind, from: printed(from), to: printed(to), carrier: way.carrierTitle, isSample: way.isSample, day },
    number: numbers[number] ?? numbers[0] ?? '',
    ...{ contents_type, non_delivery, signer: signer ?? from.name ?? '' },
    ...omitUndefined({ contents_explanation, incoterm, reference: label.reference }),
    invoice: {
      number: customs.invoice_number ?? label.reference ?? String(label.order_id),
      day: customs.invoice_date ?? day,
    },
    identifiers: identifiersOf(customs),
    rows: items.map((item) => ({
      ...{ description: item.description, quantity: item.quantity, unit_value: unitValueOf(item) },
      ...{ value: lineValueOf(item), weight_grams: gramsOf([item]) },
      ...omitUndefined({ hs_code: item.hs_code, origin_country: item.origin_country }),
    })),
    total: totalValueOf(items),
    ...{ net_grams: gramsOf(items), gross_grams: grams },
  }))
}

function printed({ name = '', phone, ...address }: ShipmentParty): PrintedParty {
  return { name, lines: addressLines(address), ...omitUndefined({ phone }) }
}

function identifiersOf(customs: NonNullable<Shipment['customs']>): PrintedCustoms['identifiers'] {
  const of = (side: 'from' | 'to', name: string, number: string | undefined) =>
    number === undefined ? [] : [{ side, name, number }]
  return [
    ...of('from', 'EORI', customs.sender_eori),
    ...of('from', 'VAT', customs.sender_vat_number),
    ...of('from', 'IOSS', customs.ioss_number),
    ...of('to', 'EORI', customs.recipient_eori),
    ...of('to', 'VAT', customs.recipient_vat_number),
  ]
}
