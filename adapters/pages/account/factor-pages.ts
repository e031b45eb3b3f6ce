import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  type beginAuthenticator,
  type beginPasskey,
  instantOf,
  type listFactors,
  setFactorRule,
  zonedIso,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { codeField, passkeyForm, recoveryCodes, secretPart } from '../signed-in/factors.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, moment } from '../words.ts'
import { type AccountSetting, home, peopleHome } from './setting.ts'

/** The second factors of an account, as they are listed. */
export type Factors = InferOutput<typeof listFactors.output>

/** The part of the page of an account about its second factors. */
export function factorsPart(listed: Factors, visitor: Visitor, setting: AccountSetting): Html {
  const { factors: texts } = setting.own
  const { factors, recovery_codes_left: left, is_required: isRequired, passkeys_available: hasPasskeys } = listed
  const { required_from: from } = listed
  const isAsked = isRequired
    ? html` <strong>${texts.required}</strong>`
    : from !== undefined && html` <strong>${texts.requiredFrom} ${timeFor(visitor)(from)}.</strong>`
  const field = formField(visitor.formToken)
  const form = (path: string, button: unknown) =>
    html`<form method="post" action="${withLanguage(`${home}/${path}`, setting)}">${field}${button}</form>`
  const hasApp = factors.some(({ kind }) => kind === 'authenticator')
  return html`<section class="card" aria-labelledby="factors"><h2 id="factors">${texts.title}</h2>
<p class="hint">${texts.hint}${isAsked}</p>
${factors.length > 0 && html`<ul class="sessions" role="list">${factors.map((factor) => item(factor, visitor, setting))}</ul>`}
${factors.length > 0 && form('recovery-codes', html`<p>${texts.left({ count: left })}</p><button type="submit" class="plain">${texts.renew}</button>`)}
<div class="ways">${form('authenticator', html`<button type="submit">${hasApp ? texts.otherApp : texts.addApp}</button>`)}
${hasPasskeys ? form('passkey', html`<button type="submit">${texts.addPasskey}</button>`) : html`<p class="hint">${texts.noPasskeys}</p>`}</div>
${factors.length > 0 && keysPart(listed, visitor, setting)}
${may(visitor, setFactorRule) && html`<p><a href="${withLanguage(peopleHome, setting)}">${setting.own.people.title}</a></p>`}</section>`
}

/** Says that API keys go on without a second factor, and offers to revoke them; nothing if there are none. */
function keysPart(
  { valid_api_keys: keys }: Factors,
  { formToken }: Visitor,
  setting: AccountSetting,
  warning?: string,
): Html | undefined {
  if (keys === 0) return undefined
  const { keys: texts } = setting.own.factors
  return html`<div class="keys-of-before"><p><strong>${texts.stay({ count: keys })}</strong></p><p class="hint">${texts.hint} ${warning}</p>
<form method="post" action="${withLanguage(`${home}/api-keys/revoke`, setting)}">${formField(formToken)}<button type="submit" class="refuse">${texts.revoke}</button></form>
<p><a href="/keys">${texts.see}</a></p></div>`
}

function timeFor({ account }: Visitor) {
  return (instant: string) => moment(zonedIso(instantOf(instant), account.business.timeZone))
}

function item(factor: Factors['factors'][number], visitor: Visitor, setting: AccountSetting): Html {
  const { factors: texts } = setting.own
  const { factor_id, kind, name, added_at, last_used_at } = factor
  const time = timeFor(visitor)
  return html`<li><div class="what"><h3><bdi>${name}</bdi></h3><span class="badge">${texts[kind]}</span>
<form method="post" action="${withLanguage(`${home}/factors/remove`, setting)}">${formField(visitor.formToken)}<input type="hidden" name="factor" value="${factor_id}">
<button type="submit" class="plain" aria-label="${texts.removeThis({ name })}">${texts.remove}</button></form></div>
<dl class="meta"><div><dt>${texts.added}</dt><dd>${time(added_at)}</dd></div>
<div><dt>${texts.used}</dt><dd>${last_used_at === undefined ? texts.never : time(last_used_at)}</dd></div></dl></li>`
}

/** What somebody who sets up an authenticator app has to send back. */
export type Offer = Omit<InferOutput<typeof beginAuthenticator.output>, 'result'>

/** The page on which an authenticator app is set up. */
export async function appPage(
  { offer, name }: { readonly offer: Offer; readonly name?: string },
  visitor: Visitor,
  setting: AccountSetting,
  result?: Result,
): Promise<Html> {
  const { app } = setting.own.factors
  const kept = Object.entries(offer).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const form = html`<form class="fields" method="post" action="${withLanguage(`${home}/authenticator/confirm`, setting)}">${formField(visitor.formToken)}${kept}
${nameField(app.name, name ?? app.suggested)}${codeField(app.code)}<button type="submit">${app.button}</button></form>`
  const content = html`<div class="card"><h1>${app.title}</h1><p class="lead">${app.lead}</p>${resultBox(result)}
${await secretPart(visitor.context, offer, setting)}${form}</div>`
  return signedFrame({ title: app.title, content, kind: 'settings', visitor }, setting)
}

function nameField(label: string, suggested: string): Html {
  return html`<label for="name">${label}</label>
<input id="name" name="name" required maxlength="120" value="${suggested}" autocomplete="off">`
}

/** The page on which a passkey is made. */
export function passkeyPage(
  { enrolment, options }: InferOutput<typeof beginPasskey.output>,
  visitor: Visitor,
  setting: AccountSetting,
  result?: Result,
): Html {
  const { passkeys } = setting.own.factors
  const fields = html`${formField(visitor.formToken)}<input type="hidden" name="enrolment" value="${enrolment}">
${nameField(passkeys.name, passkeys.suggested)}`
  const action = withLanguage(`${home}/passkey/confirm`, setting)
  const form = passkeyForm({ action, asks: 'create', options, fields, button: passkeys.button }, setting)
  const content = html`<div class="card"><h1>${passkeys.title}</h1><p class="lead">${passkeys.lead}</p>${resultBox(result)}${form}</div>`
  const scripts = [setting.assets.passkey]
  return signedFrame({ title: passkeys.title, content, kind: 'settings', visitor, scripts }, setting)
}

/** The page that shows new recovery codes, once; with the first factor, it says what becomes of API keys. */
export function codesPage(codes: readonly string[], visitor: Visitor, setting: AccountSetting, first?: Factors): Html {
  const { codes: texts } = setting.signed.secondStep
  const content = html`<div class="card"><h1>${texts.title}</h1>${first && html`<p>${setting.own.factors.first}</p>`}
<p class="lead">${texts.lead}</p>${recoveryCodes(codes)}<p><a href="${withLanguage(home, setting)}">${texts.goOn}</a></p>
${first && keysPart(first, visitor, setting, setting.own.factors.keys.keepFirst)}</div>`
  return signedFrame({ title: texts.title, content, kind: 'settings', visitor }, setting)
}
