import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type listWebhookDeliveries, replayWebhookDeliveries } from '../../../engine/index.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { breakable, type Html } from '../words.ts'
import { described, type Filter, filterForm, local, queryOf, stateTicks } from './filter.ts'
import { momentFor, wrongAt } from './parts.ts'
import type { Wrong } from './refusals.ts'
import { home, log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts.ts'

/** The output of the list operation. */
export type ListedDeliveries = InferOutput<typeof listWebhookDeliveries.output>

/** A delivery in the list. */
export type ListedDelivery = ListedDeliveries['deliveries'][number]

/** One page of the log. */
export interface ShownLog {
  /** Undefined if the filter is invalid. */
  readonly listed?: Pick<ListedDeliveries, 'deliveries' | 'page' | 'per_page'> & { readonly total: number }
  readonly filter: Filter
  readonly wrong: Wrong
  readonly result: Result | undefined
  /** The submitted replay form and its errors; the form is then open. */
  readonly replay?: EnteredReplay | undefined
}

interface EnteredReplay {
  readonly form: URLSearchParams
  readonly wrong: Wrong
}

/** The page of sent deliveries. */
export function logPage(shown: ShownLog, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { listed, filter, wrong, result, replay } = shown
  const { deliveries: words } = texts
  const count = listed && html` <span class="count">${words.total(listed.total)}</span>`
  const content = html`<div class="head"><div><h1>${words.title}${count}</h1>
<p class="lead">${words.lead}</p></div></div>
${resultBox(result)}
${filterForm(filter, wrong, visitor, texts)}
${may(visitor, replayWebhookDeliveries) && replayPart(replay, visitor, texts)}
${listed && list(listed, filter, visitor, setting)}`
  return signedFrame({ title: words.title, content, kind: 'list', visitor, here: log }, setting)
}

function list(
  listed: NonNullable<ShownLog['listed']>,
  filter: Filter,
  visitor: Visitor,
  { webhooks: texts, signed }: WebhookSetting,
): Html {
  const { deliveries: words } = texts
  const rows = listed.deliveries.map((delivery) => row(delivery, visitor, texts))
  return html`<p class="hint">${words.zone(visitor.account.business.timeZone)}</p>
${rows.length === 0 ? nothing(listed.total === 0 && queryOf(filter, 1) === '', texts) : html`<ol class="rows deliveries" role="list">${rows}</ol>`}
${pager(listed, (page) => `${log}?${queryOf(filter, page)}`, signed)}`
}

/** If nothing was ever sent, a link to the settings. */
function nothing(isFirst: boolean, { deliveries: words, back }: WebhookTexts): Html {
  return html`<p class="none">${isFirst ? html`${words.noneYet} <a href="${home}">${back}</a>` : words.none}</p>`
}

function row(delivery: ListedDelivery, visitor: Visitor, texts: WebhookTexts): Html {
  const { delivery_id, event, created_at, subject, url, attempts, next_attempt_at } = delivery
  const { deliveries: words } = texts
  return html`<li class="card">
<div class="what"><h2><a href="${log}/${delivery_id}">${breakable(event)}</a></h2>${marks(delivery, texts)}</div>
<dl class="meta">
<div><dt>${words.made}</dt><dd>${momentFor(created_at, visitor)}</dd></div>
<div><dt>${words.subject}</dt><dd>${subject}</dd></div>
<div class="wide"><dt>${words.where}</dt><dd><bdi>${url}</bdi></dd></div>
<div><dt>${words.last}</dt><dd>${outcome(delivery, texts)} <span class="label">· ${words.attempts(attempts)}</span></dd></div>
${next_attempt_at !== null && html`<div><dt>${words.next}</dt><dd>${momentFor(next_attempt_at, visitor)}</dd></div>`}
</dl>
</li>`
}

/** The state of a delivery, and labels for tests, sandbox and redeliveries. */
export function marks({ state, test, sandbox, redelivery_of }: ListedDelivery, texts: WebhookTexts): Html {
  const { deliveries: words } = texts
  const more = [test && words.test, sandbox && words.sandbox, redelivery_of !== null && words.again]
  const labels = more.flatMap((word) => (word === false ? [] : [html` <span class="badge">${word}</span>`]))
  return html`<span><span class="badge ${state}">${texts.states[state][0]}</span>${labels}</span>`
}

/** The result of the last attempt. */
export function outcome(
  { last_status, last_failure }: Pick<ListedDelivery, 'last_status' | 'last_failure'>,
  { failures, delivery }: WebhookTexts,
): string {
  const status = last_status === null ? '' : delivery.status(last_status)
  const failure = last_failure === null || last_failure === 'status' ? '' : failures[last_failure]
  return [status, failure].filter(Boolean).join(' · ') || '–'
}

function replayPart(entered: EnteredReplay | undefined, { formToken }: Visitor, texts: WebhookTexts): Html {
  const { replay: words, deliveries } = texts
  const { form, wrong } = entered ?? {}
  const value = (name: string) => form?.get(name) ?? ''
  const flawed = (name: string) => html` required${described(`replay-${name}`, wrong?.has(name) === true)}`
  const at = (name: string) => wrongAt(`replay-${name}-wrong`, wrong?.get(name))
  const chosen = form?.getAll('state') ?? ['failed', 'dead']
  return html`<details class="card replay"${entered && html` open`}><summary>${words.title}</summary>
<p class="hint">${words.lead}</p>
<form class="filter" method="post" action="${log}/replay">${formField(formToken)}
<div class="entry"><label for="replay-since">${deliveries.since}</label>${local('replay-since', value('since'), flawed('since'))}${at('since')}</div>
<div class="entry"><label for="replay-until">${deliveries.until}</label>${local('replay-until', value('until'), flawed('until'))}${at('until')}</div>
<div class="entry"><label for="replay-limit">${words.limit}</label>
<input id="replay-limit" name="limit" type="text" inputmode="numeric" maxlength="4" value="${value('limit') || '100'}"${described('replay-limit', wrong?.has('limit') === true)}>${at('limit')}</div>
${stateTicks(words.states, ['failed', 'dead', 'skipped'], chosen, texts)}${at('state')}
<p class="go"><button type="submit">${words.button}</button></p>
</form></details>`
}
