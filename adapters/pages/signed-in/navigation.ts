import { html } from 'hono/html'
import {
  domains,
  getCreditMovements,
  getMarkUps,
  getOrders,
  getToday,
  getWebhookSettings,
  listApiKeys,
  listGrants,
  listPendingApprovals,
  listSessions,
  listWallets,
  listWebhookDeliveries,
  type Operation,
} from '../../../engine/index.ts'
import type { SignedTexts } from '../texts/signed-in.ts'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { kindsIn } from './kinds.ts'
import { may, type Visitor } from './session.ts'

/** What lists the things that have pages because of their tables. */
const listings = kindsIn(domains.flatMap(({ operations }) => operations)).map(({ list }) => list)

/** The areas, each with the operations of which an account needs one for it. */
const rooms: readonly {
  readonly path: string
  readonly name:
    | 'today'
    | 'orders'
    | 'records'
    | 'money'
    | 'markUps'
    | 'approvals'
    | 'connections'
    | 'keys'
    | 'webhooks'
    | 'deliveries'
    | 'own'
  readonly shows: readonly Operation[]
}[] = [
  { path: '/today', name: 'today', shows: [getToday] },
  { path: '/orders', name: 'orders', shows: [getOrders] },
  { path: '/records', name: 'records', shows: listings },
  { path: '/money', name: 'money', shows: [listWallets, getCreditMovements] },
  { path: '/mark-ups', name: 'markUps', shows: [getMarkUps] },
  { path: '/mcp-approvals', name: 'approvals', shows: [listPendingApprovals] },
  { path: '/mcp-connections', name: 'connections', shows: [listGrants] },
  { path: '/keys', name: 'keys', shows: [listApiKeys] },
  { path: '/webhooks', name: 'webhooks', shows: [getWebhookSettings] },
  { path: '/webhooks/deliveries', name: 'deliveries', shows: [listWebhookDeliveries] },
  { path: '/account', name: 'own', shows: [listSessions] },
]

/** The links to the areas that an account may see, in the language that the reader has chosen; undefined if there is none. */
export function navigation(visitor: Visitor, here: string, setting: SignedSetting): Html | undefined {
  const open = rooms.filter(({ shows }) => shows.some((operation) => may(visitor, operation)))
  if (open.length === 0) return undefined
  const { navigation: words } = setting.signed
  const links = open.map(
    ({ path, name }) =>
      html`<li><a href="${withLanguage(path, setting)}"${path === here && html` aria-current="page"`}>${words[name]}</a></li>`,
  )
  return html`<nav class="rooms" aria-label="${words.label}"><ul role="list">${links}</ul></nav>`
}

/** The links to the previous and next page of a list; `to` returns the address of a page. */
export function pager(
  { page, per_page, total }: { readonly page: number; readonly per_page: number; readonly total: number },
  to: (page: number) => string,
  { pages }: SignedTexts,
): Html | undefined {
  const last = Math.max(1, Math.ceil(total / per_page))
  if (last === 1 && page === 1) return undefined
  const link = (at: number, text: string, rel: string) => html`<a rel="${rel}" href="${to(at)}">${text}</a>`
  return html`<nav class="pager" aria-label="${pages.label}">
${page > 1 && link(Math.min(page - 1, last), pages.newer, 'prev')}
<span>${pages.here({ page, of: last })}</span>
${page < last && link(page + 1, pages.older, 'next')}
</nav>`
}
