import { html } from 'hono/html'
import { isOnThisMachine, isoOf, placeOf } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import type { Asked } from './asked.ts'
import { familiesOf, type ScopeFamily } from './scopes.ts'
import type { ConnectionSetting } from './setting.ts'

/** What the page asks. */
interface Question {
  readonly asked: Asked
  /** The scopes that the program asks for and the account has. */
  readonly scopes: readonly string[]
  /** The path of the page. */
  readonly path: string
  readonly result?: Result | undefined
}

const ninetyDays = 90 * 86_400_000

/** The page that asks whether a program may act in the visitor's name. What the program says of itself is marked so. */
export function consentPage(
  { asked, scopes, path, result }: Question,
  visitor: Visitor,
  setting: ConnectionSetting,
): Html {
  const { ask } = setting.connections
  const day = isoOf(visitor.context.clock() + ninetyDays).slice(0, 10)
  const action = (verb: string) => withLanguage(`${path}/${verb}`, setting)
  const refuse = html`<button type="submit" class="plain" formaction="${action('refuse')}">${ask.refuse}</button>`
  const choice = html`<fieldset><legend>${ask.scopes}</legend>
<p class="hint">${ask.hint}</p>
${scopeTable(scopes, setting)}
</fieldset>
<p>${ask.until({ date: `\u2066${day}\u2069` })}</p>`
  const content = html`<div class="card">
<h1>${ask.title}</h1>
${resultBox(result)}
${program(asked, setting)}
<p class="warning">${ask.warning}</p>
<form method="post" action="${action('allow')}">
${formField(visitor.formToken)}
${scopes.length === 0 ? html`<p><strong>${ask.nothing}</strong></p>` : choice}
<p class="decide">${scopes.length > 0 && html`<button type="submit">${ask.allow}</button>`} ${refuse}</p>
</form>
</div>`
  return signedFrame({ title: ask.title, content, kind: 'proposal', visitor }, setting)
}

/** Who asks, as far as that is known. */
function program(
  { client_name, client_host, redirect_uri, resource }: Asked,
  { connections }: ConnectionSetting,
): Html {
  const { ask } = connections
  const row = (label: string, value: unknown) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  const place = html`<bdi dir="ltr"><code>${visible(placeOf(redirect_uri))}</code></bdi>`
  const to = isOnThisMachine(redirect_uri) ? html`${ask.device} (${place})` : place
  const from = client_host && row(ask.from, html`<bdi dir="ltr"><code>${visible(client_host)}</code></bdi>`)
  return html`<dl class="program">
${row(ask.name, html`<strong><bdi>${visible(client_name)}</bdi></strong> <span class="hint">${ask.unchecked}</span>`)}
${from}
${row(ask.to, to)}
${row(ask.resource, html`<bdi dir="ltr"><code>${resource}</code></bdi>`)}
</dl>`
}

/** A row for each area, with a box for seeing and one for changing. */
function scopeTable(scopes: readonly string[], { connections }: ConnectionSetting): Html {
  const { ask, families } = connections
  const box = (scope: string | undefined, name: string, right: string) =>
    scope === undefined
      ? html`<td></td>`
      : html`<td><input type="checkbox" name="scope" value="${scope}" checked aria-label="${name}: ${right}"></td>`
  const row = ({ name, read, write }: ScopeFamily) => html`<tr><th scope="row">${families[name]}</th>
${box(read, families[name], ask.read)}${box(write, families[name], ask.write)}</tr>`
  return html`<table class="scopes">
<thead><tr><th scope="col">${ask.area}</th><th scope="col">${ask.read}</th><th scope="col">${ask.write}</th></tr></thead>
<tbody>${familiesOf(scopes).map(row)}</tbody>
</table>`
}
