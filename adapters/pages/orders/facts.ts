import { html } from 'hono/html'
import { printLocalLabel } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { momentFor } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { home, type OrderSetting } from './setting.ts'
import { accountWords, dayOf, type Order } from './shown.ts'
import type { OrderTexts } from './texts.ts'

/** The facts about an order that are there, each with its name. */
export function factList(
  order: Order,
  names: ReadonlyMap<number, string>,
  visitor: Visitor,
  setting: OrderSetting,
): Html {
  const { orders: texts } = setting
  const { facts: words, types } = texts
  const { driver_id, broker_id, customer_id, replaces, replaced_by, tags, ready_at } = order
  const person = (id: number | undefined) => accountWords(id, names, texts)
  const other = (id: number | undefined) => id && html`<a href="${withLanguage(`${home}/${id}`, setting)}">${id}</a>`
  const facts: readonly (readonly [string, unknown])[] = [
    [words.order_id, order.order_id],
    [words.type, types[order.type]],
    [words.reference, textOf(order.reference)],
    [words.external_tracking_number, textOf(order.external_tracking_number)],
    [words.schedule_date, dayOf(order)],
    [words.items, order.items],
    [words.customer_id, person(customer_id)],
    [words.driver_id, person(driver_id)],
    [words.broker_id, person(broker_id)],
    [words.provider, textOf(order.provider)],
    [words.route_id, order.route_id],
    [
      words.tags,
      tags !== undefined && tags.length > 0 ? tags.map((tag) => html`<span class="badge">${tag}</span> `) : undefined,
    ],
    [words.ready_at, ready_at && momentFor(ready_at, visitor)],
    [words.created_at, momentFor(order.created_at, visitor)],
    [words.updated_at, momentFor(order.updated_at, visitor)],
    [words.replaces, other(replaces)],
    [words.replaced_by, other(replaced_by)],
    [words.delivery_instruction, textOf(order.delivery_instruction)],
    [words.note, textOf(order.note)],
  ]
  const known = facts.filter(([, value]) => value !== undefined)
  return html`<dl class="meta">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${order.personal_data_erased && html`<p class="hint">${words.personal_data_erased}</p>`}`
}

function textOf(text: string | undefined): Html | undefined {
  return text === undefined || text === '' ? undefined : html`<bdi class="text">${visible(text)}</bdi>`
}

/** The links that belong to an order: its tracking page, and its labels for those who may print them. */
export function links(
  { order_id, tracking_number, items = 1, personal_data_erased }: Order,
  visitor: Visitor,
  setting: OrderSetting,
): Html {
  const { links: words } = setting.orders
  const label = (format: 'pdf' | 'zpl', from: number) =>
    html` <a href="${withLanguage(`${home}/${order_id}/labels.${format}?from=${from}`, setting)}" download>${words[format]}${from > 1 && words.from({ parcel: from })}</a>`
  const starts = Array.from({ length: Math.ceil(items / labelsAtOnce) }, (_, place) => 1 + place * labelsAtOnce)
  const isPrintable = may(visitor, printLocalLabel) && personal_data_erased === undefined
  return html`<p class="links"><a href="${withLanguage(`/track/${encodeURIComponent(tracking_number)}`, setting)}">${words.track}</a>${isPrintable && starts.flatMap((from) => [label('pdf', from), label('zpl', from)])}</p>`
}

/** So many labels one call prints. */
const labelsAtOnce = 50

/** Who sends and who receives an order, and where. */
export function parties(order: Order, { parties: words }: OrderTexts): Html {
  const all = (['delivery', 'pickup'] as const).map((side) => {
    const party = order[side]
    if (party === undefined) return undefined
    const { name, phone, email, address } = party
    const { street, locality, region, postal_code, country } = address
    const lines = [
      street,
      [postal_code, locality].filter(Boolean).join(' '),
      [region, country].filter(Boolean).join(', '),
    ]
    return html`<div><h3>${words[side]}</h3><p class="address"><b><bdi>${visible(name)}</bdi></b>${lines.filter(Boolean).map((line) => html`<br><bdi>${visible(line)}</bdi>`)}
${phone !== undefined && html`<br><a href="tel:${phone.replace(/[^+\d]/g, '')}" dir="ltr">${visible(phone)}</a>`}${email !== undefined && html`<br><a href="mailto:${encodeURIComponent(email)}" dir="ltr">${visible(email)}</a>`}</p></div>`
  })
  return html`<div class="parties">${all}</div>`
}

/** What an order costs and what of it is paid, as far as the visitor sees it. */
export function priceTable(order: Order, { price: words, named }: OrderTexts): Html | undefined {
  const { currency, price_details, shipping_price, tax, surcharges = [], ...amounts } = order
  if (currency === undefined || price_details === undefined) return undefined
  const parts: readonly (readonly [string, string | undefined])[] = [
    [words.shipping_price, shipping_price],
    ...surcharges.map(
      ({ name, surcharge_amount }) =>
        [`${named({ name: words.surcharge })} ${visible(name)}`, surcharge_amount] as const,
    ),
    [words.tax, tax],
    [words.total, price_details.total_price],
    [words.paid_amount, amounts.paid_amount],
    [words.refunded_amount, amounts.refunded_amount],
    [words.remaining_amount, amounts.remaining_amount],
  ]
  const rows = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<tr><th scope="row">${name}</th><td>${value} ${currency}</td></tr>`],
  )
  return html`<h3 id="price">${words.title}</h3><table class="dense prices" aria-labelledby="price"><tbody>${rows}</tbody></table>`
}
