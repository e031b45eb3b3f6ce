import { html } from 'hono/html'
import { getWebhookSettings, listAccounts } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { pageIn } from '../signed-in/visit.ts'
import type { Html } from '../words.ts'
import { enteredOf } from './entered.ts'
import { orMissing } from './refusals.ts'
import { customersHome, log, urlsHome, type Visited, type WebhookSetting } from './setting.ts'
import { tabs } from './settings.ts'

const perPage = 20

/** Shows the customers, and which of them have their own webhooks. */
export function showCustomers(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const { webhooks: texts, signed } = setting
  const words = texts.customers
  return orMissing(visit, visitor, async () => {
    const query = { role: 'customer', page: pageIn(request), per_page: perPage }
    const listed = await outputOf(listAccounts, visitor, query)
    const rows = await Promise.all(listed.accounts.map((one) => rowOf(one, visitor, setting)))
    const table = html`<div class="wide-table"><table class="dense stacks"><thead><tr><th>${words.customer}</th><th>${words.overrides}</th><th>${words.copy}</th>
<th><span class="hidden">${words.more}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
    const content = html`<div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>
${tabs(customersHome, visitor, setting)}</div>
${rows.length === 0 ? html`<p class="none">${words.none}</p>` : table}
${pager(listed, (page) => withLanguage(`${customersHome}?page=${page}`, setting), signed)}`
    return answering.page(
      200,
      signedFrame({ title: words.title, content, kind: 'list', visitor, kept: `page=${listed.page}` }, setting),
    )
  })
}

/** A customer, the events that go to its own URLs instead of to the business, and what else is known of them. */
async function rowOf(
  { id, name }: { readonly id: number; readonly name?: string | null },
  visitor: Visitor,
  setting: WebhookSetting,
): Promise<Html> {
  const { webhooks: texts, signed } = setting
  const to = (path: string) => withLanguage(path, setting)
  const { customers: words, tabs: areas } = texts
  const { settings } = await outputOf(getWebhookSettings, visitor, { customer_id: id })
  const { rows, copy } = enteredOf(settings, texts)
  const own = [...rows].filter(([, urls]) => urls.length > 0)
  const fields = own.map(
    ([field, urls]) =>
      html`<li>${texts.fields[field].title} <span class="label">${words.own({ urls: urls.length })}</span></li>`,
  )
  const copied = own.length === 0 ? '–' : copy ? words.copied : words.notCopied
  return html`<tr><td><a href="${to(`${customersHome}/${id}`)}"><bdi>${name ?? signed.number({ id })}</bdi></a></td>
<td class="wrap">${own.length === 0 ? words.business : html`<ul role="list">${fields}</ul>`}</td><td>${copied}</td>
<td><a href="${to(`${urlsHome}?customer=${id}`)}">${areas.urls}</a> · <a href="${to(`${log}?customer=${id}`)}">${texts.deliveries.title}</a></td></tr>`
}
