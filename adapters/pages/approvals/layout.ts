import { html } from 'hono/html'
import { frame, type Setting } from '../frame.ts'
import type { Html } from '../words.ts'
import { home, type Visitor } from './session.ts'
import type { ApprovalTexts } from './texts.ts'

/** What the pages of approvals are made with. */
export interface ApprovalSetting extends Setting {
  readonly approvals: ApprovalTexts
}

/** One page of approvals. */
export interface ApprovalPage {
  readonly title: string
  readonly content: unknown
  /** How the `main` element is called beside `approvals`. */
  readonly kind: 'sign-in' | 'list' | 'proposal' | 'message'
  /** Who is signed in, if anybody is. */
  readonly visitor?: Visitor | undefined
}

/** A whole document of approvals; its header tells who is signed in. */
export function approvalFrame({ title, content, kind, visitor }: ApprovalPage, setting: ApprovalSetting): Html {
  const { assets, approvals } = setting
  const main = html`<main id="content" tabindex="-1" class="approvals ${kind}">
${content}
</main>`
  const beside = visitor && whoIsHere(visitor, approvals)
  return frame({ title, main, style: assets.approvals, search: false, ...(beside && { beside }) }, setting)
}

function whoIsHere({ account, name, formToken }: Visitor, { signOut, account: words, number }: ApprovalTexts): Html {
  return html`<form class="account" method="post" action="${home}/sign-out">
<p><span class="label">${words}</span> <bdi>${name ?? number(account.id)}</bdi> <span class="label">· ${account.business.name}</span></p>
${formField(formToken)}<button type="submit" class="plain">${signOut}</button>
</form>`
}

/** The field by which a form shows that it is of these pages. */
export function formField(formToken: string): Html {
  return html`<input type="hidden" name="form" value="${formToken}">`
}

/** What has come of something, or why it has not: it has the focus and is said aloud. */
export interface Result {
  readonly kind: 'good' | 'bad'
  readonly text: string
}

/** A result above the content of a page. */
export function resultBox(result: Result | undefined): Html | undefined {
  if (result === undefined) return undefined
  const role = result.kind === 'good' ? 'status' : 'alert'
  return html`<p class="result ${result.kind}" role="${role}" tabindex="-1" autofocus>${result.text}</p>`
}

/** A page that says one thing. */
export function messagePage(
  { title, lead, more }: { readonly title: string; readonly lead: string; readonly more?: unknown },
  setting: ApprovalSetting,
  visitor?: Visitor,
): Html {
  const back = html`<p><a href="${home}">${setting.approvals.back}</a></p>`
  const content = html`<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>${more ?? back}</div>`
  return approvalFrame({ title, content, kind: 'message', visitor }, setting)
}
