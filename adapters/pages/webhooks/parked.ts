import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { listParkedWebhookEvents, rebuildWebhookEvents } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { exactly } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { pageIn } from '../signed-in/visit.ts'
import { breakable, type Html } from '../words.ts'
import { buttonForm } from './parts.ts'
import { orMissing } from './refusals.ts'
import { parkedHome, type Visited, type WebhookSetting } from './setting.ts'
import { tabs } from './settings.ts'

const perPage = 50

type Listed = InferOutput<typeof listParkedWebhookEvents.output>

/** Shows the recorded events of which no webhook events could be made. */
export function showParked(visit: Visited, visitor: Visitor): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const { request, answering, setting } = visit
    const listed = await outputOf(listParkedWebhookEvents, visitor, { page: pageIn(request), per_page: perPage })
    const [said, rebuilt, left] = confirmationIn(request, visitor)
    const { done } = setting.webhooks.parked
    const result: Result | undefined =
      said === 'rebuilt' ? { kind: 'good', text: done({ rebuilt: Number(rebuilt), left: Number(left) }) } : undefined
    return answering.page(200, parkedPage(listed, result, visitor, setting))
  })
}

/** Builds the webhook events of one parked event, or of all. */
export function rebuildParked(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const event_id = form.get('event')
  return orMissing(visit, visitor, async () => {
    const { rebuilt, left } = await outputOf(rebuildWebhookEvents, visitor, event_id === null ? {} : { event_id })
    const to = `${parkedHome}?${confirmationQuery(visitor, ['rebuilt', rebuilt, left])}`
    return visit.answering.redirect(withLanguage(to, visit.setting))
  })
}

function parkedPage(listed: Listed, result: Result | undefined, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts, signed } = setting
  const { parked: words } = texts
  const { parked, total } = listed
  const isOpen = may(visitor, rebuildWebhookEvents)
  const count = html` <span class="count">${words.total({ total })}</span>`
  const content = html`<div class="head"><div><h1>${words.title}${count}</h1><p class="lead">${words.lead}</p></div>
${tabs(parkedHome, visitor, setting)}</div>
${resultBox(result)}
${parked.length === 0 ? html`<p class="none">${words.none}</p>` : table(listed, isOpen, visitor, setting)}
${pager(listed, (page) => withLanguage(`${parkedHome}?page=${page}`, setting), signed)}
${isOpen && parked.length > 0 && html`<div class="go">${buttonForm(`${parkedHome}/rebuild`, { words: words.rebuildAll, kind: 'main' }, visitor, setting)}</div>`}`
  return signedFrame({ title: words.title, content, kind: 'list', visitor, kept: `page=${listed.page}` }, setting)
}

function table({ parked }: Listed, isOpen: boolean, visitor: Visitor, setting: WebhookSetting): Html {
  const { parked: words } = setting.webhooks
  const rows = parked.map(({ event_id, type, failure, position, parked_at }) => {
    const event = html`<input type="hidden" name="event" value="${event_id}">`
    const button = { words: words.rebuild, label: words.rebuildOne({ type, id: event_id }) }
    return html`<tr><td>${breakable(type)}</td><td><code>${failure}</code></td><td>${exactly(parked_at, visitor)}</td>
<td><code>${event_id}</code></td><td><code>${position}</code></td>${isOpen && html`<td>${buttonForm(`${parkedHome}/rebuild`, button, visitor, setting, event)}</td>`}</tr>`
  })
  return html`<div class="wide-table" tabindex="0" role="region" aria-label="${words.title}"><table class="dense"><thead><tr><th>${words.type}</th><th>${words.failure}</th><th>${words.at}</th>
<th>${words.id}</th><th>${words.position}</th>${isOpen && html`<th><span class="hidden">${words.rebuild}</span></th>`}</tr></thead><tbody>${rows}</tbody></table></div>`
}
