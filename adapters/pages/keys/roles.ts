import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { createStaffRole, type listAccounts, type listStaffRoles, roleScopes } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { denseTable, type EnteredTerms, headOf, termFields, termsCell } from './parts.ts'
import { type KeySetting, rolesHome } from './setting.ts'

type Listed = InferOutput<typeof listStaffRoles.output>
type Role = Listed['roles'][number]
type Person = InferOutput<typeof listAccounts.output>['accounts'][number]

/** The form of a role as it was filled in; the preset is empty where scopes are ticked. */
export interface EnteredRole extends EnteredTerms {
  readonly preset: string
}

/** The form of a role before anybody has filled it in. */
export const emptyRole: EnteredRole = { name: '', preset: '', scopes: [], operations: '', isReadOnly: false }

/** The form of a role that exists. */
export function enteredOf({ name, preset, scopes, operations = [], read_only }: Role): EnteredRole {
  return { name, preset: preset ?? '', scopes, operations: operations.join(' '), isReadOnly: read_only === true }
}

/** What the page of staff roles shows. */
export interface ShownRoles extends Pick<Listed, 'roles'> {
  readonly people: readonly Person[]
  readonly page: number
  readonly per_page: number
  readonly total: number
  readonly result?: Result | undefined
  readonly entered: EnteredRole
}

/** The page of the staff roles of the business, and of who has which. */
export function rolesPage(shown: ShownRoles, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts, signed } = setting
  const { roles: words } = texts
  const changes = may(visitor, createStaffRole)
  const content = html`${headOf(words, visitor, rolesHome, setting)}
${resultBox(shown.result)}
${shown.roles.length > 0 ? table(shown.roles, changes, visitor, setting) : html`<p class="none">${words.none}</p>`}
${changes && peoplePart(shown, visitor, setting)}
${changes && pager(shown, (page) => withLanguage(`${rolesHome}?page=${page}`, setting), signed)}
${changes && html`<section class="card" aria-labelledby="make"><h2 id="make">${words.make}</h2>${roleForm(shown.entered, rolesHome, words.button, visitor, setting)}</section>`}`
  return signedFrame({ title: words.title, content, kind: 'settings', visitor, kept: `page=${shown.page}` }, setting)
}

function table(roles: readonly Role[], changes: boolean, { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { roles: words } = texts
  const head = [texts.name, words.leaves, words.accounts, ...(changes ? [words.acts] : [])]
  const acts = ({
    id,
    name,
    accounts,
  }: Role) => html`<td class="acts"><a href="${withLanguage(`${rolesHome}/${id}`, setting)}" aria-label="${texts.about({ what: words.change, more: visible(name) })}">${words.change}</a>
${accounts === 0 && html`<form method="post" action="${withLanguage(`${rolesHome}/${id}/delete`, setting)}">${formField(formToken)}<button type="submit" class="plain" aria-label="${texts.about({ what: words.delete, more: visible(name) })}">${words.delete}</button></form>`}</td>`
  const rows = roles.map((role) => {
    const preset = role.preset && words.presets[role.preset]
    return html`<tr><th scope="row"><bdi>${visible(role.name)}</bdi></th><td class="terms">${termsCell({ ...role, preset }, texts)}</td><td>${role.accounts}</td>${changes && acts(role)}</tr>`
  })
  return denseTable(words.caption, head, rows)
}

function peoplePart({ people, roles }: ShownRoles, { formToken }: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { roles: words, keys } = texts
  const row = ({ id, name = keys.erased, staff_role_id }: Person) => {
    const option = (value: string, text: string, isChosen: boolean) =>
      html`<option value="${value}"${isChosen && html` selected`}>${text}</option>`
    const choice = roles.map((role) => option(String(role.id), visible(role.name), role.id === staff_role_id))
    return html`<tr><th scope="row"><bdi>${visible(name)}</bdi></th><td><form class="give" method="post" action="${withLanguage(`${rolesHome}/give`, setting)}">${formField(formToken)}
<input type="hidden" name="account" value="${id}"><select name="role" aria-label="${texts.about({ what: words.role, more: visible(name) })}">${option('', words.noRole, staff_role_id === undefined)}${choice}</select>
<button type="submit" class="plain" aria-label="${texts.about({ what: words.give, more: visible(name) })}">${words.give}</button></form></td></tr>`
  }
  const list = denseTable(words.people, [words.person, words.role], people.map(row))
  return html`<div class="people"><h2>${words.people}</h2>
${people.length > 0 ? list : html`<p class="none">${words.peopleNone}</p>`}</div>`
}

function roleForm(entered: EnteredRole, action: string, button: string, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { roles: words } = texts
  const presets = Object.entries({ '': words.ownScopes, ...words.presets }).map(
    ([name, text]) => html`<option value="${name}"${name === entered.preset && html` selected`}>${text}</option>`,
  )
  return html`<form method="post" action="${withLanguage(action, setting)}">${formField(visitor.formToken)}
<p class="entry"><label for="name">${texts.name}</label>
<input id="name" name="name" type="text" required maxlength="60" value="${entered.name}" autocomplete="off"></p>
<p class="entry"><label for="preset">${words.preset}</label><select id="preset" name="preset" aria-describedby="preset-hint">${presets}</select></p>
<p class="hint" id="preset-hint">${words.presetHint}</p>
${termFields(roleScopes, entered, setting)}
<p class="saving"><button type="submit">${button}</button></p>
</form>`
}

/** The page on which a role is changed. */
export function rolePage(
  { role, entered, result }: { readonly role: Role; readonly entered: EnteredRole; readonly result?: Result },
  visitor: Visitor,
  setting: KeySetting,
): Html {
  const { keys: texts } = setting
  const title = texts.roles.changing({ name: visible(role.name) })
  const content = html`<p class="back"><a href="${withLanguage(rolesHome, setting)}">${texts.roles.all}</a></p><div class="card"><h1>${title}</h1>
${resultBox(result)}
${roleForm(entered, `${rolesHome}/${role.id}`, texts.roles.save, visitor, setting)}</div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}
