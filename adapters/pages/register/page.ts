import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { appBootstrap } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { type Html, visible } from '../words.ts'
import { beginningIn } from './calling-codes.ts'
import { home, type RegisterSetting } from './setting.ts'

/** An app at a client, as its bootstrap tells. */
export type Shop = InferOutput<typeof appBootstrap.output>['data']

/** The address of a page of an app at a client. */
export function addressOf({ app, client }: Shop, setting: RegisterSetting, step: '' | '/confirm' = ''): string {
  return withLanguage(`${home}/${encodeURIComponent(app.code)}/${encodeURIComponent(client.code)}${step}`, setting)
}

/** Whom the page names. */
export function namesIn({ app, client }: Shop) {
  return { app: visible(app.name), client: visible(client.display_name) }
}

/** Where the codes go. */
export interface Reached {
  readonly email: string
  readonly phone: string
}

/** The page that asks where to send the codes. */
export function askPage(shop: Shop, setting: RegisterSetting, entered: Reached, result?: Result): Html {
  const { register: words } = setting
  const { phone_verification_required, default_phone_region, requires_approval } = shop.authentication.registration
  const names = namesIn(shop)
  const phone = html`<label for="phone">${words.phone}</label>
<input id="phone" name="phone" type="tel" required maxlength="30" autocomplete="tel" value="${entered.phone || beginningIn(default_phone_region)}" aria-describedby="phone-hint" dir="ltr">
<p class="hint" id="phone-hint">${words.phoneHint}</p>`
  const title = words.title(names)
  const content = html`<div class="card"><h1>${title}</h1>
<p class="lead">${words.lead(names)}${requires_approval && ` ${words.approval(names)}`}</p>
${resultBox(result)}
<form method="post" action="${addressOf(shop, setting)}">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${entered.email}" dir="ltr">
${phone_verification_required && phone}
<button type="submit">${words.send}</button></form></div>`
  return signedFrame({ title, content, kind: 'sign-in' }, setting)
}

/** A registration whose codes were sent. */
export interface Sent extends Reached {
  readonly registration: string
  readonly name: string
}

/** The page that asks for the codes, a name and a password. */
export function codePage(shop: Shop, setting: RegisterSetting, sent: Sent, result?: Result): Html {
  const { sent: words, send, start } = setting.register
  const { code_length, resend_after, phone_verification_required: byPhone } = shop.authentication.registration
  const { registration, email, phone, name } = sent
  const hidden = html`<input type="hidden" name="email" value="${email}"><input type="hidden" name="phone" value="${phone}">`
  const code = (id: string, label: string) => html`<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="text" required inputmode="numeric" pattern="[0-9]{${code_length}}" maxlength="${code_length}" autocomplete="one-time-code" dir="ltr">`
  const lead = (byPhone ? words.both : words.mail)({
    email: `\u2068${visible(email)}\u2069`,
    phone: `\u2066${phone}\u2069`,
  })
  const content = html`<div class="card"><h1>${words.title}</h1>
<p class="lead">${lead}</p>
${resultBox(result)}
<form method="post" action="${addressOf(shop, setting, '/confirm')}">${hidden}<input type="hidden" name="registration" value="${registration}">
${code('code', words.code)}
${byPhone && code('phone_code', words.phoneCode)}
<label for="name">${words.name}</label>
<input id="name" name="name" type="text" required maxlength="120" autocomplete="name" value="${name}">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" aria-describedby="password-hint" dir="ltr">
<p class="hint" id="password-hint">${words.passwordHint}</p>
<button type="submit">${words.button}</button></form>
<form method="post" action="${addressOf(shop, setting)}">${hidden}
<p class="hint forgotten">${words.again({ seconds: resend_after })}</p>
<button type="submit" class="plain">${send}</button></form>
<p class="forgotten"><a href="${addressOf(shop, setting)}">${start}</a></p></div>`
  return signedFrame({ title: words.title, content, kind: 'sign-in' }, setting)
}
