import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { type LabelRequest, labelAnswerEntries, labelRequestEntries, printLabels } from '../../kernel/label-request.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { addressLines, type PrintedLabel, type PrintedParty } from '../../kernel/printed-label.ts'
import { loadOrder, orderIds } from './load.ts'
import { type OrderType, orderEntries, type Party } from './schema.ts'
import type { Order } from './state.ts'

/** The most labels of one call. */
const maxLabels = 50

const parcelNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Prints the labels of an order. */
export const printLocalLabel = operation({
  name: 'print_local_label',
  summary: `The labels of a local delivery order: one for each parcel, at most ${maxLabels} in a call.`,
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Shipping',
  mcp: { title: 'Print the labels of an order', idempotent: true },
  rest: { method: 'POST', path: '/api/v2/shipping/printLocalLabel' },
  ids: orderIds,
  input: v.strictObject({
    ...orderEntries,
    ...labelRequestEntries,
    first_parcel: v.exactOptional(
      v.pipe(parcelNumber, v.description('The parcel that the labels begin with; 1 where absent.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    order_id: v.number(),
    label_code: v.pipe(v.string(), v.description('What scanners read on each label.')),
    tracking_numbers: v.array(v.string()),
    ...labelAnswerEntries,
    parcels: v.pipe(v.number(), v.description('Parcels of the order.')),
    next_parcel: v.exactOptional(
      v.pipe(v.number(), v.description('The first_parcel of the next call, if labels are left.')),
    ),
  }),
  errors: [
    ...([
      'order_not_found',
      'not_a_self_delivery_order',
      'order_status_forbids',
      'order_forgotten',
      ...(['no_such_parcel', 'size_needs_pdf', 'no_such_place'] as const),
    ] as const),
    ...(['unprintable_text', 'labels_unavailable'] as const),
  ],
  handle: async (context, { order_id, first_parcel: first = 1, ...request }) => {
    const order = await loadOrder(context, order_id)
    const { tracking_number, items: parcels = 1 } = order
    if (first > parcels) throw new EngineError('invalid_input', { count: 1 }, [noParcel(first, parcels)])
    const { last, ...document } = await labelsOf(context, order, request, first)
    return {
      ...{ result: true, order_id, label_code: tracking_number, tracking_numbers: [tracking_number] },
      ...{ ...document, parcels, ...omitUndefined({ next_parcel: last < parcels ? last + 1 : undefined }) },
    }
  },
})

/**
 * The labels of an order from a parcel on, in base64, and the last parcel that has one. Refuses with `order_forgotten`, and with
 * `order_status_forbids` once the order is cancelled: nobody is to send it.
 */
export async function labelsOf(context: Context, order: Order, request: LabelRequest, first = 1) {
  const { order_id, status } = order
  if (status === 'CANCELLED')
    throw new EngineError('order_status_forbids', { order: order_id, command: 'print_local_label', status })
  if (order.isErased) throw new EngineError('order_forgotten', { order: order.order_id })
  const { tracking_number, items: parcels = 1 } = order
  const last = Math.min(parcels, first + maxLabels - 1)
  const url = `${context.baseUrl}/track/${encodeURIComponent(tracking_number)}`
  const printed = labelOf(order, { business: accountOf(context).business.name, url })
  const labels = Array.from({ length: last - first + 1 }, (_, index) => ({
    ...printed,
    parcel: { number: first + index, of: parcels },
  }))
  return { ...(await printLabels(context, labels, request)), last }
}

function noParcel(received: number, expected: number): Finding {
  return { path: 'first_parcel', code: 'no_such_parcel', params: { received, expected } }
}

const services: Readonly<Record<OrderType, string>> = { D: 'DELIVERY', P: 'PICKUP', P2P: 'DELIVERY' }

/** What all labels of an order say. The business takes the place of a person whom the order does not name. */
function labelOf(
  order: Order,
  { business, url }: { readonly business: string; readonly url: string },
): Omit<PrintedLabel, 'parcel'> {
  const { type, tracking_number: number, service, pickup, delivery, reference, schedule_date: day } = order
  return {
    from: partyOf(pickup, business),
    to: partyOf(delivery, business),
    ...{ number, url, service: service?.toUpperCase() ?? services[type] },
    ...omitUndefined({ reference, day, note: order.delivery_instruction }),
  }
}

function partyOf(party: Party | undefined, business: string): PrintedParty {
  if (party === undefined) return { name: business, lines: [] }
  const { name, address, phone } = party
  return { name, lines: addressLines(address), ...omitUndefined({ phone }) }
}
