import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { listWebhookDeliveries } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { exactly } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { breakable, type Html } from '../words.ts'
import { log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** A delivery in the list. */
export type ListedDelivery = InferOutput<typeof listWebhookDeliveries.output>['deliveries'][number]

/** Deliveries as dense rows; with boxes to tick where they are in a form. */
export function deliveryTable(
  deliveries: readonly ListedDelivery[],
  visitor: Visitor,
  setting: WebhookSetting,
  hasTicks = false,
): Html {
  const { deliveries: words } = setting.webhooks
  const rows = deliveries.map((delivery) => row(delivery, visitor, setting, hasTicks))
  const tickAll = html`<th class="box"><span class="hidden">${words.choose}</span></th>`
  return html`<div class="wide-table"><table class="dense deliveries"><thead><tr>${hasTicks && tickAll}<th>${words.made}</th><th>${words.event}</th>
<th>${words.state}</th><th>${words.last}</th><th>${words.subject}</th><th>${words.where}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function row(delivery: ListedDelivery, visitor: Visitor, setting: WebhookSetting, hasTicks: boolean): Html {
  const { webhooks: texts } = setting
  const { delivery_id, event, created_at, subject, url, url_name, attempts, next_attempt_at, state } = delivery
  const { deliveries: words } = texts
  const canTick = hasTicks && state !== 'waiting' && state !== 'sending'
  const box = html`<td class="box">${canTick && html`<input type="checkbox" name="delivery" value="${delivery_id}" aria-label="${words.chooseOne({ event, subject })}">`}</td>`
  const next =
    next_attempt_at !== null &&
    html` <span class="label">${texts.named({ name: words.next })} ${exactly(next_attempt_at, visitor)}</span>`
  return html`<tr>${hasTicks && box}<td>${exactly(created_at, visitor)}</td><td><a href="${withLanguage(`${log}/${delivery_id}`, setting)}"><bdi dir="ltr">${breakable(event)}</bdi></a></td>
<td>${marks(delivery, texts)}</td><td>${outcome(delivery, texts)} <span class="label">· ${words.attempts({ attempts })}</span>${next}</td><td>${subject}</td><td class="long">${called(url_name)}<bdi>${url}</bdi></td></tr>`
}

/** The name of a URL in front of it, if it has one. */
export function called(name: string | null): Html {
  return html`${name !== null && html`<strong><bdi>${name}</bdi></strong> `}`
}

/** The state of a delivery, and labels for tests, sandbox and redeliveries. */
export function marks({ state, test, sandbox, redelivery_of }: ListedDelivery, texts: WebhookTexts): Html {
  const { deliveries: words } = texts
  const more = [test && words.test, sandbox && words.sandbox, redelivery_of !== null && words.again]
  const labels = more.flatMap((word) => (word === false ? [] : [html` <span class="badge">${word}</span>`]))
  return html`<span><span class="badge ${state}">${texts.states[state][0]}</span>${labels}</span>`
}

/** The result of the last attempt, and in which phase it failed. */
export function outcome(
  {
    last_status,
    last_failure,
    last_failed_phase,
  }: Pick<ListedDelivery, 'last_status' | 'last_failure' | 'last_failed_phase'>,
  { failures, phases, delivery }: WebhookTexts,
): string {
  const status = last_status === null ? '' : delivery.status({ status: last_status })
  const failure = last_failure === null || last_failure === 'status' ? '' : failures[last_failure]
  const phase = last_failed_phase === null ? '' : phases[last_failed_phase]
  return [status, failure, phase].filter(Boolean).join(' · ') || '–'
}
