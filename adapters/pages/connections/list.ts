import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { listGrants } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment, visible } from '../words.ts'
import { familiesOf } from './scopes.ts'
import { type ConnectionSetting, home } from './setting.ts'

/** One page of the list. */
interface Listed extends InferOutput<typeof listGrants.output> {
  readonly names: ReadonlyMap<number, string>
  readonly said?: Result | undefined
}

/** The page of the programs that act in the name of accounts that the visitor answers for. */
export function listPage(listed: Listed, visitor: Visitor, setting: ConnectionSetting): Html {
  const { connections, signed } = setting
  const items = listed.grants.map((grant) => item(grant, listed, visitor, setting))
  const { chosen } = setting
  const to = (page: number) => `${home}?${chosen ? `lang=${chosen}&` : ''}page=${page}`
  const content = html`<h1>${connections.title}</h1>
<p class="lead">${connections.lead}</p>
${resultBox(listed.said)}
${items.length > 0 ? html`<ol class="grants" role="list">${items}</ol>` : html`<p class="none">${connections.none}</p>`}
${pager(listed, to, signed)}`
  return signedFrame({ title: connections.title, content, kind: 'list', visitor }, setting)
}

type Grant = Listed['grants'][number]

function item(grant: Grant, { names }: Listed, visitor: Visitor, setting: ConnectionSetting): Html {
  const { signed, connections } = setting
  const { grant_id: id, account_id, client_name, client_host, state, made_at, last_issued_at, ends_at, scopes } = grant
  const { item: words } = connections
  const row = (label: string, value: unknown) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  const name = client_name ?? client_host
  const by =
    account_id !== visitor.account.id && row(words.by, names.get(account_id) ?? signed.number({ id: account_id }))
  const end = html`<form method="post" action="${withLanguage(`${home}/${id}/end`, setting)}">${formField(visitor.formToken)}
<button type="submit" class="plain" aria-label="${words.end}: ${visible(name)}">${words.end}</button></form>`
  return html`<li class="card">
<div class="what"><h2><bdi>${visible(name)}</bdi></h2><span class="badge ${state}">${words[state]}</span></div>
<p class="meta"><bdi dir="ltr"><code>${visible(client_host)}</code></bdi></p>
<dl class="meta">
${by}
${row(words.made, moment(made_at))}
${last_issued_at !== undefined && row(words.used, moment(last_issued_at))}
${state === 'valid' && row(words.until, moment(ends_at))}
</dl>
<p class="rights"><span class="label">${words.may}</span> ${rightsOf(scopes, setting)}</p>
${state === 'valid' && end}
</li>`
}

function rightsOf(scopes: readonly string[], { connections }: ConnectionSetting): string {
  const { families, ask } = connections
  const rights = familiesOf(scopes).map(({ name, read, write }) => {
    const what = [read && ask.read, write && ask.write].filter(Boolean).join(', ')
    return `${families[name]} (${what})`
  })
  return rights.join(' · ')
}
