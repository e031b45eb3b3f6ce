import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, keyScopes, type listApiKeys, zonedIso } from '../../../engine/index.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment, visible } from '../words.ts'
import { type EnteredTerms, switchOf, termFields, termsCell } from './parts.ts'
import { home, type KeySetting } from './setting.ts'
import type { KeyTexts } from './texts.ts'

/** How many days a new key is accepted. */
export const dayChoices = [30, 90, 365] as const

/** The form for a new key as it was filled in. */
export interface EnteredKey extends EnteredTerms {
  readonly days: number
}

/** The form before anybody has filled it in. */
export const emptyKey: EnteredKey = { name: '', scopes: [], operations: '', isReadOnly: false, days: 90 }

/** What the page of API keys shows. */
export interface ShownKeys extends Omit<InferOutput<typeof listApiKeys.output>, 'result'> {
  readonly names: ReadonlyMap<number, string>
  readonly result?: Result | undefined
  /** A key that was just made or replaced. */
  readonly key?: string | undefined
  readonly entered: EnteredKey
}

type Key = ShownKeys['keys'][number]

/** The page of API keys. */
export function keysPage(shown: ShownKeys, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts, signed } = setting
  const { keys: words } = texts
  const isAdmin = visitor.account.role === 'client_admin'
  const content = html`<div class="head"><div><h1>${words.title}</h1>
<p class="lead">${isAdmin ? words.adminLead : words.lead}</p></div>${switchOf(visitor, home, texts)}</div>
${resultBox(shown.result)}
${shown.key !== undefined && keyBox(shown.key, words)}
${shown.keys.length > 0 ? table(shown, visitor, isAdmin, texts) : html`<p class="none">${words.none}</p>`}
${pager(shown, (page) => `${home}?page=${page}`, signed)}
${makeForm(shown.entered, visitor, texts)}`
  return signedFrame({ title: words.title, content, kind: 'settings', visitor }, setting)
}

function keyBox(key: string, words: KeyTexts['keys']): Html {
  return html`<p class="entry key"><label for="key">${words.key}</label>
<input id="key" type="text" readonly value="${key}" spellcheck="false" dir="ltr"></p>`
}

function table({ keys, names }: ShownKeys, visitor: Visitor, isAdmin: boolean, texts: KeyTexts): Html {
  const { keys: words, name, scopes } = texts
  const head = [name, ...(isAdmin ? [words.account] : []), scopes, words.state, words.used, words.expires, words.acts]
  const rows = keys.map((key) => row(key, { names, isAdmin }, visitor, texts))
  return html`<div class="dense" role="region" aria-label="${words.caption}" tabindex="0"><table>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function row(
  key: Key,
  { names, isAdmin }: { readonly names: ReadonlyMap<number, string>; readonly isAdmin: boolean },
  visitor: Visitor,
  texts: KeyTexts,
): Html {
  const { keys: words, rotate, revoke } = texts
  const { key_id, account_id, state, last_used, expires_at, previous_key_until } = key
  const name = visible(key.name ?? words.erased)
  const time = (instant: string) => moment(zonedIso(instantOf(instant), visitor.account.business.timeZone))
  const link = (verb: 'rotate' | 'revoke', text: string) =>
    html`<a href="${home}/${key_id}/${verb}" aria-label="${text}: ${name}">${text}</a> `
  const isOwn = account_id === visitor.account.id
  const used =
    last_used && html`${time(last_used.at)} ${last_used.source && html`<code>${visible(last_used.source)}</code>`}`
  return html`<tr><th scope="row"><bdi>${name}</bdi></th>
${isAdmin && html`<td><bdi>${visible(names.get(account_id) ?? String(account_id))}</bdi></td>`}
<td class="terms">${termsCell(key, texts)}</td>
<td><span class="badge ${state}">${words[state]}</span></td>
<td>${used ?? words.never}</td>
<td>${time(expires_at)}${previous_key_until !== undefined && html`<br>${words.previous} ${time(previous_key_until)}`}</td>
<td class="acts">${isOwn && (state === 'valid' || state === 'expired') && link('rotate', rotate.link)}${state !== 'revoked' && link('revoke', revoke.link)}</td></tr>`
}

function makeForm(entered: EnteredKey, visitor: Visitor, texts: KeyTexts): Html | undefined {
  const { scopes } = visitor.context.caller
  const offered = keyScopes.filter((scope) => scopes.includes(scope))
  if (offered.length === 0) return undefined
  const { keys: words } = texts
  const choice = dayChoices.map(
    (days) =>
      html`<option value="${days}"${days === entered.days && html` selected`}>${words.dayCounts(days)}</option>`,
  )
  return html`<section class="card" aria-labelledby="make"><h2 id="make">${words.make}</h2>
<form method="post" action="${home}">${formField(visitor.formToken)}
<p class="entry"><label for="name">${texts.name}</label>
<input id="name" name="name" type="text" required maxlength="120" value="${entered.name}" autocomplete="off" aria-describedby="name-hint"></p>
<p class="hint" id="name-hint">${words.nameHint}</p>
<p class="entry"><label for="days">${words.days}</label><select id="days" name="days">${choice}</select></p>
${termFields(offered, entered, texts)}
<p class="saving"><button type="submit">${words.button}</button></p>
</form></section>`
}

/** The page that asks before a key is replaced or revoked. */
export function askPage(
  key: Pick<Key, 'key_id' | 'name'>,
  verb: 'rotate' | 'revoke',
  visitor: Visitor,
  setting: KeySetting,
): Html {
  const { keys: texts } = setting
  const words = texts[verb]
  const title = words.title(visible(key.name ?? texts.keys.erased))
  const { overlap, overlaps } = texts.rotate
  const options = Object.entries(overlaps).map(
    ([hours, text]) => html`<option value="${hours}"${hours === '24' && html` selected`}>${text}</option>`,
  )
  const choice = html`<p class="entry"><label for="overlap">${overlap}</label><select id="overlap" name="overlap">${options}</select></p>`
  const content = html`<p class="back"><a href="${home}">${texts.back}</a></p><div class="card"><h1>${title}</h1><p class="lead">${words.lead}</p>
<form method="post" action="${home}/${key.key_id}/${verb}">${formField(visitor.formToken)}
${verb === 'rotate' && choice}
<p class="saving"><button type="submit"${verb === 'revoke' && html` class="refuse"`}>${words.button}</button></p></form></div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}
