import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, type listOwnProviders, zonedIso } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { askPage } from '../signed-in/ask-page.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment } from '../words.ts'
import { dayChoices } from './keys.ts'
import { denseTable, headOf, keyBox, overlapChoice } from './parts.ts'
import { type KeySetting, providersHome } from './setting.ts'

type Provider = InferOutput<typeof listOwnProviders.output>['providers'][number]

/** The form for a new provider as it was filled in; its key does not expire without `days`. */
interface EnteredProvider {
  readonly name: string
  readonly days?: number | undefined
}

/** What the page of providers shows. */
export interface ShownProviders {
  readonly providers: readonly Provider[]
  readonly result?: Result | undefined
  /** A key that was just made or replaced. */
  readonly key?: string | undefined
  readonly entered: EnteredProvider
}

/** The page of the providers that report for the business alone. */
export function providersPage(shown: ShownProviders, visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { providers: words } = texts
  const address = `${visitor.context.baseUrl}/api/v1/otep/ingest`
  const content = html`${headOf(words, visitor, providersHome, setting)}
${resultBox(shown.result)}
${keyBox(shown.key, texts)}
${shown.key !== undefined && html`<p class="hint">${words.use} <code>${address}</code></p>`}
${shown.providers.length > 0 ? table(shown.providers, visitor, setting) : html`<p class="none">${words.none}</p>`}
${makeForm(shown.entered, visitor, setting)}`
  return signedFrame(
    { title: words.title, content, kind: 'settings', visitor, isOnce: shown.key !== undefined },
    setting,
  )
}

function table(providers: readonly Provider[], visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { providers: words, keys, rotate, revoke } = texts
  const time = (instant: string) => moment(zonedIso(instantOf(instant), visitor.account.business.timeZone))
  const rows = providers.map(({ name, state, last_used_at, expires_at, previous_key_until }) => {
    const link = (verb: 'rotate' | 'revoke', text: string) =>
      html`<a href="${withLanguage(`${providersHome}/${name}/${verb}`, setting)}" aria-label="${texts.about({ what: text, more: name })}">${text}</a> `
    const acts = state !== 'revoked' && html`${link('rotate', rotate.link)}${link('revoke', revoke.link)}`
    const before = previous_key_until !== undefined && html`<br>${keys.previous} ${time(previous_key_until)}`
    return html`<tr><th scope="row">${name}</th><td><span class="badge ${state}">${words.state[state]}</span></td>
<td>${last_used_at === undefined ? keys.never : time(last_used_at)}</td>
<td>${state !== 'revoked' && html`${expires_at === undefined ? words.forever : time(expires_at)}${before}`}</td>
<td class="acts">${acts}</td></tr>`
  })
  return denseTable(words.caption, [words.name, keys.state, keys.used, keys.expires, keys.acts], rows)
}

function makeForm(entered: EnteredProvider, { formToken }: Visitor, setting: KeySetting): Html {
  const { providers: words, keys } = setting.keys
  const choice = [
    ...dayChoices.map((days) => [days, keys.dayCounts({ days })] as const),
    [undefined, words.never] as const,
  ]
  const options = choice.map(
    ([days, text]) => html`<option value="${days ?? ''}"${days === entered.days && html` selected`}>${text}</option>`,
  )
  return html`<section class="card" aria-labelledby="make"><h2 id="make">${words.make}</h2>
<form method="post" action="${withLanguage(providersHome, setting)}">${formField(formToken)}
<p class="entry"><label for="name">${words.name}</label>
<input id="name" name="name" type="text" required maxlength="60" pattern="[a-z0-9]+(-[a-z0-9]+)*" value="${entered.name}" autocomplete="off" spellcheck="false" dir="ltr" aria-describedby="name-hint"></p>
<p class="hint" id="name-hint">${words.nameHint}</p>
<p class="entry"><label for="days">${words.days}</label><select id="days" name="days">${options}</select></p>
<p class="saving"><button type="submit">${words.button}</button></p>
</form></section>`
}

/** The page that asks before the key of a provider is replaced or revoked. */
export function askAboutProvider(name: string, verb: 'rotate' | 'revoke', visitor: Visitor, setting: KeySetting): Html {
  const { keys: texts } = setting
  const { providers: words, rotate, revoke } = texts
  const asked =
    verb === 'rotate'
      ? { ...rotate, title: rotate.title({ name }), fields: overlapChoice(texts) }
      : { ...revoke, title: words.revokeTitle({ name }), lead: words.revokeLead }
  const back = { path: providersHome, text: words.title }
  return askPage({ ...asked, action: `${providersHome}/${name}/${verb}`, back }, visitor, setting)
}
