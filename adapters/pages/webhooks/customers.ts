import { html } from 'hono/html'
import { getWebhookSettings, listAccounts } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { pageIn } from '../signed-in/visit.ts'
import { enteredOf } from './entered.ts'
import { orMissing } from './refusals.ts'
import { customersHome, type Visited } from './setting.ts'
import { tabs } from './settings.ts'

const perPage = 20

/** Shows the customers, and which of them have webhooks of their own. */
export function showCustomers(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const { webhooks: texts, signed } = setting
  const words = texts.customers
  return orMissing(visit, visitor, async () => {
    const query = { role: 'customer', page: pageIn(request), per_page: perPage }
    const listed = await outputOf(listAccounts, visitor, query)
    const items = await Promise.all(
      listed.accounts.map(async ({ id, name }) => {
        const urls = await urlsOf(visitor, id)
        return html`<li class="card"><h2><a href="${customersHome}/${id}"><bdi>${name ?? signed.number(id)}</bdi></a></h2>
<p class="${urls > 0 ? 'badge good' : 'label'}">${urls > 0 ? words.own(urls) : words.business}</p></li>`
      }),
    )
    const content = html`<div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>
${tabs(customersHome, visitor, texts)}</div>
${items.length === 0 ? html`<p class="none">${words.none}</p>` : html`<ul class="rows customers" role="list">${items}</ul>`}
${pager(listed, (page) => `${customersHome}?page=${page}`, signed)}`
    return answering.page(200, signedFrame({ title: words.title, content, kind: 'list', visitor }, setting))
  })
}

async function urlsOf(visitor: Visitor, customer_id: number): Promise<number> {
  const { settings } = await outputOf(getWebhookSettings, visitor, { customer_id })
  return [...enteredOf(settings).rows.values()].flat().length
}
