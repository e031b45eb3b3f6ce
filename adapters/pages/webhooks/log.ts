import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  deliveryStates,
  type listWebhookDeliveries,
  redeliverWebhooks,
  replayWebhookDeliveries,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { exactly, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf, membersOf } from '../signed-in/schema.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { described, type Filter, filterForm, local, queryOf, stateTicks } from './filter.ts'
import { deliveryTable } from './log-table.ts'
import { home, log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** What can be replayed. */
const replayMembers = membersOf('replay_webhook_deliveries')

/** The output of the list operation. */
type ListedDeliveries = InferOutput<typeof listWebhookDeliveries.output>

/** One page of the log. */
export interface ShownLog {
  /** Undefined if the filter is invalid. */
  readonly listed?: Pick<ListedDeliveries, 'deliveries' | 'total' | 'next_cursor' | 'searched'>
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
  const { listed, filter, cursor, wrong, result, replay } = shown
  const { deliveries: words } = texts
  const kept = pageQuery(filter, cursor)
  const count = listed?.total !== undefined && html` <span class="count">${words.total({ total: listed.total })}</span>`
  const content = html`<div class="head"><div><h1>${words.title}${count}</h1>
<p class="lead">${words.lead}</p></div></div>
${resultBox(result)}
${filterForm(filter, wrong, visitor, setting)}
${may(visitor, replayWebhookDeliveries) && replayPart(replay, visitor, setting)}
${listed && list(listed, shown, visitor, setting)}`
  return signedFrame(
    { title: words.title, content, kind: 'list', visitor, here: log, scripts: [assets.log], kept },
    setting,
  )
}

function list(
  listed: NonNullable<ShownLog['listed']>,
  { filter, cursor }: ShownLog,
  visitor: Visitor,
  setting: WebhookSetting,
): Html {
  const { webhooks: texts } = setting
  const { deliveries: words } = texts
  const { deliveries, total, next_cursor, searched } = listed
  const query = queryOf(filter)
  const pages = html`${searched && searchedHint(searched, next_cursor !== null, visitor, texts)}
<nav class="pager" aria-label="${words.pages}">${cursor !== undefined && html`<a href="${withLanguage(`${log}?${query}`, setting)}">${words.newest}</a>`}
${next_cursor !== null && html`<a rel="next" href="${withLanguage(`${log}?${pageQuery(filter, next_cursor)}`, setting)}">${searched ? words.further : words.older}</a>`}</nav>`
  if (deliveries.length === 0) return html`${nothing(total === 0 && query === '', setting)}${searched && pages}`
  const isOpen = may(visitor, redeliverWebhooks)
  const table = deliveryTable(deliveries, visitor, setting, isOpen)
  const form = html`<form method="post" action="${withLanguage(`${log}/redeliver?${query}`, setting)}">${formField(visitor.formToken)}${table}
<p class="go"><button type="submit" class="plain">${words.chosen}</button></p></form>`
  const exports = (['csv', 'ndjson'] as const).map(
    (format) =>
      html` <a href="${withLanguage(`${log}/export/${format}?${query}`, setting)}" download>${words.export[format]}</a>`,
  )
  // A search opens many bodies, so it is not repeated by itself.
  const isLive = cursor === undefined && searched === undefined
  return html`<p class="hint">${words.zone({ zone: visitor.account.business.timeZone })}${exports}</p>
<div${isLive && html` data-live`}>${isOpen ? form : table}</div>
${pages}`
}

/** The query of a page of the log. */
function pageQuery(filter: Filter, cursor: string | null | undefined): string {
  const query = new URLSearchParams(queryOf(filter))
  if (cursor) query.set('cursor', cursor)
  return String(query)
}

/** How far a search has looked. */
function searchedHint(
  { deliveries, back_to }: NonNullable<ListedDeliveries['searched']>,
  isPart: boolean,
  visitor: Visitor,
  { deliveries: words }: WebhookTexts,
): Html {
  const at = back_to === null ? '' : exactly(back_to, visitor)
  return html`<p class="hint" role="status">${isPart ? html`${words.searched({ deliveries })} ${at}` : words.searchedAll}</p>`
}

/** If nothing was ever sent, a link to the settings. */
function nothing(isFirst: boolean, setting: WebhookSetting): Html {
  const { deliveries: words, back } = setting.webhooks
  return html`<p class="none">${isFirst ? html`${words.noneYet} <a href="${withLanguage(home, setting)}">${back}</a>` : words.none}</p>`
}

function replayPart(entered: EnteredReplay | undefined, { formToken }: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { replay: words, deliveries } = texts
  const { form, wrong } = entered ?? {}
  const value = (name: string) => form?.get(name) ?? ''
  const flawed = (name: string) =>
    html`${limitsOf(memberOf(replayMembers, name))}${described(`replay-${name}`, wrong?.has(name) === true)}`
  const at = (name: string) => wrongAt(`replay-${name}-wrong`, wrong?.get(name))
  const chosen = form?.getAll('state') ?? ['failed', 'dead']
  const { choices = [] } = memberOf(replayMembers, 'states').items ?? {}
  const states = deliveryStates.filter((state) => choices.includes(state))
  return html`<details class="card replay"${entered && html` open`}><summary>${words.title}</summary>
<p class="hint">${words.lead}</p>
<form class="filter" method="post" action="${withLanguage(`${log}/replay`, setting)}">${formField(formToken)}
<div class="entry"><label for="replay-since">${deliveries.since}</label>${local('replay-since', value('since'), flawed('since'))}${at('since')}</div>
<div class="entry"><label for="replay-until">${deliveries.until}</label>${local('replay-until', value('until'), flawed('until'))}${at('until')}</div>
<div class="entry"><label for="replay-limit">${words.limit}</label>
<input id="replay-limit" name="limit" type="text" inputmode="numeric"${limitsOf(memberOf(replayMembers, 'limit'))} value="${value('limit') || '100'}"${described('replay-limit', wrong?.has('limit') === true)}>${at('limit')}</div>
${stateTicks(words.states, states, chosen, texts)}${at('state')}
<p class="go"><button type="submit">${words.button}</button></p>
</form></details>`
}
