import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  domains,
  type getWebhookDelivery,
  type UrlField,
  urlFields,
  type WebhookEventType,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField } from '../signed-in/layout.ts'
import { tick } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { breakable, type Html, visible } from '../words.ts'
import { outcome } from './log-table.ts'
import { log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** A delivery with all its details, as the operation returns it. */
export type Delivery = InferOutput<typeof getWebhookDelivery.output>['delivery']

/** All webhook events. */
export const webhookEventTypes: readonly WebhookEventType[] = domains.flatMap(
  (domain) => domain.webhookEventTypes ?? [],
)

/** Checkboxes for the events to be sent. */
export function eventChoice(
  name: string,
  known: readonly WebhookEventType[],
  chosen: readonly string[],
  texts: WebhookTexts,
): Html {
  const ticks = known.map((eventType) =>
    tick(name, eventType.name, html`<code>${breakable(eventType.name)}</code>`, chosen.includes(eventType.name)),
  )
  return html`<fieldset class="choice"><legend>${texts.only}</legend>
<p class="hint">${texts.all}</p><div class="ticks">${ticks}</div></fieldset>`
}

/** A form with one button and hidden fields; it keeps the language. */
export function buttonForm(
  action: string,
  { words, label, kind }: { readonly words: string; readonly label?: string | undefined; readonly kind?: string },
  { formToken }: Visitor,
  setting: WebhookSetting,
  more: unknown = '',
): Html {
  const named = label !== undefined && html` aria-label="${label}"`
  return html`<form method="post" action="${withLanguage(action, setting)}">${formField(formToken)}${more}<button type="submit" class="${kind ?? 'plain'}"${named}>${words}</button></form>`
}

/** The result of a test, with the response body escaped. */
export function testOutcome(delivery: Delivery, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { delivery_id, history, last_failure } = delivery
  const attempt = history.at(-1)
  const { status = null, duration_ms = 0, response_body = '' } = attempt ?? {}
  const isGood = last_failure === null && status !== null
  const reason = [outcome(delivery, texts), isRedirect(status) && texts.delivery.redirect].filter(Boolean).join(' · ')
  const words = isGood ? texts.test.good({ status, ms: duration_ms }) : texts.test.bad({ reason, ms: duration_ms })
  return html`<div class="outcome">
<p class="result ${isGood ? 'good' : 'bad'}" role="${isGood ? 'status' : 'alert'}" tabindex="-1" autofocus>${words}</p>
${status !== null && (response_body === '' ? html`<p class="hint">${texts.test.empty}</p>` : html`<h3>${texts.test.answer}</h3>${plain(response_body)}`)}
<p><a href="${withLanguage(`${log}/${delivery_id}`, setting)}">${texts.test.log}</a></p>
</div>`
}

/** Whether a response is a redirect; redirects are not followed. */
export function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400
}

/** A foreign text with its line breaks, escaped, and with invisible characters marked. */
export function plain(text: string): Html {
  return html`<pre class="verbatim" dir="ltr"><bdi>${visible(text)}</bdi></pre>`
}

/** Whether a field is one of the settings. */
export function isUrlField(field: string): field is UrlField {
  return Object.hasOwn(urlFields, field)
}
