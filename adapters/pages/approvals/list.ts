import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, type listPendingApprovals } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment } from '../words.ts'
import { badge, expiry, type Named, toolName, who } from './proposal.ts'
import { type ApprovalSetting, home } from './setting.ts'

/** One page of the list. */
interface Listed extends InferOutput<typeof listPendingApprovals.output>, Named {
  readonly mine: boolean
}

/** The page of proposals that wait for a decision. */
export function listPage(listed: Listed, visitor: Visitor, setting: ApprovalSetting): Html {
  const { approvals, signed } = setting
  const { proposals, total, mine, page } = listed
  const title = approvals.title
  const none = html`<p class="none">${mine ? approvals.noneMine : approvals.none}</p>`
  const items = proposals.map((proposal) => item(proposal, listed, visitor, setting))
  const queryOf = (at: number) => `${mine ? 'mine=1&' : ''}page=${at}`
  const to = (at: number) => withLanguage(`${home}?${queryOf(at)}`, setting)
  const content = html`<div class="head"><div>
<h1>${title} <span class="count">${approvals.count({ total })}</span></h1>
<p class="lead">${approvals.lead}</p></div>
${filter(mine, visitor, setting)}</div>
${total > 0 && html`<p class="hint">${approvals.zone({ zone: visitor.account.business.timeZone })}</p>`}
${items.length > 0 ? html`<ol class="proposals" role="list">${items}</ol>` : none}
${pager(listed, to, signed)}`
  return signedFrame({ title, content, kind: 'list', visitor, kept: queryOf(page) }, setting)
}

function item(proposal: Listed['proposals'][number], listed: Named, visitor: Visitor, setting: ApprovalSetting): Html {
  const { approvals: texts } = setting
  const { proposal_id: id, tool, proposed_at, expires_at, proposed_by } = proposal
  const facts = visitor.context.ports.approvals.find(tool)
  const left = instantOf(expires_at) - visitor.context.clock()
  return html`<li class="card">
<div class="what"><h2><a href="${withLanguage(`${home}/${id}`, setting)}">${toolName(facts?.title ?? tool, setting)}</a></h2>${facts && badge(facts.risk, texts)}</div>
<p class="meta"><span class="label">${texts.proposal({ id })}</span> · <code>${tool}</code></p>
<dl class="meta">
<div><dt>${texts.by}</dt><dd>${who(proposed_by, listed, visitor, texts)}</dd></div>
<div><dt>${texts.at}</dt><dd>${moment(proposed_at)}</dd></div>
<div><dt>${texts.expires}</dt><dd>${moment(expires_at)} ${expiry(left, texts)}</dd></div>
</dl>
</li>`
}

/** A visitor who sees only their own proposals has nothing to filter. */
function filter(mine: boolean, { account }: Visitor, setting: ApprovalSetting): Html | undefined {
  const { filter: words } = setting.approvals
  if (account.role !== 'client_admin' && account.role !== 'client_employee') return undefined
  const link = (path: string, text: string, isHere: boolean) =>
    html`<a href="${withLanguage(path, setting)}"${isHere && html` aria-current="page"`}>${text}</a>`
  return html`<nav class="switch" aria-label="${words.label}">
${link(home, words.all, !mine)}${link(`${home}?mine=1`, words.mine, mine)}
</nav>`
}
