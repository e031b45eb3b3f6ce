import { html } from 'hono/html'
import { withLanguage } from '../signed-in/area.ts'
import { statusName } from '../signed-in/operation-words.ts'
import { momentFor } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import type { OrderSetting } from './setting.ts'
import { type AnyOrder, accountWords, dayOf, familyOf, isLocal, isShown, pathOf, statusBadges } from './shown.ts'
import type { OrderTexts } from './texts.ts'

interface Rows {
  readonly orders: readonly AnyOrder[]
  readonly names: ReadonlyMap<number, string>
}

interface Column {
  readonly name: keyof OrderTexts['columns']
  /** Whether a narrow screen leaves it out. */
  readonly isWide: boolean
  of(order: AnyOrder): unknown
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
    return html`<tr><th scope="row"><a href="${withLanguage(pathOf(order, visitor), setting)}" data-row>${visible(order.tracking_number ?? texts.number({ id: order.order_id }))}</a>${order.reference !== undefined && html` <bdi class="label">${visible(order.reference)}</bdi>`}</th>${cells}</tr>`
  })
  return html`<div class="wide-table" role="region" aria-label="${texts.table}" tabindex="0"><table class="dense orders">
<thead><tr><th scope="col">${texts.columns.number}</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="hint">${texts.zone({ zone: visitor.account.business.timeZone })}</p>`
}

function columnsFor({ orders, names }: Rows, visitor: Visitor, texts: OrderTexts): readonly Column[] {
  const person = (name: 'driver_id' | 'broker_id'): readonly Column[] =>
    isShown(name, visitor) && orders.some((order) => isLocal(order) && order[name] !== undefined)
      ? [{ name, isWide: true, of: (order) => isLocal(order) && accountWords(order[name], names, texts) }]
      : []
  return [
    { name: 'status', isWide: false, of: (order) => statusBadges(order, visitor, texts) },
    { name: 'recipient', isWide: false, of: recipientOf },
    { name: 'schedule_date', isWide: false, of: (order) => isLocal(order) && dayOf(order) },
    ...person('driver_id'),
    ...person('broker_id'),
    { name: 'type', isWide: true, of: (order) => kindWords(order, visitor, texts) },
    { name: 'updated_at', isWide: true, of: ({ updated_at }) => momentFor(updated_at, visitor) },
  ]
}

/** What kind an order is; one of another family says its status in the words of that, and who carries it. */
function kindWords(order: AnyOrder, visitor: Visitor, texts: OrderTexts): unknown {
  if (isLocal(order)) return texts.types[order.type]
  const { carrier, state } = order
  const words = statusName(familyOf(order, visitor)?.noun ?? '', state, texts.lang)
  return html`${words}${carrier !== undefined && html` <bdi class="label">${visible(carrier)}</bdi>`}`
}

function recipientOf(order: AnyOrder): Html | undefined {
  if (!isLocal(order)) return undefined
  const party = order.delivery ?? order.pickup
  if (party === undefined) return undefined
  const place = party.address.locality ?? party.address.postal_code
  return html`<bdi>${visible(party.name)}</bdi>${place !== undefined && html` <bdi class="label">${visible(place)}</bdi>`}`
}
