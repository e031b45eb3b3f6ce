import * as v from 'valibot'
import { refusalCodes } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import type { NamedId } from '../../kernel/operation.ts'
import { priceOf } from '../../kernel/prices.ts'
import { id } from '../../kernel/schemas.ts'
import type { Booked, Shipping } from '../../kernel/uniorder.ts'

/** The ways to ship. */
export type Way = 'order' | 'label'

/** The kind of a uniorder of each way. */
export const kinds = { order: 'self_delivery', label: 'label' } as const satisfies Readonly<Record<Way, string>>

/** A uniorder: an order, or a label order. Its id says which, so that nothing is stored of it. */
export interface Uniorder {
  readonly way: Way
  readonly id: number
}

/** The id of a uniorder. */
export function uniorderIdOf({ way, id }: Uniorder): string {
  return `${way}-${id}`
}

/** The uniorders that an id may name: a number is that of an order or of a label. */
function uniordersOf(text: string): readonly Uniorder[] {
  const [, way, id] = /^(?:(order|label)-)?([1-9]\d{0,14})$/.exec(text) ?? []
  const ways = way === undefined ? (Object.keys(kinds) as Way[]) : [way as Way]
  return id === undefined ? [] : ways.map((way) => ({ way, id: Number(id) }))
}

/** How a uniorder is shipped. */
export function shippingOf({ ports }: Pick<Context, 'ports'>, { way }: Pick<Uniorder, 'way'>): Shipping {
  return ports.uniorders[way]
}

/** A uniorder that the caller may see, and what was booked. Refuses with `uniorder_not_found`. */
export async function loadUniorder(context: Context, text: string): Promise<{ uniorder: Uniorder; booked: Booked }> {
  for (const { way, id } of uniordersOf(text)) {
    const booked = await shippingOf(context, { way }).find(context, id)
    if (booked !== undefined) return { uniorder: { way, id: booked.order_id }, booked }
  }
  throw new EngineError('uniorder_not_found', { uniorder: text })
}

const uniorderId: NamedId = { noun: 'uniorder', require: (context, id) => loadUniorder(context, String(id)) }

/** What the member of `uniorderEntries` names. */
export const uniorderIds = { uniorder_id: uniorderId }

/** The member that names a uniorder. */
export const uniorderEntries = {
  uniorder_id: v.pipe(
    v.union([id, v.pipe(v.string(), v.maxLength(30))]),
    v.transform(String),
    v.description('The order_id, as 42. The uniorder_id of answers, as order-42 or label-43, finds the same.'),
  ),
}

function recordEntries(way: Way) {
  const family = way === 'order' ? 'local_delivery' : 'label_service'
  return {
    uniorder_id: v.string(),
    kind: v.literal(kinds[way]),
    order_id: v.pipe(v.number(), v.description('Id of the order, or of the label order.')),
    status: v.pipe(v.string(), v.description('A status of orders, or of labels.')),
    tracking_numbers: v.array(v.string()),
    carrier: v.string(),
    service: v.exactOptional(v.string()),
    reference: v.exactOptional(v.string()),
    currency: v.exactOptional(priceOf(family, v.pipe(v.string(), v.description('ISO 4217.')))),
    total_price: v.exactOptional(priceOf(family, v.pipe(v.string(), v.description('Decimal text, as 12.50.')))),
    refusal: v.exactOptional(
      v.pipe(
        named(
          'CarrierRefusal',
          v.strictObject({ code: v.picklist(refusalCodes), message: v.exactOptional(v.string()) }),
        ),
        v.description('Why the carrier did not sell the label.'),
      ),
    ),
    created_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
  }
}

/** A uniorder in answers. */
export const uniorderRecord = named(
  'Uniorder',
  v.variant('kind', [v.strictObject(recordEntries('order')), v.strictObject(recordEntries('label'))]),
)

/** A uniorder as answers show it. Refuses with `uniorder_not_found`. */
export async function recordOf(context: Context, uniorder_id: string) {
  const { uniorder, booked } = await loadUniorder(context, uniorder_id)
  return { uniorder_id: uniorderIdOf(uniorder), kind: kinds[uniorder.way], ...booked }
}

/** Has the carrier of a label asked now for what was recorded; does nothing for an order. */
export async function settleUniorder(context: Context, uniorder_id: string): Promise<void> {
  for (const uniorder of uniordersOf(uniorder_id)) await shippingOf(context, uniorder).settle(context, uniorder.id)
}
