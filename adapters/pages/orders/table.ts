import { html } from 'hono/html'
import { withLanguage } from '../signed-in/area.ts'
import { momentFor } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { home, type OrderSetting } from './setting.ts'
import { accountWords, dayOf, isShown, type Order, statusBadges } from './shown.ts'
import type { OrderTexts } from './texts.ts'

interface Rows {
  readonly orders: readonly Order[]
  readonly names: ReadonlyMap<number, string>
}

interface Column {
  readonly name: keyof OrderTexts['columns']
  /** Whether a narrow screen leaves it out. */
  readonly isWide: boolean
  of(order: Order): unknown
}

/** Orders as dense rows; the columns are those that the visitor is shown, and a driver or a contractor where somebody has one. */
export function orderRows({ orders, names }: Rows, visitor: Visitor, setting: OrderSetting): Html {
  const { orders: texts } = setting
  const columns = columnsFor({ orders, names }, visitor, texts)
  const head = columns.map(
    ({ name, isWide }) => html`<th scope="col"${isWide && html` class="wide"`}>${texts.columns[name]}</th>`,
  )
  const rows = orders.map((order) => {
    const cells = columns.map(({ isWide, of }) => html`<td${isWide && html` class="wide"`}>${of(order)}</td>`)
    return html`<tr><th scope="row"><a href="${withLanguage(`${home}/${order.order_id}`, setting)}" data-row>${visible(order.tracking_number)}</a>${order.reference !== undefined && html` <bdi class="label">${visible(order.reference)}</bdi>`}</th>${cells}</tr>`
  })
  return html`<div class="wide-table" role="region" aria-label="${texts.table}" tabindex="0"><table class="dense orders">
<thead><tr><th scope="col">${texts.columns.number}</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="hint">${texts.zone({ zone: visitor.account.business.timeZone })}</p>`
}

function columnsFor({ orders, names }: Rows, visitor: Visitor, texts: OrderTexts): readonly Column[] {
  const person = (name: 'driver_id' | 'broker_id'): readonly Column[] =>
    isShown(name, visitor) && orders.some((order) => order[name] !== undefined)
      ? [{ name, isWide: true, of: (order) => accountWords(order[name], names, texts) }]
      : []
  return [
    { name: 'status', isWide: false, of: (order) => statusBadges(order, visitor, texts) },
    { name: 'recipient', isWide: false, of: recipientOf },
    { name: 'schedule_date', isWide: false, of: dayOf },
    ...person('driver_id'),
    ...person('broker_id'),
    { name: 'type', isWide: true, of: ({ type }) => texts.types[type] },
    { name: 'updated_at', isWide: true, of: ({ updated_at }) => momentFor(updated_at, visitor) },
  ]
}

function recipientOf({ delivery, pickup }: Order): Html | undefined {
  const party = delivery ?? pickup
  if (party === undefined) return undefined
  const place = party.address.locality ?? party.address.postal_code
  return html`<bdi>${visible(party.name)}</bdi>${place !== undefined && html` <bdi class="label">${visible(place)}</bdi>`}`
}
