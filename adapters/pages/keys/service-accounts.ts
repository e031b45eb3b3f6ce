import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { listAccounts, listStaffRoles } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { askPage } from '../signed-in/ask-page.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { keysPart, makeForm, type ShownKeys } from './keys.ts'
import { denseTable, headOf } from './parts.ts'
import { type KeySetting, serviceAccountsHome } from './setting.ts'
import type { KeyTexts } from './texts.ts'

type Listed = InferOutput<typeof listAccounts.output>
type StaffRole = InferOutput<typeof listStaffRoles.output>['roles'][number]

/** A service account, as it is listed. */
export type ServiceAccount = Listed['accounts'][number]

/** What the page of service accounts shows. */
export interface ShownServiceAccounts extends Omit<Listed, 'result'> {
  readonly roles: readonly StaffRole[]
  readonly result?: Result | undefined
  /** The form as it was filled in. */
  readonly entered: { readonly name: string; readonly role: string; readonly staffRole: string }
}

/** The page of the service accounts of the business. */
export function serviceAccountsPage(shown: ShownServiceAccounts, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts, signed } = setting
  const { services: words } = texts
  const content = html`${headOf(words, visitor, serviceAccountsHome, setting)}
${resultBox(shown.result)}
${shown.accounts.length > 0 ? table(shown, visitor, setting) : html`<p class="none">${words.none}</p>`}
${pager(shown, (page) => withLanguage(`${serviceAccountsHome}?page=${page}`, setting), signed)}
${accountForm(shown, visitor, setting)}`
  return signedFrame({ title: words.title, content, kind: 'settings', visitor, kept: `page=${shown.page}` }, setting)
}

/** What a service account is called on these pages. */
function nameOf({ name }: ServiceAccount, { keys }: KeyTexts): string {
  return visible(name ?? keys.erased)
}

function table({ accounts, roles }: ShownServiceAccounts, { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { services: words } = texts
  const rows = accounts.map((account) => {
    const { id, role, staff_role_id, is_active, personal_data_erased } = account
    const name = nameOf(account, texts)
    const narrowed = roles.find((one) => one.id === staff_role_id)
    const enable = html`<form method="post" action="${withLanguage(`${serviceAccountsHome}/${id}/enable`, setting)}">${formField(formToken)}<button type="submit" class="plain" aria-label="${texts.about({ what: words.enable, more: name })}">${words.enable}</button></form>`
    const disable = html`<a href="${withLanguage(`${serviceAccountsHome}/${id}/disable`, setting)}" aria-label="${texts.about({ what: words.disable, more: name })}">${words.disable}</a>`
    const acts = html`<a href="${withLanguage(`${serviceAccountsHome}/${id}`, setting)}" aria-label="${words.keysOf({ name })}">${words.keys}</a> ${is_active ? disable : enable}`
    return html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${role === 'client_admin' ? words.roles.client_admin : words.roles.client_employee}</td>
<td><bdi>${narrowed === undefined ? words.noStaffRole : visible(narrowed.name)}</bdi></td>
<td><span class="badge ${is_active ? 'valid' : 'ended'}">${is_active ? words.active : words.disabled}</span></td>
<td class="acts">${personal_data_erased !== true && acts}</td></tr>`
  })
  return denseTable(words.caption, [texts.name, words.role, words.staffRole, words.state, words.acts], rows)
}

function accountForm({ entered, roles }: ShownServiceAccounts, { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { services: words } = texts
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  const kinds = Object.entries(words.roles).map(([role, text]) => option(role, text, entered.role))
  const narrowed = roles.map(({ id, name }) => option(String(id), visible(name), entered.staffRole))
  return html`<section class="card" aria-labelledby="make"><h2 id="make">${words.make}</h2>
<form method="post" action="${withLanguage(serviceAccountsHome, setting)}">${formField(formToken)}
<p class="entry"><label for="name">${texts.name}</label>
<input id="name" name="name" type="text" required maxlength="120" value="${entered.name}" autocomplete="off" aria-describedby="name-hint"></p>
<p class="hint" id="name-hint">${words.nameHint}</p>
<p class="entry"><label for="role">${words.role}</label><select id="role" name="role">${kinds}</select></p>
<p class="entry"><label for="staff-role">${words.staffRole}</label><select id="staff-role" name="staff_role" aria-describedby="staff-role-hint">${option('', words.noStaffRole, entered.staffRole)}${narrowed}</select></p>
<p class="hint" id="staff-role-hint">${words.staffRoleHint}</p>
<p class="saving"><button type="submit">${words.button}</button></p>
</form></section>`
}

/** The page of one service account: its API keys, and the form for another. */
export function serviceAccountPage(
  account: ServiceAccount,
  shown: ShownKeys & { readonly scopes: readonly string[] },
  visitor: Visitor,
  setting: KeySetting,
): Html {
  const { keys: texts, signed } = setting
  const { services: words } = texts
  const path = `${serviceAccountsHome}/${account.id}`
  const title = words.keysOf({ name: nameOf(account, texts) })
  const content = html`<p class="back"><a href="${withLanguage(serviceAccountsHome, setting)}">${words.all}</a></p>
<div class="head"><div><h1>${title}</h1><p class="lead">${words.keysLead}</p></div></div>
${keysPart(shown, visitor, false, setting)}
${pager(shown, (page) => withLanguage(`${path}?page=${page}`, setting), signed)}
${account.is_active && makeForm(shown.entered, { action: path, scopes: shown.scopes }, visitor, setting)}`
  const kept = `page=${shown.page}`
  return signedFrame({ title, content, kind: 'settings', visitor, kept, isOnce: shown.key !== undefined }, setting)
}

/** The page that asks before a service account is disabled. */
export function askToDisable(account: ServiceAccount, visitor: Visitor, setting: KeySetting): Html {
  const { services: words } = setting.keys
  const asked = {
    title: words.disableTitle({ name: nameOf(account, setting.keys) }),
    ...{ lead: words.disableLead, button: words.disableButton },
    action: `${serviceAccountsHome}/${account.id}/disable`,
    back: { path: serviceAccountsHome, text: words.all },
  }
  return askPage(asked, visitor, setting)
}
