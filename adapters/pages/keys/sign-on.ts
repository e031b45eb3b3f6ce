import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { listStaffRoles, showSignOn } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { denseTable, headOf } from './parts.ts'
import { type KeySetting, signOnHome } from './setting.ts'

type Shown = InferOutput<typeof showSignOn.output>
type Domain = Shown['domains'][number]
type Roles = InferOutput<typeof listStaffRoles.output>['roles']

/** The form of an identity provider, as it was filled in. */
export interface EnteredSignOn {
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly scopes: string
  readonly isRequired: boolean
  readonly newAccounts: string
  readonly role: string
}

/** The form of the present setting, or an empty one. */
export function enteredSignOn(signOn: Shown['sign_on']): EnteredSignOn {
  const { name = '', issuer = '', client_id = '', scopes, required_of, new_accounts, staff_role_id } = signOn ?? {}
  return {
    ...{ name, issuer, client_id, scopes: (scopes ?? ['openid', 'email', 'profile']).join(' ') },
    ...{ isRequired: required_of === 'staff', newAccounts: new_accounts ?? 'none', role: String(staff_role_id ?? '') },
  }
}

/** What the page of single sign-on shows. */
export interface ShownSignOn {
  readonly shown: Shown
  readonly roles: Roles
  readonly entered: EnteredSignOn
  readonly result?: Result | undefined
}

/** The page of the identity provider of the business, and of its domains. */
export function signOnPage(page: ShownSignOn, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { signOn: words } = texts
  const { sign_on, redirect_uri, backchannel_logout_uri } = page.shown
  const remove = html`<form method="post" action="${withLanguage(`${signOnHome}/remove`, setting)}">${formField(visitor.formToken)}
<button type="submit" class="refuse">${words.remove}</button></form>`
  const content = html`${headOf(words, visitor, signOnHome, setting)}
${resultBox(page.result)}
<section class="card" aria-labelledby="provider"><h2 id="provider">${words.provider}</h2>
<p>${words.redirect}<br><code>${redirect_uri}</code></p>
<p>${words.logout}<br><code>${backchannel_logout_uri}</code></p>
${providerForm(page, visitor, setting)}
${sign_on && html`<p class="hint saving">${words.removeHint}</p>${remove}`}</section>
<section class="card" aria-labelledby="domains"><h2 id="domains">${words.domains}</h2>
<p class="hint">${words.domainsHint}</p>
${page.shown.domains.length > 0 && domainTable(page.shown.domains, visitor, setting)}
<form method="post" action="${withLanguage(`${signOnHome}/domains`, setting)}">${formField(visitor.formToken)}
<p class="entry"><label for="domain">${words.domain}</label>
<input id="domain" name="domain" type="text" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" dir="ltr"></p>
<p class="saving"><button type="submit">${words.claim}</button></p></form></section>`
  return signedFrame({ title: words.title, content, kind: 'settings', visitor }, setting)
}

function providerForm({ shown, roles, entered }: ShownSignOn, { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { signOn: words } = texts
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  const kinds = Object.entries(words.kinds).map(([kind, text]) => option(kind, text, entered.newAccounts))
  const roleOptions = roles.map(({ id, name }) => option(String(id), visible(name), entered.role))
  const hasSecret = shown.sign_on !== null
  return html`<form method="post" action="${withLanguage(signOnHome, setting)}">${formField(formToken)}
${entry('name', words.name, entered.name, 60, words.nameHint)}
${entry('issuer', words.issuer, entered.issuer, 300, words.issuerHint)}
${entry('client_id', words.clientId, entered.client_id, 300)}
<p class="entry"><label for="client_secret">${words.secret}</label>
<input id="client_secret" name="client_secret" type="password"${!hasSecret && html` required`} maxlength="2000" autocomplete="off" dir="ltr" aria-describedby="secret-hint"></p>
<p class="hint" id="secret-hint">${hasSecret ? words.secretKept : words.secretHint}</p>
${entry('scopes', words.scopes, entered.scopes, 500)}
<p class="tick"><input id="required" name="required" type="checkbox" value="1"${entered.isRequired && html` checked`} aria-describedby="required-hint"><label for="required">${words.required}</label></p>
<p class="hint" id="required-hint">${words.requiredHint}</p>
<p class="entry"><label for="new_accounts">${words.newAccounts}</label><select id="new_accounts" name="new_accounts">${kinds}</select></p>
<p class="entry"><label for="role">${words.role}</label><select id="role" name="role">${option('', texts.roles.noRole, entered.role)}${roleOptions}</select></p>
<p class="saving"><button type="submit">${words.save}</button></p>
</form>`
}

function entry(name: string, label: string, value: string, longest: number, hint?: string): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`
  return html`<p class="entry"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" required maxlength="${longest}" value="${value}" autocomplete="off" spellcheck="false" dir="ltr"${described}></p>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}`
}

function domainTable(domains: readonly Domain[], { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { signOn: words } = texts
  const button = (domain: string, verb: 'prove' | 'release', text: string) =>
    html`<form method="post" action="${withLanguage(`${signOnHome}/domains/${verb}`, setting)}">${formField(formToken)}<input type="hidden" name="domain" value="${domain}">
<button type="submit" class="plain" aria-label="${texts.about({ what: text, more: domain })}">${text}</button></form>`
  const rows = domains.map(({ domain, proof, record }) => {
    const wanted = html`${words.unproved} <bdi dir="ltr"><code>${record.name}</code> TXT <code>${record.value}</code></bdi>`
    return html`<tr><th scope="row">${domain}</th><td class="terms">${proof === null ? wanted : words.proofs[proof]}</td>
<td class="acts">${proof === null && button(domain, 'prove', words.prove)}${button(domain, 'release', words.release)}</td></tr>`
  })
  return denseTable(words.claimed, [words.domain, words.state, texts.roles.acts], rows)
}
