import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getOrderDetail, isLate, orderTable, zonedIso } from '../../../engine/index.ts'
import type { Visitor } from '../signed-in/session.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import { type Html, visible } from '../words.ts'
import type { OrderTexts } from './texts.ts'

/** An order as the operations answer it. */
export type Order = InferOutput<typeof getOrderDetail.output>['order']

/** Whether the kind of account of a visitor is shown a field of orders at all. */
export function isShown(field: keyof typeof orderTable.fields, { account }: Visitor): boolean {
  const readers: readonly string[] = orderTable.fields[field].shownTo
  return readers.includes(account.role)
}

/** The status of an order as a label, and another one if it is late. */
export function statusBadges(order: Order, { context, account }: Visitor, texts: OrderTexts): Html {
  const now = zonedIso(context.clock(), account.business.timeZone).slice(0, 16)
  return html`<span class="badge ${kindOf(order.status)}">${orderStatusIn(texts.lang, order.status)}</span>${isLate(order, now) && html` <span class="badge late">${texts.late}</span>`}`
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
