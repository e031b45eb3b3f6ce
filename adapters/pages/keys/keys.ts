import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, keyScopes, type listApiKeys, zonedIso } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { askPage } from '../signed-in/ask-page.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment, visible } from '../words.ts'
import { denseTable, type EnteredTerms, headOf, keyBox, overlapChoice, termFields, termsCell } from './parts.ts'
import { home, type KeySetting } from './setting.ts'

/** How many days a new key is accepted. */
export const dayChoices = [30, 90, 365] as const

/** The form for a new key as it was filled in. */
interface EnteredKey extends EnteredTerms {
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
  const { title, lead, adminLead } = texts.keys
  const isAdmin = visitor.account.role === 'client_admin'
  const content = html`${headOf({ title, lead: isAdmin ? adminLead : lead }, visitor, home, setting)}
${keysPart(shown, visitor, isAdmin, setting)}
${pager(shown, (page) => withLanguage(`${home}?page=${page}`, setting), signed)}
${makeForm(shown.entered, { action: home, scopes: visitor.context.caller.scopes }, visitor, setting)}`
  const kept = `page=${shown.page}`
  return signedFrame({ title, content, kind: 'settings', visitor, kept, isOnce: shown.key !== undefined }, setting)
}

/** The result of an action, the key that it has made, and the keys. */
export function keysPart(
  shown: Pick<ShownKeys, 'keys' | 'names' | 'result' | 'key'>,
  visitor: Visitor,
  showsAccounts: boolean,
  setting: KeySetting,
): Html {
  const { keys: texts } = setting
  return html`${resultBox(shown.result)}
${keyBox(shown.key, texts)}
${shown.keys.length > 0 ? table(shown, visitor, showsAccounts, setting) : html`<p class="none">${texts.keys.none}</p>`}`
}

function table(
  { keys, names }: Pick<ShownKeys, 'keys' | 'names'>,
  visitor: Visitor,
  showsAccounts: boolean,
  setting: KeySetting,
): Html {
  const { keys: words, name, scopes } = setting.keys
  const account = showsAccounts ? [words.account] : []
  const head = [name, ...account, scopes, words.state, words.used, words.expires, words.acts]
  const rows = keys.map((key) => row(key, { names, showsAccounts }, visitor, setting))
  return denseTable(words.caption, head, rows)
}

function row(
  key: Key,
  { names, showsAccounts }: { readonly names: ReadonlyMap<number, string>; readonly showsAccounts: boolean },
  visitor: Visitor,
  setting: KeySetting,
): Html {
  const { keys: texts } = setting
  const { keys: words, rotate, revoke } = texts
  const { key_id, account_id, is_service, state, last_used, expires_at, previous_key_until } = key
  const name = visible(key.name ?? words.erased)
  const time = (instant: string) => moment(zonedIso(instantOf(instant), visitor.account.business.timeZone))
  const link = (verb: 'rotate' | 'revoke', text: string) =>
    html`<a href="${withLanguage(`${home}/${key_id}/${verb}`, setting)}" aria-label="${texts.about({ what: text, more: name })}">${text}</a> `
  const replaces = account_id === visitor.account.id || is_service === true
  const used =
    last_used && html`${time(last_used.at)} ${last_used.source && html`<code>${visible(last_used.source)}</code>`}`
  return html`<tr><th scope="row"><bdi>${name}</bdi></th>
${showsAccounts && html`<td><bdi>${visible(names.get(account_id) ?? String(account_id))}</bdi></td>`}
<td class="terms">${termsCell(key, texts)}</td>
<td><span class="badge ${state}">${words[state]}</span></td>
<td>${used ?? words.never}</td>
<td>${time(expires_at)}${previous_key_until !== undefined && html`<br>${words.previous} ${time(previous_key_until)}`}</td>
<td class="acts">${replaces && (state === 'valid' || state === 'expired') && link('rotate', rotate.link)}${state !== 'revoked' && link('revoke', revoke.link)}</td></tr>`
}

/** The form for a new key of an account with these scopes; none if no key can have any of them. */
export function makeForm(
  entered: EnteredKey,
  { action, scopes }: { readonly action: string; readonly scopes: readonly string[] },
  visitor: Visitor,
  setting: KeySetting,
): Html | undefined {
  const offered = keyScopes.filter((scope) => scopes.includes(scope))
  if (offered.length === 0) return undefined
  const { keys: texts } = setting
  const { keys: words } = texts
  const choice = dayChoices.map(
    (days) =>
      html`<option value="${days}"${days === entered.days && html` selected`}>${words.dayCounts({ days })}</option>`,
  )
  return html`<section class="card" aria-labelledby="make"><h2 id="make">${words.make}</h2>
<form method="post" action="${withLanguage(action, setting)}">${formField(visitor.formToken)}
<p class="entry"><label for="name">${texts.name}</label>
<input id="name" name="name" type="text" required maxlength="120" value="${entered.name}" autocomplete="off" aria-describedby="name-hint"></p>
<p class="hint" id="name-hint">${words.nameHint}</p>
<p class="entry"><label for="days">${words.days}</label><select id="days" name="days">${choice}</select></p>
${termFields(offered, entered, setting)}
<p class="saving"><button type="submit">${words.button}</button></p>
</form></section>`
}

/** The page that asks before a key is replaced or revoked. */
export function askAboutKey(
  key: Pick<Key, 'key_id' | 'name'>,
  verb: 'rotate' | 'revoke',
  visitor: Visitor,
  setting: KeySetting,
): Html {
  const { keys: texts } = setting
  const { title, lead, button } = texts[verb]
  const asked = {
    ...{ title: title({ name: visible(key.name ?? texts.keys.erased) }), lead, button },
    action: `${home}/${key.key_id}/${verb}`,
    back: { path: home, text: texts.back },
    ...(verb === 'rotate' && { fields: overlapChoice(texts) }),
  }
  return askPage(asked, visitor, setting)
}
