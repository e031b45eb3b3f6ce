import { html } from 'hono/html'
import {
  scopes as allScopes,
  type EngineError,
  type Finding,
  listStaffRoles,
  messageOf,
  showSignOn,
} from '../../../engine/index.ts'
import type { Result } from '../signed-in/layout.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { connectionTextsIn } from '../texts/connections.ts'
import { type Html, visible } from '../words.ts'
import { home, rolesHome, signOnHome } from './setting.ts'
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

/** The links between the pages of keys and of roles, for those who may see both. */
export function switchOf(visitor: Visitor, here: string, { switch: words }: KeyTexts): Html | undefined {
  if (!may(visitor, listStaffRoles)) return undefined
  const link = (path: string, text: string) =>
    html`<a href="${path}"${path === here && html` aria-current="page"`}>${text}</a>`
  return html`<nav class="switch" aria-label="${words.label}">${link(home, words.keys)}${link(rolesHome, words.roles)}${may(visitor, showSignOn) && link(signOnHome, words.signOn)}</nav>`
}

/** The fields of what a key or a role leaves: boxes of scopes, reading, operations. */
export function termFields(offered: readonly string[], entered: EnteredTerms, texts: KeyTexts): Html {
  return html`<fieldset><legend>${texts.scopes}</legend>
${scopeTable(offered, entered.scopes, texts)}</fieldset>
<p class="tick"><input id="read-only" name="read_only" type="checkbox" value="1"${entered.isReadOnly && html` checked`}><label for="read-only">${texts.readOnly}</label></p>
<p class="entry"><label for="operations">${texts.operations}</label>
<input id="operations" name="operations" type="text" maxlength="8000" value="${entered.operations}" autocomplete="off" spellcheck="false" dir="ltr" aria-describedby="operations-hint"></p>
<p class="hint" id="operations-hint">${texts.operationsHint}</p>`
}

/** A row for each area, with a box for seeing and one for changing. */
function scopeTable(offered: readonly string[], ticked: readonly string[], texts: KeyTexts): Html {
  const families: Readonly<Record<string, string>> = connectionTextsIn('en').families
  const names = [...new Set(allScopes.filter((scope) => offered.includes(scope)).map(familyOf))]
  const box = (family: string, right: 'read' | 'write') => {
    const scope = `${family}:${right}`
    if (!offered.includes(scope)) return html`<td></td>`
    const label = `${families[family] ?? family}: ${texts[right]}`
    return html`<td><input type="checkbox" name="scope" value="${scope}"${ticked.includes(scope) && html` checked`} aria-label="${label}"></td>`
  }
  const rows = names.map(
    (name) => html`<tr><th scope="row">${families[name] ?? name}</th>${box(name, 'read')}${box(name, 'write')}</tr>`,
  )
  return html`<table class="scopes"><thead><tr><th scope="col">${texts.area}</th><th scope="col">${texts.read}</th><th scope="col">${texts.write}</th></tr></thead>
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
export function refusedWith(error: EngineError, { context }: Visitor): Result {
  const say = ({ path, code, params }: Finding) => `${path}: ${messageOf(code, params, context.messages)}`
  const text =
    error.findings.length > 0
      ? error.findings.map(say).join(' ')
      : messageOf(error.code, error.params, context.messages)
  return { kind: 'bad', text }
}
