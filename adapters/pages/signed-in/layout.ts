import { html } from 'hono/html'
import { frame } from '../frame.ts'
import type { Asset } from '../static.ts'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { navigation } from './navigation.ts'
import type { Visitor } from './session.ts'

/** One page of an area. */
interface SignedPage {
  readonly title: string
  readonly content: unknown
  /** The class of the `main` element beside that of its area. */
  readonly kind: 'sign-in' | 'message' | 'list' | 'proposal' | 'settings' | 'delivery'
  /** The account that is signed in, if any. */
  readonly visitor?: Visitor | undefined
  /** The link of the navigation that the page belongs to; by default the home of its area. */
  readonly here?: string
  readonly scripts?: readonly Asset[]
  /** The query of the same page in another language, without the language. */
  readonly kept?: string
  /** Whether it is lost when it is opened again, as a secret that is shown once: then there is no choice of language. */
  readonly isOnce?: boolean
}

/** A whole document of an area. Its header shows who is signed in and links to the other areas. */
export function signedFrame(page: SignedPage, setting: SignedSetting): Html {
  const { title, content, kind, visitor, here, scripts = [], kept = '', isOnce = false } = page
  const { assets, area } = setting
  const main = html`<main id="content" tabindex="-1" class="signed ${area.name} ${kind}">
${content}
</main>`
  const beside = visitor && html`${whoIsHere(visitor, setting)}${navigation(visitor, here ?? area.home, setting)}`
  const styles = [assets.signed, area.style]
  return frame(
    { title, main, styles, search: false, scripts, ...(!isOnce && { kept }), ...(beside && { beside }) },
    setting,
  )
}

function whoIsHere({ account, name, formToken }: Visitor, setting: SignedSetting): Html {
  const { area, signed } = setting
  const { signOut, account: words, number } = signed
  return html`<form class="account" method="post" action="${withLanguage(`${area.home}/sign-out`, setting)}">
<p><span class="label">${words}</span> <bdi>${name ?? number({ id: account.id })}</bdi> <span class="label">· ${account.business.name}</span></p>
${formField(formToken)}<button type="submit" class="plain">${signOut}</button>
</form>`
}

/** The hidden field by which a form proves that it comes from these pages. */
export function formField(formToken: string): Html {
  return html`<input type="hidden" name="form" value="${formToken}">`
}

/** A success or a failure. It gets the focus and is announced. */
export interface Result {
  readonly kind: 'good' | 'bad'
  readonly text: string | Html
}

/** A result above the content of a page. */
export function resultBox(result: Result | undefined): Html | undefined {
  if (result === undefined) return undefined
  const role = result.kind === 'good' ? 'status' : 'alert'
  return html`<p class="result ${result.kind}" role="${role}" tabindex="-1" autofocus>${result.text}</p>`
}

/** A page with one message. */
export function messagePage(
  { title, lead, more }: { readonly title: string; readonly lead: string | Html; readonly more?: unknown },
  setting: SignedSetting,
  visitor?: Visitor,
): Html {
  const { area } = setting
  const back = html`<p><a href="${withLanguage(area.home, setting)}">${area.back}</a></p>`
  const content = html`<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>${more ?? back}</div>`
  return signedFrame({ title, content, kind: 'message', visitor }, setting)
}
