import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { approvePendingWrite, type getProposal, instantOf, rejectPendingWrite } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { argumentTable, changeList } from '../signed-in/values.ts'
import { type Html, moment, visible } from '../words.ts'
import { type ApprovalSetting, home } from './setting.ts'
import type { ApprovalTexts } from './texts.ts'

/** The names of accounts by id, as far as the visitor may know them. */
export interface Named {
  readonly names: ReadonlyMap<number, string>
}

/** A proposal as it is shown, and the result of the visitor's last action. */
interface Shown extends InferOutput<typeof getProposal.output>, Named {
  readonly message?: Result | undefined
}

/** The page of one proposal. */
export function proposalPage(shown: Shown, visitor: Visitor, setting: ApprovalSetting): Html {
  const { approvals } = setting
  const { proposal, message } = shown
  const facts = visitor.context.ports.approvals.find(proposal.tool)
  const name = facts?.title ?? proposal.tool
  const title = `${name} · ${approvals.proposal({ id: proposal.proposal_id })}`
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${approvals.back}</a></p>
${resultBox(message)}
<section class="card about">
<p class="subject"><span class="label">${approvals.proposal({ id: proposal.proposal_id })}</span>
<span class="badge ${proposal.status}">${approvals.statuses[proposal.status]}</span></p>
<div class="what"><h1>${toolName(name, setting)}</h1>${facts && badge(facts.risk, approvals)}</div>
<p class="meta"><code>${proposal.tool}</code></p>
${agentsReason(proposal.reason, approvals)}
${factList(shown, visitor, approvals)}
</section>
<div class="columns${proposal.status === 'pending' ? '' : ' single'}">
<div class="evidence-of">${outlook(shown, setting)}
<section class="card" aria-labelledby="input"><h2 id="input">${approvals.input.title}</h2>
${argumentTable(proposal.arguments, approvals)}</section></div>
${proposal.status === 'pending' && decision(proposal.proposal_id, visitor, setting)}
</div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}

function agentsReason(reason: string | null, { reason: label }: ApprovalTexts): Html | undefined {
  if (reason === null) return undefined
  return html`<figure class="said"><figcaption class="label">${label}</figcaption>
<blockquote dir="auto">${visible(reason)}</blockquote></figure>`
}

function factList({ proposal, names }: Shown, visitor: Visitor, texts: ApprovalTexts): Html {
  const { proposed_by, proposed_at, expires_at, status, decided_by, decided_at } = proposal
  const left = instantOf(expires_at) - visitor.context.clock()
  const isOpen = status === 'pending'
  return html`<dl class="meta">
<div><dt>${texts.by}</dt><dd>${who(proposed_by, { names }, visitor, texts)}</dd></div>
<div><dt>${texts.at}</dt><dd>${moment(proposed_at)}</dd></div>
${decided_at === null && html`<div><dt>${isOpen ? texts.expires : texts.expired}</dt><dd>${moment(expires_at)} ${isOpen && expiry(left, texts)}</dd></div>`}
${decided_by !== null && html`<div><dt>${texts.decidedBy}</dt><dd>${who(decided_by, { names }, visitor, texts)}</dd></div>`}
${decided_at !== null && html`<div><dt>${texts.decidedAt}</dt><dd>${moment(decided_at)}</dd></div>`}
</dl>`
}

/** What an approval would do now, or why it would be refused. */
function outlook({ changes, refusal }: Shown, setting: ApprovalSetting): Html | undefined {
  const { approvals: texts } = setting
  if (refusal !== undefined)
    return html`<section class="card refusal" aria-labelledby="outlook"><h2 id="outlook">${texts.refusal.title}</h2>
<p>${visible(refusal.message)}</p><p class="hint">${texts.refusal.hint}</p></section>`
  if (changes === undefined) return undefined
  return html`<section class="card" aria-labelledby="outlook"><h2 id="outlook">${texts.changes.title}</h2>
<p class="hint">${texts.changes.hint}</p>
${changeList(changes, texts)}</section>`
}

function decision(id: number, visitor: Visitor, setting: ApprovalSetting): Html {
  const { decide } = setting.approvals
  const to = (verb: string) => withLanguage(`${home}/${id}/${verb}`, setting)
  const [approves, rejects] = [may(visitor, approvePendingWrite), may(visitor, rejectPendingWrite)]
  const approval = html`<form method="post" action="${to('approve')}">${formField(visitor.formToken)}
<button type="submit" aria-describedby="approve-hint">${decide.approve}</button>
<p class="hint" id="approve-hint">${decide.approveHint}</p></form>`
  const rejection = html`<form method="post" action="${to('reject')}">${formField(visitor.formToken)}
<label for="reason">${decide.why}</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" aria-describedby="reject-hint" dir="auto"></textarea>
<button type="submit" class="refuse">${decide.reject}</button>
<p class="hint" id="reject-hint">${decide.rejectHint}</p></form>`
  return html`<section class="card decide" aria-labelledby="decide"><h2 id="decide">${decide.title}</h2>
${approves && approval}${rejects && rejection}
${!approves && !rejects && html`<p class="hint">${decide.cannot}</p>`}</section>`
}

/** The name of a tool, which is English in every language. */
export function toolName(name: string, { texts }: ApprovalSetting): Html | string {
  return texts.lang === 'en' ? name : html`<bdi lang="en">${name}</bdi>`
}

/** The risk of a tool, as a coloured label. */
export function badge(risk: 'low' | 'medium' | 'high', { risks }: ApprovalTexts): Html {
  return html`<span class="badge ${risk}">${risks[risk]}</span>`
}

/** An account by its name, or by its number if the name is not known. */
export function who(id: number, { names }: Named, { account }: Visitor, texts: ApprovalTexts): Html {
  const name = html`<bdi>${names.get(id) ?? texts.number({ id })}</bdi>`
  return id === account.id ? html`${name} <span class="label">(${texts.you})</span>` : name
}

/** The remaining time (ms) in words. */
export function expiry(left: number, texts: ApprovalTexts): Html {
  return html`<span class="left">${inWords(Math.floor(left / 60_000), texts)}</span>`
}

function inWords(minutes: number, { left }: ApprovalTexts): string {
  if (minutes >= 48 * 60) return left.days({ days: Math.floor(minutes / (24 * 60)) })
  if (minutes >= 60) return left.hours({ hours: Math.floor(minutes / 60) })
  return minutes > 0 ? left.minutes({ minutes }) : left.soon
}
