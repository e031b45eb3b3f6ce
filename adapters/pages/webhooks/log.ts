import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type listWebhookDeliveries, redeliverWebhooks, replayWebhookDeliveries } from '../../../engine/index.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { described, type Filter, filterForm, local, queryOf, stateTicks } from './filter.ts'
import { deliveryTable } from './log-table.ts'
import { home, log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts.ts'

/** The output of the list operation. */
export type ListedDeliveries = InferOutput<typeof listWebhookDeliveries.output>

/** One page of the log. */
export interface ShownLog {
  /** Undefined if the filter is invalid. */
  readonly listed?: Pick<ListedDeliveries, 'deliveries' | 'total' | 'next_cursor'>
  /** What the page follows; undefined for the newest deliveries. */
  readonly cursor: string | undefined
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
  const { webhooks: texts, assets } = setting
  const { listed, filter, wrong, result, replay } = shown
  const { deliveries: words } = texts
  const count = listed?.total !== undefined && html` <span class="count">${words.total(listed.total)}</span>`
  const content = html`<div class="head"><div><h1>${words.title}${count}</h1>
<p class="lead">${words.lead}</p></div></div>
${resultBox(result)}
${filterForm(filter, wrong, visitor, texts)}
${may(visitor, replayWebhookDeliveries) && replayPart(replay, visitor, texts)}
${listed && list(listed, shown, visitor, texts)}`
  return signedFrame({ title: words.title, content, kind: 'list', visitor, here: log, scripts: [assets.log] }, setting)
}

function list(
  listed: NonNullable<ShownLog['listed']>,
  { filter, cursor }: ShownLog,
  visitor: Visitor,
  texts: WebhookTexts,
): Html {
  const { deliveries: words } = texts
  const { deliveries, total, next_cursor } = listed
  const query = queryOf(filter)
  if (deliveries.length === 0) return nothing(total === 0 && query === '', texts)
  const isOpen = may(visitor, redeliverWebhooks)
  const table = deliveryTable(deliveries, visitor, texts, isOpen)
  const form = html`<form method="post" action="${log}/redeliver?${query}">${formField(visitor.formToken)}${table}
<p class="go"><button type="submit" class="plain">${words.chosen}</button></p></form>`
  const exports = (['csv', 'ndjson'] as const).map(
    (format) => html` <a href="${log}/export/${format}?${query}" download>${words.export[format]}</a>`,
  )
  const older = new URLSearchParams(query)
  if (next_cursor !== null) older.set('cursor', next_cursor)
  return html`<p class="hint">${words.zone(visitor.account.business.timeZone)}${exports}</p>
<div${cursor === undefined && html` data-live`}>${isOpen ? form : table}</div>
<nav class="pager" aria-label="${words.pages}">${cursor !== undefined && html`<a href="${log}?${query}">${words.newest}</a>`}
${next_cursor !== null && html`<a rel="next" href="${log}?${String(older)}">${words.older}</a>`}</nav>`
}

/** If nothing was ever sent, a link to the settings. */
function nothing(isFirst: boolean, { deliveries: words, back }: WebhookTexts): Html {
  return html`<p class="none">${isFirst ? html`${words.noneYet} <a href="${home}">${back}</a>` : words.none}</p>`
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
