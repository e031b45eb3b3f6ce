import { html } from 'hono/html'
import { downloadStatement, getOrderDetail } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { fieldTitle, thingName, thingTitle } from '../signed-in/operation-words.ts'
import { momentFor } from '../signed-in/parts.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import type { Listed } from './found.ts'
import { home, type MoneySetting } from './setting.ts'

/** How a wallet is. */
export interface Standing {
  readonly balance: string
  readonly credit_limit: string
  readonly currency: string
}

/** A movement of a wallet; a customer from whom prices are hidden does not get all of its amounts. */
interface Movement {
  readonly kind: 'top_up' | 'payment' | 'refund' | 'adjustment' | 'credit_note' | 'fee'
  readonly at: string
  readonly amount?: string
  readonly balance?: string
  readonly order_id?: number
  readonly reason?: string
}

/** A page of the movements of a wallet, and how that is. */
export interface Moved extends Standing {
  readonly movements: readonly Movement[]
  readonly page: number
  readonly per_page: number
  readonly total: number
}

/** A cell with an amount; an empty one if that is hidden. */
export function amountCell(amount: string | undefined): Html {
  return html`<td class="amount">${amount !== undefined && html`<bdi dir="ltr">${visible(amount)}</bdi>`}</td>`
}

/** An amount with its currency. */
export function amountIn(amount: string, currency: string): Html {
  return html`<bdi dir="ltr">${visible(`${amount} ${currency}`)}</bdi>`
}

/** A table that scrolls sideways in a narrow window; heads are of words or of amounts. */
export function table(label: string, heads: readonly (string | Html)[], rows: readonly Html[]): Html {
  return html`<div class="wide-table" role="region" aria-label="${label}" tabindex="0"><table class="dense"><thead><tr>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** The head of a column. */
export function head(words: unknown, isAmount = false): Html {
  return html`<th scope="col"${isAmount && html` class="amount"`}>${words}</th>`
}

/** The movements of a wallet, newest first. */
export function movementTable({ movements, currency }: Moved, visitor: Visitor, setting: MoneySetting): Html {
  const { money: texts } = setting
  const { lang } = setting.texts
  if (movements.length === 0) return html`<p class="none">${texts.still}</p>`
  const rows = movements.map(({ at, kind, amount, balance, order_id, reason }) => {
    const words = order_id !== undefined && texts.ofOrder({ id: order_id })
    const order = mayNow(visitor, getOrderDetail)
      ? html`<a href="${withLanguage(`/orders/${order_id}`, setting)}">${words}</a>`
      : html`${words}`
    const about = order_id === undefined ? reason && html` · <bdi>${visible(reason)}</bdi>` : html` ${order}`
    return html`<tr><td>${momentFor(at, visitor)}</td>${amountCell(amount)}${amountCell(balance)}<td>${texts.kinds[kind]}${about}</td></tr>`
  })
  const heads = [
    ...[head(texts.when), head(html`${fieldTitle('amount', lang)} (${currency})`, true)],
    ...[head(texts.after, true), head(texts.what)],
  ]
  return table(texts.moved, heads, rows)
}

/** The latest statements, each with its record and its documents. */
export function statementSection(statements: readonly Listed[], visitor: Visitor, setting: MoneySetting): Html {
  const { money: texts } = setting
  const { lang } = setting.texts
  const rows = statements.map((one) => {
    const { statement_id: id, number, month, total, currency } = one
    const files = ['pdf', 'csv'].map((format) => {
      const name = format.toUpperCase()
      const label = texts.file({ format: name, number })
      return html`<a href="${withLanguage(`${home}/statements/${id}/${format}`, setting)}" aria-label="${label}">${name}</a> `
    })
    return html`<tr><th scope="row"><a href="${withLanguage(`/records/statement/${id}`, setting)}">${number}</a></th><td><bdi dir="ltr">${month}</bdi></td><td>${subjectOf(one, setting)}</td>
<td class="amount">${amountIn(total, currency)}</td><td>${mayNow(visitor, downloadStatement) && files}</td></tr>`
  })
  const heads = [
    ...[head(fieldTitle('number', lang)), head(fieldTitle('month', lang)), head(texts.of)],
    ...[head(fieldTitle('total', lang), true), head(texts.document)],
  ]
  const list =
    rows.length === 0
      ? html`<p class="none">${texts.none.statements}</p>`
      : html`${table(thingTitle('statements', lang), heads, rows)}
<p><a href="${withLanguage('/records/statement', setting)}">${texts.all.statements}</a></p>`
  return html`<section><h2 id="statements">${thingName('statements', lang)}</h2>${list}</section>`
}

function subjectOf({ subject, customer_id }: Listed, { money: texts }: MoneySetting): string {
  if (typeof customer_id === 'number') return texts.customer({ id: customer_id })
  return subject === 'business' ? texts.subjects.business : texts.subjects.without_customer
}
