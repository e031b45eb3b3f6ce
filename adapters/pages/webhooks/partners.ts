import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  createPartnerSubscription,
  type listPartnerSubscriptions,
  revokePartnerSubscription,
  testPartnerSubscription,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { exactly, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf, membersOf } from '../signed-in/schema.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { type Manner, mannerFields, mannerOf, mannerWords } from './manner.ts'
import { buttonForm, type Delivery, eventChoice, testOutcome, webhookEventTypes } from './parts.ts'
import { partnersHome, type WebhookSetting } from './setting.ts'
import { tabs } from './settings.ts'

/** What can be set for a subscription. */
export const subscriptionMembers = membersOf('create_partner_subscription')

type Listed = InferOutput<typeof listPartnerSubscriptions.output>

/** A new subscription as entered; its secret is never shown again. */
export interface EnteredSubscription {
  readonly provider: string
  readonly url: string
  readonly events: readonly string[]
  readonly manner: Manner
}

/** A page of the subscriptions of partners. */
export interface ShownPartners {
  readonly listed: Listed
  readonly result: Result | undefined
  readonly tested: Delivery | undefined
  readonly entered: EnteredSubscription
  readonly wrong: Wrong
}

/** The page of what partners have subscribed to. */
export function partnersPage(shown: ShownPartners, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts, signed } = setting
  const { partners: words } = texts
  const { listed, result, tested } = shown
  const content = html`<div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>
${tabs(partnersHome, visitor, setting)}</div>
${resultBox(result)}
${tested && html`<section class="card">${testOutcome(tested, setting)}</section>`}
${listed.subscriptions.length === 0 ? html`<p class="none">${words.none}</p>` : table(listed, visitor, setting)}
${pager(listed, (page) => withLanguage(`${partnersHome}?page=${page}`, setting), signed)}
${may(visitor, createPartnerSubscription) && addForm(shown, visitor, setting)}`
  return signedFrame({ title: words.title, content, kind: 'settings', visitor, kept: `page=${listed.page}` }, setting)
}

function table({ subscriptions }: Listed, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { partners: words } = texts
  const rows = subscriptions.map((subscription) => row(subscription, visitor, setting))
  return html`<div class="wide-table"><table class="dense stacks"><thead><tr><th>${words.partner}</th><th>${words.url}</th><th>${words.events}</th>
<th>${texts.manner.format}</th><th>${texts.secret.now}</th><th>${words.since}</th><th><span class="hidden">${words.actions}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function row(subscription: Listed['subscriptions'][number], visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { provider, subscription_id, url, events, secret, created_at } = subscription
  const { partners: words, test } = texts
  const action = `${partnersHome}/${encodeURIComponent(provider)}/${subscription_id}`
  const manner = mannerOf({ ...subscription }, subscriptionMembers, texts)
  const sends = may(visitor, testPartnerSubscription)
  const revokes = may(visitor, revokePartnerSubscription)
  return html`<tr><td><bdi>${provider}</bdi></td><td class="wrap"><bdi>${url}</bdi></td><td class="wrap">${events.join(texts.comma)}</td>
<td class="wrap">${mannerWords(subscriptionMembers, manner, texts)}</td><td><code>${secret}</code></td><td>${exactly(created_at, visitor)}</td>
<td><div class="row-acts">${sends && buttonForm(`${action}/test`, { words: test.button, label: test.of({ title: `${provider}${texts.comma}${url}` }) }, visitor, setting)}
${revokes && html`<details class="remove"><summary>${words.revoke}…</summary>${buttonForm(`${action}/revoke`, { words: words.revoke, label: `${texts.named({ name: words.revoke })} ${provider}${texts.comma}${url}`, kind: 'refuse' }, visitor, setting)}</details>`}</div></td></tr>`
}

function addForm({ entered, wrong }: ShownPartners, { formToken }: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { partners: words } = texts
  const entry = (name: 'provider' | 'url' | 'secret', label: string, attributes: Html) => {
    const limits = limitsOf(memberOf(subscriptionMembers, name))
    const found = wrong.get(name)
    const described = found && html` aria-invalid="true" aria-describedby="add-${name}-wrong"`
    return html`<div class="entry"><label for="add-${name}">${label}</label>
<input id="add-${name}" name="${name}"${limits} spellcheck="false" dir="ltr" ${attributes}${described}>${wrongAt(`add-${name}-wrong`, found)}</div>`
  }
  return html`<section class="card hook" id="add" aria-labelledby="add-title"><h2 id="add-title">${words.add}</h2>
<p class="hint">${words.addHint}</p>
<form method="post" action="${withLanguage(`${partnersHome}/add`, setting)}">${formField(formToken)}
<div class="filter">${entry('provider', words.partner, html`type="text" autocomplete="off" value="${entered.provider}"`)}
${entry('url', words.url, html`type="text" inputmode="url" autocomplete="off" value="${entered.url}"`)}
${entry('secret', texts.secret.title, html`type="password" autocomplete="new-password"`)}</div>
${eventChoice('events', handoffEventTypes, entered.events, texts)}${wrongAt('add-events-wrong', wrong.get('events'))}
<div class="url-row">${mannerFields(subscriptionMembers, entered.manner, { label: words.add }, texts)}</div>${wrongAt('add-where-wrong', wrong.get('where'))}
<div class="saving"><button type="submit">${words.add}</button></div>
</form></section>`
}

/** The events that partners can subscribe to. */
export const handoffEventTypes = webhookEventTypes.filter(({ channel }) => channel === 'order_handoff')
