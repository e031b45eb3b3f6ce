import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type listWebhookEndpoints, type ProviderChannel, providerChannels } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { options, tick, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf, membersOf } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { type Manner, mannerFields, mannerOf } from './manner.ts'
import { buttonForm, type Delivery, eventChoice, testOutcome, webhookEventTypes } from './parts.ts'
import { type Revealed, secretPart } from './secret.ts'
import { providersHome, type WebhookSetting } from './setting.ts'
import { tabs } from './settings.ts'
import type { WebhookTexts } from './texts/index.ts'

/** What can be set for the endpoint of a provider. */
export const endpointMembers = membersOf('set_webhook_endpoint')

/** The endpoints in the response. */
type Listed = InferOutput<typeof listWebhookEndpoints.output>

/** The endpoint of a provider in the response. */
type ListedEndpoint = Listed['endpoints'][number]

/** An endpoint as entered in its form. */
export interface EnteredEndpoint {
  readonly url: string
  readonly sandboxUrl: string
  readonly isSandboxEnabled: boolean
  readonly events: readonly string[]
  readonly manner: Manner
}

/** What is shown at one endpoint beside its settings. */
export interface AtEndpoint {
  /** The channel and the provider, with a dot between them; `add` for a new one. */
  readonly at: string
  readonly entered?: EnteredEndpoint
  readonly wrong?: Wrong
  readonly revealed?: Revealed
  readonly tested?: Delivery | undefined
  readonly result?: Result | undefined
}

/** The initial values of the form for a new endpoint. */
export interface EnteredName {
  readonly provider: string
  readonly channel: string
  readonly url: string
}

/** A page of endpoints, with its message. */
export interface ShownEndpoints {
  readonly listed: Listed
  readonly result: Result | undefined
  readonly one: AtEndpoint | undefined
  readonly adding: EnteredName
}

/** The id of an endpoint within the page. */
export function anchorOf({ channel, provider }: Pick<ListedEndpoint, 'channel' | 'provider'>): string {
  return `${channel}.${provider}`
}

/** The page of the endpoints of providers. */
export function providersPage(shown: ShownEndpoints, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts, signed, assets } = setting
  const { listed, result, one } = shown
  const cards = listed.endpoints.map((endpoint) => {
    const at = one?.at === anchorOf(endpoint) ? one : undefined
    return endpointCard(endpoint, at, visitor, setting)
  })
  const title = texts.providers.title
  const content = html`<div class="head"><div><h1>${title}</h1><p class="lead">${texts.providers.lead}</p></div>
${tabs(providersHome, visitor, setting)}</div>
${resultBox(result)}
${cards.length === 0 ? html`<p class="none">${texts.providers.none}</p>` : cards}
${pager(listed, (page) => withLanguage(`${providersHome}?page=${page}`, setting), signed)}
${addCard(shown, visitor, setting)}`
  const scripts = one?.revealed === undefined ? [] : [assets.copy]
  return signedFrame({ title, content, kind: 'settings', visitor, scripts, kept: `page=${listed.page}` }, setting)
}

function endpointCard(
  endpoint: ListedEndpoint,
  at: AtEndpoint | undefined,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { webhooks: texts } = setting
  const { channel, provider, secret, replaced_until, ed25519, public_keys } = endpoint
  const id = anchorOf(endpoint)
  const action = `${providersHome}/${channel}/${provider}`
  const keys = { masked: secret, replacedUntil: replaced_until, publicKeys: ed25519 ? public_keys : [] }
  const part = { ...keys, action, id, isOpen: true, revealed: at?.revealed }
  return html`<section class="card hook endpoint" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><bdi>${provider}</bdi> <span class="label">· ${channelWords(channel, texts)}</span></h2>
${resultBox(at?.result)}
${endpointForm(endpoint, at, visitor, setting)}
<div class="test">${testForm(endpoint, action, visitor, setting)}</div>
${at?.tested && testOutcome(at.tested, setting)}
<h3>${texts.secret.title}</h3>
${secretPart({ ...part, wrong: at?.wrong?.get('secret') }, visitor, setting)}
<details class="remove"><summary>${texts.providers.remove}</summary><p class="hint">${texts.providers.removeHint}</p>
${buttonForm(`${action}/delete`, { words: texts.providers.removeNow, label: `${texts.named({ name: texts.providers.removeNow })} ${provider}`, kind: 'refuse' }, visitor, setting)}</details>
</section>`
}

function endpointForm(
  endpoint: ListedEndpoint,
  at: AtEndpoint | undefined,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { webhooks: texts } = setting
  const { channel, provider } = endpoint
  const id = anchorOf(endpoint)
  const label = `${provider}${texts.comma}${channelWords(channel, texts)}`
  const { url, sandboxUrl, isSandboxEnabled, events, manner } = at?.entered ?? enteredEndpoint(endpoint, texts)
  const { providers } = texts
  return html`<form method="post" action="${withLanguage(`${providersHome}/${channel}/${provider}/save`, setting)}">${formField(visitor.formToken)}
${urlEntry(id, 'url', providers.url, url, at?.wrong)}
${urlEntry(id, 'sandbox_url', providers.sandboxUrl, sandboxUrl, at?.wrong)}
${tick('sandbox_enabled', '1', providers.sandbox, isSandboxEnabled)}
${eventChoice('events', eventTypesOf(channel), events, texts)}${wrongAt(`${id}-events`, at?.wrong?.get('events'))}
<div class="url-row">${mannerFields(endpointMembers, manner, { label }, texts)}</div>${wrongAt(`${id}-where`, at?.wrong?.get('where'))}
<div class="saving"><button type="submit" aria-label="${texts.named({ name: texts.save })} ${label}">${texts.save}</button></div>
</form>`
}

function urlEntry(
  id: string,
  name: 'url' | 'sandbox_url',
  label: string,
  value: string,
  wrong: Wrong | undefined,
): Html {
  const found = wrong?.get(name)
  const described = found && html` aria-invalid="true" aria-describedby="${id}-${name}-wrong"`
  return html`<p class="entry"><label for="${id}-${name}">${label}</label>
<input id="${id}-${name}" name="${name}" type="text" inputmode="url"${limitsOf(memberOf(endpointMembers, name))} value="${value}" autocomplete="off" spellcheck="false" dir="ltr"${described}></p>
${wrongAt(`${id}-${name}-wrong`, found)}`
}

function testForm(
  { channel, provider }: ListedEndpoint,
  action: string,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { test, named } = setting.webhooks
  const events = eventTypesOf(channel).map(({ name }) => [name, name] as const)
  const choice = html`<select name="event" aria-label="${named({ name: test.event })} ${provider}">${options(events, '')}</select> `
  return buttonForm(
    `${action}/test`,
    { words: test.button, label: test.of({ title: provider }) },
    visitor,
    setting,
    choice,
  )
}

function addCard({ adding, one }: ShownEndpoints, { formToken }: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { providers } = texts
  const wrong = one?.at === 'add' ? one.wrong : undefined
  const channels = providerChannels.map((channel) => [channel, texts.channels[channel]] as const)
  const found = wrong?.get('provider')
  const described = found === undefined ? 'add-hint' : 'add-hint add-wrong'
  return html`<section class="card hook" id="add" aria-labelledby="add-title"><h2 id="add-title">${providers.add}</h2>
<form method="post" action="${withLanguage(`${providersHome}/add`, setting)}">${formField(formToken)}
<p class="entry"><label for="add-provider">${providers.provider}</label>
<input id="add-provider" name="provider" type="text"${limitsOf(memberOf(endpointMembers, 'provider'))} value="${adding.provider}" autocomplete="off" spellcheck="false" dir="ltr" aria-describedby="${described}"${found && html` aria-invalid="true"`}></p>
<p class="hint" id="add-hint">${providers.providerHint}</p>${wrongAt('add-wrong', found)}
<p class="entry"><label for="add-channel">${providers.channel}</label>
<select id="add-channel" name="channel">${options(channels, adding.channel)}</select></p>
${urlEntry('add', 'url', providers.url, adding.url, wrong)}
<div class="saving"><button type="submit">${providers.add}</button></div>
</form></section>`
}

/** The initial values of the form of an endpoint. */
function enteredEndpoint(endpoint: ListedEndpoint, texts: WebhookTexts): EnteredEndpoint {
  const { url = '', sandbox_url: sandboxUrl = '', sandbox_enabled: isSandboxEnabled, events = [] } = endpoint
  return { url, sandboxUrl, isSandboxEnabled, events, manner: mannerOf({ ...endpoint }, endpointMembers, texts) }
}

function eventTypesOf(channel: string) {
  return webhookEventTypes.filter((eventType) => eventType.channel === channel)
}

function channelWords(channel: string, { channels }: WebhookTexts): string {
  const known: ProviderChannel | undefined = providerChannels.find((one) => one === channel)
  return known === undefined ? channel : channels[known]
}
