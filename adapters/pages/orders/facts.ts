import { html } from 'hono/html'
import { orderTable, printLocalLabel } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { fieldTitle } from '../signed-in/operation-words.ts'
import { shownValue } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { home, type OrderSetting } from './setting.ts'
import { accountWords, dayOf, type Order } from './shown.ts'
import type { OrderTexts } from './texts.ts'

type Name = keyof typeof orderTable.fields & keyof Order

/** What the facts about an order are written with. */
interface Writing {
  readonly names: ReadonlyMap<number, string>
  readonly visitor: Visitor
  readonly setting: OrderSetting
}

/** The fields that another part of the page shows, or that another fact tells. */
const elsewhere: readonly string[] = [
  ...(['tracking_number', 'status', 'order_status_id', 'time_window', 'pickup', 'delivery'] satisfies Name[]),
  ...(['currency', 'price_details', 'shipping_price', 'tax', 'surcharges'] satisfies Name[]),
  ...(['paid_amount', 'refunded_amount', 'remaining_amount', 'personal_data_erased'] satisfies Name[]),
]

/** How a fact is written, where it is not simply its value. */
const written: { readonly [Of in Name]?: (order: Order, writing: Writing) => unknown } = {
  type: ({ type }, { setting }) => setting.orders.types[type],
  schedule_date: dayOf,
  customer_id: ({ customer_id }, { names, setting }) => accountWords(customer_id, names, setting.orders),
  driver_id: ({ driver_id }, { names, setting }) => accountWords(driver_id, names, setting.orders),
  broker_id: ({ broker_id }, { names, setting }) => accountWords(broker_id, names, setting.orders),
  route_id: ({ route_id }, writing) => linkTo('/records/route', route_id, writing),
  replaces: ({ replaces }, writing) => linkTo(home, replaces, writing),
  replaced_by: ({ replaced_by }, writing) => linkTo(home, replaced_by, writing),
  assignment_rule: ({ assignment_rule: rule }, { setting }) =>
    rule && `${rule.rule_id}, ${setting.orders.files.version({ version: rule.version })}`,
}

/** The facts about an order that are there: all fields of its table that the record shows, each with its name. */
export function factList(order: Order, writing: Writing): Html {
  const { facts: words, lang } = writing.setting.orders
  const labels: Readonly<Record<string, string>> = words
  const facts = Object.entries(orderTable.fields).flatMap(([name, { price }]) => {
    const value: unknown = order[name as Name]
    if (elsewhere.includes(name) || value === undefined || value === '') return []
    const label = labels[name] ?? fieldTitle(name, lang)
    const own = written[name as Name]
    const currency = price !== 'none' && order.currency !== undefined && ` ${order.currency}`
    return [
      html`<div><dt>${label}</dt><dd>${own ? own(order, writing) : shownValue(value, writing.visitor)}${currency}</dd></div>`,
    ]
  })
  return html`<dl class="meta">${facts}</dl>
${order.personal_data_erased && html`<p class="hint">${words.personal_data_erased}</p>`}`
}

function linkTo(place: string, id: number | undefined, { setting }: Writing): Html {
  return html`<a href="${withLanguage(`${place}/${id}`, setting)}">${id}</a>`
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
    const { street, street2, locality, region, postal_code, country } = address
    const lines = [
      street,
      street2 ?? '',
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
