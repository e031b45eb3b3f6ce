import type { Values } from '../../entity/field.ts'
import { pick } from '../../entity/record.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { numberKey } from '../../kernel/number-key.ts'
import type { Cell, Condition, Page, Query } from '../../kernel/read-model.ts'
import { orderFor } from '../../kernel/uniorder.ts'
import { getOperationEvents } from './audit.ts'
import { anyOrder, recordsOf, withNumber } from './families.ts'
import { conditionOf } from './filter.ts'
import { countedOf } from './list.ts'
import { ofFamily, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { orderRecord, statusFor } from './record.ts'
import { finalStatuses, type Status, statuses, statusOf } from './status.ts'

/** The members of an order that the tracking page of its customer shows. */
const shipment = [
  ...(['order_id', 'type', 'status', 'order_status_id', 'tracking_number', 'external_tracking_number'] as const),
  ...(['reference', 'pickup', 'delivery', 'schedule_date', 'time_window', 'items', 'created_at'] as const),
]

/** What insights show of orders. */
export const orderSchemas = {
  record: anyOrder,
  shipment: pick(orderRecord.entries, shipment),
  events: getOperationEvents.output.entries.events,
}

/** Columns that an order can be named by. */
type Column = 'order_id' | 'tracking_key' | 'external_key'

/**
 * The newest visible order with this value in the first of these columns that has any. Refuses with `order_not_found`
 * if there is none. Its tracking number is that of the parcel which is named.
 */
export async function orderNamed(context: Context, name: string, columns: readonly Column[]) {
  const record = await recordNamed(context, name, columns)
  const { order_id: id } = record as { order_id: number }
  return { id, trackingNumber: parcelNamed(record, name), record, shipment: await shipmentOf(context, record) }
}

/** The tracking number of the parcel that a name means: of the first one, unless it is the number of another. */
function parcelNamed(record: Values, name: string): string | undefined {
  const { tracking_number: first, tracking_numbers = [] } = record as Numbered
  return tracking_numbers.find((number) => numberKey(number) === numberKey(name)) ?? first
}

interface Numbered {
  readonly tracking_number?: string
  readonly tracking_numbers?: readonly string[]
}

/** The details of a shipment for its owner. One of another family goes from its sender to its recipient. */
async function shipmentOf(context: Context, record: Values): Promise<Values> {
  const other = await ofFamily(context, Number(record.order_id))
  if (other === undefined) return pick(record, shipment)
  const going = await other.family.shipment(context, other.record.order_id)
  const { pickup, delivery, ...kind } = going === undefined ? {} : orderFor(going)
  // A carrier may know somebody by less than an order says.
  const parties = Object.entries({ pickup, delivery }).filter(([, party]) => party?.name && party.address.street)
  const whole: Values = { ...record, type: 'P2P', items: 1, ...kind, ...Object.fromEntries(parties) }
  return pick(whole, shipment)
}

async function recordNamed(context: Context, name: string, columns: readonly Column[]): Promise<Values> {
  const where = visibleWhere(context)
  for (const column of columns) {
    const cell = column === 'order_id' ? idIn(name) : numberKey(name)
    if (cell === undefined) continue
    const query = { where, among: { [column]: [cell] }, newestFirst: true, limit: 1 }
    const [order] = await recordsOf(context, (await context.models.page(orderModel, query)).rows)
    if (order !== undefined) return order
  }
  const [other] = await withNumber(context, name)
  if (other === undefined) throw new EngineError('order_not_found', { order: name.slice(0, 60) })
  return other
}

function idIn(name: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name.trim()) ? Number(name) : undefined
}

/** When an order was last delivered, by whomever: ISO 8601, UTC. */
export async function deliveredAt({ models }: Context, order_id: number): Promise<string | undefined> {
  const [row] = await models.rows(orderModel, { order_id })
  const instant = row?.delivered_at
  return typeof instant === 'string' ? instant : undefined
}

/** The first operation events of an order, and their total number. */
export async function firstEventsOf(context: Context, order_id: number, per_page: number) {
  const { total, events } = await getOperationEvents.handle(context, { order_id, per_page })
  return { total, events }
}

/** The rows of orders that the caller may see. */
export function orderRows(context: Context, { where, ...query }: Query): Promise<Page> {
  return context.models.page(orderModel, { ...query, where: { ...where, ...visibleWhere(context) } })
}

/** The number of visible orders for each value of a column. */
export function orderCounts(
  context: Context,
  column: string,
  { where, ...condition }: Condition,
): Promise<ReadonlyMap<Cell, number>> {
  const seen = { ...where, ...visibleWhere(context) }
  return context.models.counts(orderModel, column, { ...condition, where: seen })
}

/** The number of orders that `get_orders` lists with one of these filters. */
export async function countListed(
  context: Context,
  filter: 'late' | 'undeliverable' | 'unassigned' | 'reported' | 'contradicting',
): Promise<number> {
  return countedOf(context, await conditionOf(context, { [filter]: true }))
}

/** The id of a status. */
export function statusId(status: Status): number {
  return statuses[status].id
}

/** The ids of the statuses of orders that have not ended. */
export function openStatusIds(): readonly number[] {
  const open = (Object.keys(statuses) as readonly Status[]).filter((status) => !finalStatuses.includes(status))
  return open.map(statusId)
}

/** The status with this id as the caller sees it; the name is empty if there is no such status. */
export function visibleStatus(context: Context, id: number): { readonly id: number; readonly name: string } {
  const status = statusOf(id)
  if (status === undefined) return { id, name: '' }
  const name = statusFor(context, status)
  return { id: statuses[name].id, name }
}
