import { html } from 'hono/html'
import { redeliverWebhook, retryWebhookDelivery } from '../../../engine/index.ts'
import { catalogueHome } from '../../node/webhook-catalogue.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { exactly } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { breakable, type Html, visible } from '../words.ts'
import { called, marks, outcome } from './log-table.ts'
import { buttonForm, type Delivery, isRedirect, isUrlField, plain, webhookEventTypes } from './parts.ts'
import { phaseLine } from './phases.ts'
import { log, urlsHome, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'
import { customerQuery } from './urls.ts'

/** The data of the page of a delivery. */
interface ShownDelivery {
  readonly delivery: Delivery
  /** Ids of the deliveries that redeliver this one, as far as they are known. */
  readonly redeliveries: readonly string[]
  readonly result: Result | undefined
}

/** The page of one delivery. */
export function deliveryPage(shown: ShownDelivery, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { delivery, result } = shown
  const { delivery: words } = texts
  const content = html`<p class="back"><a href="${withLanguage(log, setting)}">${words.back}</a></p>
${resultBox(result)}
<section class="card about">
<div class="what"><h1><bdi dir="ltr">${breakable(delivery.event)}</bdi></h1>${marks(delivery, texts)}</div>
<p class="hint">${texts.states[delivery.state][1]} ${words.attemptsSoFar({ attempts: delivery.attempts })}</p>
${facts(shown, visitor, setting)}
</section>
${actions(delivery, visitor, setting)}
${attempts(delivery, visitor, texts)}
${bodyPart(delivery, texts)}`
  const title = words.title({ event: delivery.event })
  return signedFrame({ title, content, kind: 'delivery', visitor, here: log }, setting)
}

function facts({ delivery, redeliveries }: ShownDelivery, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { deliveries, delivery: words } = texts
  const { created_at, next_attempt_at, customer_id, redelivery_of } = delivery
  const rows: readonly (readonly [label: string, value: unknown])[] = [
    [deliveries.made, exactly(created_at, visitor)],
    [deliveries.next, next_attempt_at === null ? undefined : exactly(next_attempt_at, visitor)],
    [deliveries.subject, delivery.subject],
    [deliveries.where, where(delivery, setting)],
    [words.event, catalogueLink(delivery.event, setting)],
    [words.channel, channelWords(delivery, texts)],
    [words.customer, customer_id],
    [words.original, redelivery_of === null ? undefined : link(redelivery_of, setting)],
    [words.redeliveries, redeliveries.length === 0 ? undefined : redeliveries.map((id) => link(id, setting))],
    [words.eventId, html`<code>${delivery.event_id}</code>`],
    [words.id, html`<code>${delivery.delivery_id}</code>`],
  ]
  const present = rows.filter(([, value]) => value !== undefined && value !== null)
  const items = present.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)
  return html`<dl class="meta">${items}</dl>
<p class="hint">${words.zone({ zone: visitor.account.business.timeZone })}</p>`
}

/** The URL with a link to its health, unless it may be gone: those of partners have none. */
function where({ url, url_name, endpoint_id, customer_id, owner }: Delivery, setting: WebhookSetting): Html {
  if (owner.startsWith('subscription.')) return html`<bdi>${url}</bdi>`
  const path = `${urlsHome}/${endpoint_id}${customerQuery(customer_id ?? undefined)}`
  return html`<a href="${withLanguage(path, setting)}">${called(url_name)}<bdi>${url}</bdi></a>`
}

/** The page of the catalogue about an event, unless it is none of the catalogue. */
function catalogueLink(event: string, setting: WebhookSetting): Html | undefined {
  const isKnown = webhookEventTypes.some(({ name }) => name === event)
  if (!isKnown) return undefined
  return html`<a href="${withLanguage(`${catalogueHome}/${event}`, setting)}"><code>${breakable(event)}</code></a>`
}

function link(id: string, setting: WebhookSetting): Html {
  return html`<a href="${withLanguage(`${log}/${id}`, setting)}"><code>${id}</code></a> `
}

function channelWords({ channel, field }: Delivery, { channels, fields }: WebhookTexts): string {
  const words = Object.entries(channels).find(([name]) => name === channel)?.[1] ?? channel
  return isUrlField(field) ? `${words} · ${fields[field].title}` : words
}

function actions({ delivery_id, state, body }: Delivery, visitor: Visitor, setting: WebhookSetting): Html | undefined {
  const { delivery: words } = setting.webhooks
  const retries = (state === 'dead' || state === 'waiting') && may(visitor, retryWebhookDelivery)
  const redelivers = state !== 'waiting' && state !== 'sending' && may(visitor, redeliverWebhook)
  if (body === '' || (!retries && !redelivers)) return undefined
  const act = (verb: string, text: string, hint: string, kind: string) =>
    html`<div>${buttonForm(`${log}/${delivery_id}/${verb}`, { words: text, kind }, visitor, setting)}<p class="hint">${hint}</p></div>`
  return html`<section class="card" aria-labelledby="again"><h2 id="again">${words.actions}</h2><div class="acts">
${retries && act('retry', words.retry, state === 'dead' ? words.retryHint : words.atOnceHint, 'main')}
${redelivers && act('redeliver', words.redeliver, words.redeliverHint, 'plain')}
</div></section>`
}

function attempts({ history }: Delivery, visitor: Visitor, texts: WebhookTexts): Html {
  const { delivery: words } = texts
  const items = history.map((one, index) => attempt(one, index === history.length - 1, visitor, texts)).reverse()
  return html`<section class="card attempts" aria-labelledby="attempts"><h2 id="attempts">${words.attempts}</h2>
${items.length === 0 ? html`<p class="hint">${words.noAttempts}</p>` : html`<ol role="list" reversed>${items}</ol>`}</section>`
}

function attempt(one: Delivery['history'][number], isLast: boolean, visitor: Visitor, texts: WebhookTexts): Html {
  const { delivery: words } = texts
  const { number, started_at, duration_ms, status, failure, failed_phase, request_headers, response_headers } = one
  const ended = { last_status: status, last_failure: failure, last_failed_phase: failed_phase }
  const took = [words.took({ ms: duration_ms }), isRedirect(status) && words.redirect].filter(Boolean).join(' · ')
  return html`<li><div class="what"><h3>${words.attempt({ number })}</h3>
<span class="badge ${failure === null ? 'delivered' : 'failed'}">${outcome(ended, texts)}</span></div>
<p>${exactly(started_at, visitor)} <span class="label">· ${took}</span></p>
${phaseLine(one, texts)}
${status !== null && answerPart(one, isLast, texts)}
${headers(words.response, number, response_headers, texts)}
${headers(words.request, number, request_headers, texts, words.requestHint)}
</li>`
}

/** The response body, if there was a response. */
function answerPart(
  { number, response_body: body, response_cut: isCut }: Delivery['history'][number],
  isOpen: boolean,
  { delivery: words, comma }: WebhookTexts,
): Html {
  const answer =
    body === ''
      ? html`<p class="hint">${words.empty}</p>`
      : html`${plain(body)}${isCut && html`<p class="hint">${words.cut}</p>`}`
  return html`<details${isOpen && html` open`}><summary>${words.answer}<span class="hidden">${comma}${words.attempt({ number })}</span></summary>${answer}</details>`
}

function headers(
  title: string,
  number: number,
  all: Readonly<Record<string, string>>,
  { delivery: words, comma }: WebhookTexts,
  hint?: string,
): Html | undefined {
  const rows = Object.entries(all).map(
    ([name, value]) => html`<div><dt><code>${visible(name)}</code></dt><dd><bdi>${visible(value)}</bdi></dd></div>`,
  )
  if (rows.length === 0) return undefined
  return html`<details><summary>${title}<span class="hidden">${comma}${words.attempt({ number })}</span></summary>
${hint && html`<p class="hint">${hint}</p>`}<dl class="headers" dir="ltr">${rows}</dl></details>`
}

function bodyPart({ body, content_type }: Delivery, { delivery: words }: WebhookTexts): Html {
  const set = setOut(body)
  const content =
    body === ''
      ? html`<p class="hint">${words.erased}</p>`
      : html`<p class="hint">${words.type({ type: content_type })} ${set !== body && words.bodyHint}</p>${plain(set)}`
  return html`<section class="card" aria-labelledby="body"><h2 id="body">${words.body}</h2>
${content}</section>`
}

/** A JSON text with line breaks; unchanged if formatting would alter it, as with very long numbers. */
function setOut(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    return JSON.stringify(value) === body ? JSON.stringify(value, undefined, 2) : body
  } catch {
    return body
  }
}
