import { html } from 'hono/html'
import { type Context, passkeysOf } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { messagePage, type Result, resultBox, signedFrame } from './layout.ts'

/** The initial values of the sign-in form. */
export interface SignIn {
  readonly result?: Result | undefined
  /** The email that was entered before. */
  readonly email?: string
  /** The page of the area to show afterwards; by default the first one. */
  readonly to?: string | undefined
}

/** Where the form is shown. */
interface Seen {
  readonly setting: SignedSetting
  readonly opened: { readonly context: Context }
}

/** The page for visitors who are not signed in. */
export function signInPage({ result, email = '', to }: SignIn, { setting, opened: { context } }: Seen): Html {
  const { area, signed } = setting
  const { signIn } = signed
  const passkey = withLanguage(
    `${area.home}/sign-in-passkey${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
    setting,
  )
  const content = html`<div class="card">
<h1>${signIn.title}</h1>
<p class="lead">${area.lead}</p>
${resultBox(result)}
<form method="post" action="${withLanguage(`${area.home}/sign-in`, setting)}">
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${email}" dir="ltr">
<label for="password">${signIn.password}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" dir="ltr">
<button type="submit">${signIn.button}</button>
</form>
${passkeysOf(context) && html`<p class="forgotten"><a href="${passkey}">${signed.secondStep.withPasskey}</a></p>`}
<p class="forgotten"><a href="${withLanguage('/account/forgotten', setting)}">${signIn.forgotten}</a></p>
</div>`
  return signedFrame({ title: signIn.title, content, kind: 'sign-in' }, setting)
}

/**
 * The page for visitors who come from another site. Its link goes on with the cookie, which the other site's link did
 * not send.
 */
export function arrivingPage(path: string, setting: SignedSetting): Html {
  const { area, signed } = setting
  const more = html`<p><a href="${path}">${signed.arriving}</a></p>`
  return messagePage({ title: area.arriving, lead: '', more }, setting)
}
