import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  type getOrderDetail,
  isLate,
  type LocalOrder,
  type OrderFamily,
  orderTable,
  zonedIso,
} from '../../../engine/index.ts'
import type { Visitor } from '../signed-in/session.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import { type Html, visible } from '../words.ts'
import { home } from './setting.ts'
import type { OrderTexts } from './texts.ts'

/** An order as the operations answer it. */
export type Order = LocalOrder

/** An order of any family. */
export type AnyOrder = InferOutput<typeof getOrderDetail.output>['order']

/** Whether the kind of account of a visitor is shown a field of orders at all. */
export function isShown(field: keyof typeof orderTable.fields, { account }: Visitor): boolean {
  const readers: readonly string[] = orderTable.fields[field].shownTo
  return readers.includes(account.role)
}

/** The status of an order as a label, and another one if it is late. */
export function statusBadges(order: AnyOrder, { context, account }: Visitor, texts: OrderTexts): Html {
  const now = zonedIso(context.clock(), account.business.timeZone).slice(0, 16)
  const late = isLocal(order) && isLate(order, now)
  const reporter = isLocal(order) && order.reported_by
  return html`<span class="badge ${kindOf(order.status)}">${orderStatusIn(texts.lang, order.status)}</span>${late && html` <span class="badge late">${texts.late}</span>`}${reporter && html` <span class="badge"><bdi>${texts.reportedBy({ carrier: visible(reporter) })}</bdi></span>`}`
}

/** Whether an order is one that the business delivers, or gives to a carrier. */
export function isLocal(order: AnyOrder): order is Order {
  return order.family === 'local_delivery'
}

/** The family of an order; undefined for local deliveries. */
export function familyOf(order: AnyOrder, { context }: Visitor): OrderFamily | undefined {
  return context.ports.orders.families.find(({ name }) => name === order.family)
}

/** The page of an order; other families have their own. */
export function pathOf(order: AnyOrder, visitor: Visitor): string {
  const family = familyOf(order, visitor)
  return family === undefined ? `${home}/${order.order_id}` : `/records/${family.noun}/${order.order_id}`
}

function kindOf(status: string): 'good' | 'bad' | 'ended' | 'open' {
  if (status === 'DELIVERED' || status === 'DELIVERED_BY_CARRIER') return 'good'
  if (status === 'FAILED' || status === 'RETURNED') return 'bad'
  return status === 'CANCELLED' ? 'ended' : 'open'
}

/** The day of an order, and its time window if it has one. */
export function dayOf({ schedule_date, time_window }: Order): Html | undefined {
  if (schedule_date === undefined) return undefined
  return html`<span class="date">${schedule_date}</span>${time_window && html` <span class="clock">${time_window.start}–${time_window.end}</span>`}`
}

/** An account by its name, or by its number where the name is not known. */
export function accountWords(
  id: number | undefined,
  names: ReadonlyMap<number, string>,
  texts: OrderTexts,
): Html | undefined {
  return id === undefined ? undefined : html`<bdi>${visible(names.get(id) ?? texts.number({ id }))}</bdi>`
}
