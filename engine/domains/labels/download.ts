import * as v from 'valibot'
import type { CarrierLabel, CarrierRefusal, ShipmentParty } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import {
  type LabelRequest,
  labelAnswerEntries,
  labelRequestEntries,
  placeDocument,
  printLabels,
} from '../../kernel/label-request.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { addressLines, type PrintedDocument, type PrintedLabel, type PrintedParty } from '../../kernel/printed-label.ts'
import { refusingMember } from '../../kernel/schemas.ts'
import { workDeadline } from './ask-carrier.ts'
import { type Label, labelId, loadLabel } from './label.ts'
import { labelIdIn, namedEntries, namingProblem } from './named.ts'
import type { ShippingWay } from './ports.ts'
import { labelReaders } from './table.ts'

/** Codes that the document of a label may be refused with. */
export const labelDocumentErrors = [
  ...(['label_not_found', 'label_status_forbids', 'label_forgotten', 'label_document_unreachable'] as const),
  ...(['carrier_account_not_found', 'carrier_refused', 'unprintable_text', 'labels_unavailable'] as const),
  ...(['size_needs_pdf', 'no_such_place'] as const),
  ...(['carrier_timed_out', 'carrier_broken', 'carrier_wrong_answer', 'carrier_too_busy'] as const),
] as const

/** Returns the document of a label. */
export const downloadShippingLabel = operation({
  name: 'download_shipping_label',
  summary: 'The document of a label, in base64: that of its carrier, or one that is printed here.',
  scopes: ['labels:write'],
  roles: labelReaders,
  risk: 'high',
  tag: 'LabelService',
  writes: false,
  mcp: { title: 'Document of a label', destructive: false, idempotent: true },
  rest: { method: 'POST', path: '/api/v1/shipping/getShippingLabel' },
  ids: { order_id: labelId },
  file: 'label',
  input: v.pipe(
    v.strictObject({
      ...namedEntries,
      ...labelRequestEntries,
    }),
    refusingMember((input) => namingProblem(input)),
  ),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    tracking_numbers: v.array(v.string()),
    ...labelAnswerEntries,
  }),
  errors: labelDocumentErrors,
  handle: async (context, { format, size, dpi, start_at, ...named }) => {
    const request = omitUndefined({ format, size, dpi, start_at })
    const { state } = await loadLabel(context, await labelIdIn(context, named))
    const tracking_numbers = state.label?.tracking_numbers ?? []
    return { result: true, order_id: state.order_id, tracking_numbers, ...(await documentOf(context, state, request)) }
  },
})

/** The states in which a label can be stuck on a parcel. */
export const usable: readonly Label['status'][] = ['LABEL_PURCHASED', 'LABEL_SUBMIT_PENDING', 'LABEL_SUBMITTED']

/** The document of a label: its carrier fetches the one that it made; a label without one is printed. */
export async function documentOf(context: Context, label: Label, request: LabelRequest) {
  const { order_id, status, label: bought, from, to, carrier, service, document } = label
  if (bought === undefined || !usable.includes(status))
    throw new EngineError('label_status_forbids', { label: order_id, status })
  if (label.isErased || from === undefined || to === undefined)
    throw new EngineError('label_forgotten', { label: order_id })
  const way = await context.ports.labels.wayOf(context, carrier, service)
  if (document !== undefined)
    return placeDocument(context, await fetched(context, label, { ...bought, document }, way), request)
  return printLabels(context, printedLabels(context, label, bought, { from, to }, way), request)
}

/** A document that the carrier of a label has. Refuses as `documentOf` does. */
export async function fetched(
  context: Context,
  { order_id, carrier_account_id }: Label,
  { reference, tracking_numbers, document }: CarrierLabel & Required<Pick<CarrierLabel, 'document'>>,
  { hasDocuments }: ShippingWay,
): Promise<PrintedDocument> {
  if (!hasDocuments)
    throw new EngineError('label_document_unreachable', { label: order_id, reference: document.reference })
  const input = { reference, tracking_numbers, document }
  const outcome = await context.ports.labels.ask(context, carrier_account_id, 'document', input, workDeadline)
  if (outcome.kind === 'refused')
    throw new EngineError('carrier_refused', { reason: refusalFor(context, outcome.refusal) })
  if (outcome.kind === 'failed') throw new EngineError(`carrier_${outcome.failure}`)
  return { media_type: document.media_type, content: outcome.answer.content }
}

/** Why a carrier refused, for the caller: what it says is for staff, because it may tell of the account of the business. */
function refusalFor({ caller }: Pick<Context, 'caller'>, { code, message }: CarrierRefusal): string {
  return caller.account?.role === 'customer' ? code : message
}

/** The labels of the parcels, each with its own tracking number, or all with that of the shipment. */
function printedLabels(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { parcels, reference }: Label,
  { tracking_numbers: numbers }: Pick<CarrierLabel, 'tracking_numbers'>,
  { from, to }: { readonly from: ShipmentParty; readonly to: ShipmentParty },
  { carrierTitle, serviceName, isSample, isOwnFleet }: ShippingWay,
): readonly PrintedLabel[] {
  return parcels.map(({ weight_grams }, index) => {
    const number = numbers[index] ?? numbers[0] ?? ''
    return {
      ...{ from: printedParty(from), to: printedParty(to), number, weight_grams, isSample },
      service: serviceName.startsWith(carrierTitle) ? serviceName : `${carrierTitle} ${serviceName}`,
      parcel: { number: index + 1, of: parcels.length },
      ...omitUndefined({ reference, url: isOwnFleet ? `${baseUrl}/track/${encodeURIComponent(number)}` : undefined }),
    }
  })
}

function printedParty({ name = '', phone, ...address }: ShipmentParty): PrintedParty {
  return { name, lines: addressLines(address), ...omitUndefined({ phone }) }
}
