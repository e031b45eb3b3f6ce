import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getWebhookUrl, type listWebhookUrls, pullWebhooks, tuneWebhookUrl } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { exactly, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf, membersOf } from '../signed-in/schema.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { called, deliveryTable, type ListedDelivery } from './log-table.ts'
import { buttonForm, isUrlField } from './parts.ts'
import { attemptsPlot, latencyPlot } from './plot.ts'
import { customersHome, home, log, providersHome, urlsHome, type WebhookSetting } from './setting.ts'
import { tabs } from './settings.ts'
import type { WebhookTexts } from './texts/index.ts'

type ListedUrl = InferOutput<typeof listWebhookUrls.output>['urls'][number]

/** A URL in the response, with its hours. */
type ShownUrl = InferOutput<typeof getWebhookUrl.output>['url']

type Tally = ListedUrl['hour']

type Queue = NonNullable<ListedUrl['queue']>

/** What can be set for a URL. */
export const tuningMembers = membersOf('tune_webhook_url')

/** The query that names the customer of a URL. */
export function customerQuery(customer: number | undefined): string {
  return customer === undefined ? '' : `?customer=${customer}`
}

/** The page of all URLs of a level and their health. */
export function urlsPage(
  urls: readonly ListedUrl[],
  customer: number | undefined,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { webhooks: texts } = setting
  const { urls: words } = texts
  const rows = urls.map((url) => urlRow(url, customer, visitor, setting))
  const table = html`<div class="wide-table"><table class="dense stacks"><thead><tr><th>${words.url}</th><th>${words.state}</th>
<th>${words.hour}</th><th>${words.day}</th><th>${words.week}</th><th>${words.p95}</th><th>${words.last}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
  const content = html`<div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>
${tabs(urlsHome, visitor, setting)}</div>
${urls.length === 0 ? html`<p class="none">${words.none} <a href="${withLanguage(home, setting)}">${texts.back}</a></p>` : table}`
  return signedFrame(
    { title: words.title, content, kind: 'list', visitor, kept: customerQuery(customer).slice(1) },
    setting,
  )
}

function urlRow(url: ListedUrl, customer: number | undefined, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { hour, day, week, last_at, queue } = url
  const { urls: words } = texts
  if (queue !== null) return queueRow(url, queue, customer, visitor, setting)
  return html`<tr>${urlCell(url, customer, setting)}<td>${stateBadge(url, texts)}</td>
<td data-label="${words.hour}">${rateOf(hour, words)}</td><td data-label="${words.day}">${rateOf(day, words)}</td><td data-label="${words.week}">${rateOf(week, words)}</td><td data-label="${words.p95}">${latencyOf(day.p95_ms, texts)}</td>
<td class="wrap" data-label="${words.last}">${last_at === null ? '–' : exactly(last_at, visitor)} <span class="label">${answerOf(url, texts)}</span></td></tr>`
}

function urlCell(url: ListedUrl, customer: number | undefined, setting: WebhookSetting): Html {
  const path = `${urlsHome}/${url.endpoint_id}${customerQuery(customer)}`
  return html`<td class="wrap"><a href="${withLanguage(path, setting)}">${called(url.name)}<bdi>${url.url}</bdi></a>
<span class="label">${fieldWords(url, setting.webhooks)}</span></td>`
}

/** A queue in the table of URLs: nothing is sent from it, so it has neither a rate nor a latency. */
function queueRow(
  url: ListedUrl,
  { waiting, waiting_since, cursor }: Queue,
  customer: number | undefined,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { queue: words } = setting.webhooks.urls
  const since =
    waiting_since === null ? '' : html` <span class="label">${words.since} ${exactly(waiting_since, visitor)}</span>`
  return html`<tr>${urlCell(url, customer, setting)}<td><span class="badge">${words.state}</span></td>
<td class="wrap" colspan="4">${words.waiting({ waiting })}${since}</td>
<td class="wrap"><span class="label">${words.cursor}</span> ${cursor === null ? words.none : html`<code>${cursor}</code>`}</td></tr>`
}

function rateOf({ attempts, success_rate }: Tally, { percent }: WebhookTexts['urls']): string {
  if (success_rate === null) return '–'
  return `${percent(success_rate)} / ${attempts}`
}

function latencyOf(milliseconds: number | null, { delivery }: WebhookTexts): string {
  return milliseconds === null ? '–' : delivery.took({ ms: milliseconds })
}

function answerOf(url: Pick<ListedUrl, 'last_status' | 'last_failure'>, { failures, delivery }: WebhookTexts): string {
  const { last_status: status, last_failure: failure } = url
  if (status !== null) return delivery.status({ status })
  return failure === null ? '' : failures[failure]
}

function fieldWords({ field, owner }: ListedUrl, { fields, channels }: WebhookTexts): string {
  if (isUrlField(field)) return fields[field].title
  const [, , provider = '', channel = ''] = owner.split('.')
  const words = Object.entries(channels).find(([name]) => name === channel)?.[1] ?? channel
  return `${provider} · ${words}`
}

function stateBadge({ on, disabled, failing, last_failure }: ListedUrl, { urls: words }: WebhookTexts): Html {
  if (!on) return html`<span class="badge skipped">${disabled ? words.disabled : words.off}</span>`
  if (failing) return html`<span class="badge failed">${words.failing}</span>`
  return html`<span class="badge ${last_failure === null ? 'good' : 'waiting'}">${last_failure === null ? words.on : words.shaky}</span>`
}

/** The page of one URL. */
export interface UrlPart {
  readonly url: ShownUrl
  readonly customer: number | undefined
  readonly deliveries: readonly ListedDelivery[]
  readonly result: Result | undefined
  readonly wrong: Wrong
  /** The name or the limits as entered. */
  readonly entered?: Readonly<Partial<Record<'name' | 'in_flight' | 'per_second', string>>> | undefined
}

/** The page of one URL: its health, switch, limits and deliveries. */
export function urlPage(part: UrlPart, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { url, result, customer, deliveries } = part
  const { queue } = url
  const { urls: words } = texts
  const now = visitor.context.clock()
  const all = `${log}?endpoint=${url.endpoint_id}${customer === undefined ? '' : `&customer=${customer}`}`
  const content = html`<p class="back"><a href="${withLanguage(`${urlsHome}${customerQuery(customer)}`, setting)}">${words.back}</a></p>
${resultBox(result)}
<section class="card about"><div class="what"><h1 class="address">${called(url.name)}<bdi>${url.url}</bdi></h1>${queue === null ? stateBadge(url, texts) : html`<span class="badge">${words.queue.state}</span>`}</div>
<p class="hint">${fieldWords(url, texts)} <code>${url.endpoint_id}</code></p>
${
  queue === null
    ? html`${healthNow(url, visitor, texts)}
<div class="plots">${attemptsPlot(url.hours, now, texts)}${latencyPlot(url.hours, now, texts)}</div>`
    : queueNow(url, queue, visitor, texts)
}
</section>
${may(visitor, tuneWebhookUrl) && (queue === null ? controls(part, visitor, setting) : html`<section class="card">${nameForm(part, visitor, setting)}</section>`)}
<section class="card" aria-labelledby="last"><h2 id="last">${words.deliveries}</h2>
${deliveries.length === 0 ? html`<p class="none">${words.noDeliveries}</p>` : deliveryTable(deliveries, visitor, setting)}
<p><a href="${withLanguage(all, setting)}">${words.all}</a> · <a href="${withLanguage(settingsOf(url, customer), setting)}">${words.settings}</a></p></section>`
  const title = queue === null ? words.titleOf({ url: url.url }) : words.queue.of({ name: url.url })
  return signedFrame({ title, content, kind: 'delivery', visitor, kept: customerQuery(customer).slice(1) }, setting)
}

function settingsOf({ owner }: ShownUrl, customer: number | undefined): string {
  if (owner.startsWith('provider.')) return providersHome
  return customer === undefined ? home : `${customersHome}/${customer}`
}

function healthNow(url: ShownUrl, visitor: Visitor, texts: WebhookTexts): Html {
  const { urls: words } = texts
  const { failing_since, last_at, last_duration_ms } = url
  const spans = (['hour', 'day', 'week'] as const).map((span) => {
    const { p50_ms, p95_ms } = url[span]
    return html`<tr><th scope="row">${words[span]}</th><td>${rateOf(url[span], words)}</td><td>${latencyOf(p50_ms, texts)}</td><td>${latencyOf(p95_ms, texts)}</td></tr>`
  })
  const last =
    last_at === null
      ? '–'
      : html`${exactly(last_at, visitor)} · ${answerOf(url, texts)} · ${latencyOf(last_duration_ms, texts)}`
  return html`<dl class="meta"><div><dt>${words.last}</dt><dd>${last}</dd></div>
${failing_since !== null && html`<div><dt>${words.since}</dt><dd>${exactly(failing_since, visitor)}</dd></div>`}</dl>
<table class="dense small"><thead><tr><td></td><th>${words.success}</th><th>${words.p50}</th><th>${words.p95}</th></tr></thead><tbody>${spans}</tbody></table>`
}

function queueNow(
  { url }: ShownUrl,
  { waiting, waiting_since, cursor }: Queue,
  visitor: Visitor,
  texts: WebhookTexts,
): Html {
  const { queue: words } = texts.urls
  const path = `${pullWebhooks.rest?.path}?queue=${url.slice(url.indexOf(':') + 1)}`
  return html`<dl class="meta"><div><dt>${words.notRead}</dt><dd>${words.waiting({ waiting })}</dd></div>
${waiting_since !== null && html`<div><dt>${words.since}</dt><dd>${exactly(waiting_since, visitor)}</dd></div>`}
<div><dt>${words.cursor}</dt><dd>${cursor === null ? words.none : html`<code>${cursor}</code>`}</dd></div></dl>
<p class="hint">${words.hint} ${words.call} <code>GET ${path}</code></p>`
}

function nameForm({ url, customer, wrong, entered }: UrlPart, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { urls: words } = texts
  const action = withLanguage(`${urlsHome}/${url.endpoint_id}/name${customerQuery(customer)}`, setting)
  const found = wrong.get('name')
  const described = found && html` aria-invalid="true" aria-describedby="name-wrong"`
  return html`<form method="post" action="${action}">${formField(visitor.formToken)}
<div class="entry"><label for="name">${words.name}</label>
<input id="name" name="name" type="text"${limitsOf(memberOf(tuningMembers, 'name'))} value="${entered?.name ?? url.name ?? ''}" autocomplete="off"${described}>${wrongAt('name-wrong', found)}</div>
<p class="hint">${words.nameHint}</p><button type="submit" class="plain">${texts.save}</button></form>`
}

function controls(part: UrlPart, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { url, customer, wrong, entered } = part
  const { urls: words } = texts
  const action = `${urlsHome}/${url.endpoint_id}/`
  const query = customerQuery(customer)
  const value = (name: 'in_flight' | 'per_second') => entered?.[name] ?? String(url[name] ?? '')
  const entry = (name: 'in_flight' | 'per_second') => {
    const found = wrong.get(name)
    const described = found && html` aria-invalid="true" aria-describedby="${name}-wrong"`
    return html`<div class="entry"><label for="${name}">${words[name]}</label>
<input id="${name}" name="${name}" type="text" inputmode="numeric"${limitsOf(memberOf(tuningMembers, name))} class="short" value="${value(name)}"${described}>${wrongAt(`${name}-wrong`, found)}</div>`
  }
  const verb = url.on ? 'off' : 'on'
  return html`<section class="card" aria-labelledby="controls"><h2 id="controls">${words.controls}</h2><div class="acts">
<div>${buttonForm(`${action}${verb}${query}`, { words: words[`turn_${verb}`], kind: url.on ? 'refuse' : 'main' }, visitor, setting)}
<p class="hint">${url.on ? words.offHint : words.onHint}</p></div>
<form method="post" action="${withLanguage(`${action}limits${query}`, setting)}">${formField(visitor.formToken)}${entry('in_flight')}${entry('per_second')}
<p class="hint">${words.limitsHint({ most: memberOf(tuningMembers, 'in_flight').most ?? 0 })}</p><button type="submit" class="plain">${texts.save}</button></form>
${nameForm(part, visitor, setting)}
${headerForm(url, `${action}headers${query}`, visitor, setting)}
</div></section>`
}

/** The headers by name, and a line for one more. */
function headerForm({ headers }: ShownUrl, action: string, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { urls: words } = texts
  const { maxItems = 0, items } = memberOf(tuningMembers, 'headers')
  const [nameMember, valueMember] = [memberOf(items?.members ?? {}, 'name'), memberOf(items?.members ?? {}, 'value')]
  const line = (
    name: string,
    index: number,
  ) => html`<div class="entry"><label for="name-${index}">${words.headerName}</label>
<input id="name-${index}" name="name" type="text"${limitsOf({ ...nameMember, isRequired: false })} autocomplete="off" value="${name}">
<label for="value-${index}">${words.headerValue}</label>
<input id="value-${index}" name="value" type="password"${limitsOf(valueMember)} autocomplete="off" placeholder="${name === '' ? '' : words.headerKept}"></div>`
  const names = [...headers.map(({ name }) => name), ...(headers.length < maxItems ? [''] : [])]
  return html`<form method="post" action="${withLanguage(action, setting)}">${formField(visitor.formToken)}<h3>${words.headers}</h3>${names.map(line)}
<p class="hint">${words.headersHint}</p><button type="submit" class="plain">${texts.save}</button></form>`
}
