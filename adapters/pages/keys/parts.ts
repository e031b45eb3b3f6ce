import { html } from 'hono/html'
import {
  scopes as allScopes,
  createServiceAccount,
  type EngineError,
  type Finding,
  listApiKeys,
  listOwnProviders,
  listStaffRoles,
  messageOf,
  type Operation,
  showSignOn,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import type { Result } from '../signed-in/layout.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { connectionTexts } from '../texts/connections.ts'
import { type Html, visible } from '../words.ts'
import { home, type KeySetting, providersHome, rolesHome, serviceAccountsHome, signOnHome } from './setting.ts'
import type { KeyTexts } from './texts.ts'

/** What a form says that a key or a role leaves. */
export interface EnteredTerms {
  readonly name: string
  readonly scopes: readonly string[]
  readonly operations: string
  readonly isReadOnly: boolean
}

/** The terms in a form. */
export function termsIn(form: URLSearchParams): EnteredTerms {
  return {
    name: (form.get('name') ?? '').trim(),
    scopes: form.getAll('scope'),
    operations: (form.get('operations') ?? '').trim(),
    isReadOnly: form.has('read_only'),
  }
}

/** The terms as an operation takes them, beside the name and the scopes. */
export function narrowingOf({ operations, isReadOnly }: EnteredTerms) {
  const names = operations.split(/[\s,]+/).filter((name) => name !== '')
  return { ...(names.length > 0 && { operations: names }), ...(isReadOnly && { read_only: true }) }
}

/** The pages of this area, each with the operation that an account needs for it. */
const pages: readonly { readonly path: string; readonly name: keyof KeyTexts['switch']; readonly shows: Operation }[] =
  [
    { path: home, name: 'keys', shows: listApiKeys },
    { path: serviceAccountsHome, name: 'services', shows: createServiceAccount },
    { path: providersHome, name: 'providers', shows: listOwnProviders },
    { path: rolesHome, name: 'roles', shows: listStaffRoles },
    { path: signOnHome, name: 'signOn', shows: showSignOn },
  ]

/** The links between the pages of this area that a visitor may see, if there are several. */
function switchOf(visitor: Visitor, here: string, setting: KeySetting): Html | undefined {
  const { switch: words } = setting.keys
  const open = pages.filter(({ shows }) => may(visitor, shows))
  if (open.length < 2) return undefined
  const links = open.map(
    ({ path, name }) =>
      html`<a href="${withLanguage(path, setting)}"${path === here && html` aria-current="page"`}>${words[name]}</a>`,
  )
  return html`<nav class="switch" aria-label="${words.label}">${links}</nav>`
}

/** The title of a page of this area, what it is for, and the links to the others. */
export function headOf(
  { title, lead }: { readonly title: string; readonly lead: string },
  visitor: Visitor,
  here: string,
  setting: KeySetting,
): Html {
  return html`<div class="head"><div><h1>${title}</h1>
<p class="lead">${lead}</p></div>${switchOf(visitor, here, setting)}</div>`
}

/** A table with a row for each thing, which scrolls sideways in a narrow window. */
export function denseTable(caption: string, head: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scrolls" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A key that is shown once. */
export function keyBox(key: string | undefined, { keys: words }: KeyTexts): Html | undefined {
  if (key === undefined) return undefined
  return html`<p class="entry key"><label for="key">${words.key}</label>
<input id="key" type="text" readonly value="${key}" spellcheck="false" dir="ltr"></p>`
}

/** The choice of how long a key that is replaced is still accepted. */
export function overlapChoice({ rotate: { overlap, overlaps } }: KeyTexts): Html {
  const options = Object.entries(overlaps).map(
    ([hours, text]) => html`<option value="${hours}"${hours === '24' && html` selected`}>${text}</option>`,
  )
  return html`<p class="entry"><label for="overlap">${overlap}</label><select id="overlap" name="overlap">${options}</select></p>`
}

/** The hours for which a key that is replaced is still accepted, in a form. */
export function overlapIn(form: URLSearchParams, { rotate: { overlaps } }: KeyTexts): number {
  return Number(Object.keys(overlaps).find((hours) => hours === form.get('overlap')) ?? '24')
}

/** The fields of what a key or a role leaves: boxes of scopes, reading, operations. */
export function termFields(offered: readonly string[], entered: EnteredTerms, setting: KeySetting): Html {
  const { keys: texts } = setting
  return html`<fieldset><legend>${texts.scopes}</legend>
${scopeTable(offered, entered.scopes, setting)}</fieldset>
<p class="tick"><input id="read-only" name="read_only" type="checkbox" value="1"${entered.isReadOnly && html` checked`}><label for="read-only">${texts.readOnly}</label></p>
<p class="entry"><label for="operations">${texts.operations}</label>
<input id="operations" name="operations" type="text" maxlength="8000" value="${entered.operations}" autocomplete="off" spellcheck="false" dir="ltr" aria-describedby="operations-hint"></p>
<p class="hint" id="operations-hint">${texts.operationsHint}</p>`
}

/** A row for each area, with a box for seeing and one for changing. */
function scopeTable(offered: readonly string[], ticked: readonly string[], setting: KeySetting): Html {
  const { keys: words, texts } = setting
  const families: Readonly<Record<string, string>> = connectionTexts(texts.lang).families
  const names = [...new Set(allScopes.filter((scope) => offered.includes(scope)).map(familyOf))]
  const box = (family: string, right: 'read' | 'write') => {
    const scope = `${family}:${right}`
    if (!offered.includes(scope)) return html`<td></td>`
    const label = words.about({ what: families[family] ?? family, more: words[right] })
    return html`<td><input type="checkbox" name="scope" value="${scope}"${ticked.includes(scope) && html` checked`} aria-label="${label}"></td>`
  }
  const rows = names.map(
    (name) => html`<tr><th scope="row">${families[name] ?? name}</th>${box(name, 'read')}${box(name, 'write')}</tr>`,
  )
  return html`<table class="scopes"><thead><tr><th scope="col">${words.area}</th><th scope="col">${words.read}</th><th scope="col">${words.write}</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function familyOf(scope: string): string {
  return scope.split(':')[0] ?? scope
}

/** What a key or a role leaves, in a cell of a table. */
export function termsCell(
  {
    scopes,
    operations,
    read_only,
    preset,
  }: {
    readonly scopes: readonly string[]
    readonly operations?: readonly string[] | undefined
    readonly read_only?: true | undefined
    readonly preset?: string | undefined
  },
  texts: KeyTexts,
): Html {
  const list = (names: readonly string[]) => names.map((name) => html`<code>${visible(name)}</code> `)
  return html`${preset === undefined ? list(scopes) : preset}${read_only && html` · ${texts.reads}`}${operations && html` · ${texts.only} ${list(operations)}`}`
}

/** Why an action was refused, with what is wrong in the form. */
export function refusedWith(error: EngineError, { context }: Visitor, { keys }: KeySetting): Result {
  const say = ({ path, code, params }: Finding) =>
    keys.about({ what: path, more: messageOf(code, params, context.messages) })
  const text =
    error.findings.length > 0
      ? error.findings.map(say).join(' ')
      : messageOf(error.code, error.params, context.messages)
  return { kind: 'bad', text: text }
}
