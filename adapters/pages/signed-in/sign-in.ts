import { html } from 'hono/html'
import { type Context, domainIn, isAnyProved, passkeysOf, type SignOn, signOnForDomain } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { messagePage, type Result, resultBox, signedFrame } from './layout.ts'

/** The initial values of the sign-in form. */
interface SignIn {
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

/**
 * The page for visitors who are not signed in. Where businesses have a single sign-on, it asks for the address first, and then
 * offers what there is for it.
 */
export async function signInPage(asked: SignIn, seen: Seen): Promise<Awaited<Html>> {
  const { context } = seen.opened
  const { result, email = '' } = asked
  const { area, signed } = seen.setting
  const { title } = signed.signIn
  const isAddressFirst = email === '' && (await isAnyProved(context))
  const found = email === '' ? undefined : await signOnForDomain(context, domainIn(email))
  const content = html`<div class="card">
<h1>${title}</h1>
<p class="lead">${area.lead}</p>
${resultBox(result)}
${found && signOnForm(found, asked, seen.setting)}
${signInForm(asked, seen, !isAddressFirst)}
</div>`
  return signedFrame({ title, content, kind: 'sign-in' }, seen.setting)
}

function signInForm({ email = '', to }: SignIn, { setting, opened: { context } }: Seen, asksPassword: boolean): Html {
  const { area, signed } = setting
  const { signIn } = signed
  const passkey = withLanguage(
    `${area.home}/sign-in-passkey${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
    setting,
  )
  const password = html`<label for="password">${signIn.password}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" dir="ltr">`
  return html`<form method="post" action="${withLanguage(`${area.home}/sign-in`, setting)}">
${placeField(to)}
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${email}" dir="ltr">
${asksPassword && password}
<button type="submit">${asksPassword ? signIn.button : signed.signOn.next}</button>
</form>
${passkeysOf(context) && html`<p class="forgotten"><a href="${passkey}">${signed.secondStep.withPasskey}</a></p>`}
<p class="forgotten"><a href="${withLanguage('/account/forgotten', setting)}">${signIn.forgotten}</a></p>`
}

/** The button that leads to the identity provider for an address. */
function signOnForm({ name }: SignOn, { email = '', to }: SignIn, setting: SignedSetting): Html {
  const { area, signed } = setting
  return html`<form method="post" action="${withLanguage(`${area.home}/sign-on`, setting)}">
${placeField(to)}<input type="hidden" name="email" value="${email}">
<button type="submit">${signed.signOn.with({ name })}</button>
</form>
<p class="lead">${signed.signOn.or}</p>`
}

function placeField(to: string | undefined): Html | undefined {
  return to === undefined ? undefined : html`<input type="hidden" name="to" value="${to}">`
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
