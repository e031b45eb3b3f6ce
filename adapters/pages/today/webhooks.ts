import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { getWebhookHealth } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import type { Html } from '../words.ts'
import type { TodaySetting } from './setting.ts'
import { figures, localMoment } from './table.ts'
import type { TodayTexts } from './texts.ts'

/** The health of webhooks, as the operation returns it. */
export type WebhookHealth = InferOutput<typeof getWebhookHealth.output>

const urlsHome = '/webhooks/urls'

const log = '/webhooks/deliveries'

/** How webhooks are received, and the URLs that need somebody. */
export function webhooksPart(seen: WebhookHealth, zone: string, setting: TodaySetting): Html {
  const { today: texts } = setting
  const { webhooks: words, number, percent, comma } = texts
  const link = (path: string, name: string) => html`<a href="${withLanguage(path, setting)}">${name}</a>`
  const { urls, failing, disabled, off, waiting, waiting_since, given_up, attempts, success_rate: rate } = seen
  const states = (
    [
      ['failing', failing],
      ['disabled', disabled],
      ['off', off],
    ] as const
  ).filter(([, count]) => count > 0)
  const how = states.length === 0 ? words.well : states.map(([name, count]) => words[name]({ urls: count })).join(comma)
  const oldest =
    waiting_since !== null && html` <span class="label">${words.oldest} ${localMoment(waiting_since, zone)}</span>`
  const facts = [
    [link(urlsHome, words.urls({ urls })), how],
    [link(`${log}?state=waiting`, words.waiting), html`${waitingWords(seen, texts)}${oldest}`],
    [
      words.rate,
      rate === null
        ? words.noAttempts
        : html`${percent(rate)} <span class="label">${words.attempts({ attempts: number(attempts) })}</span>`,
    ],
    [link(`${log}?state=dead`, words.givenUp), number(given_up)],
  ]
  const about = html`<dl class="meta">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${seen.troubled.length > 0 && troubledTable(seen.troubled, zone, setting)}`
  const isEmpty = urls === 0 && waiting === 0
  return html`<section aria-labelledby="webhooks"><h2 id="webhooks">${words.title}</h2>
${isEmpty ? html`<p class="hint">${words.none}</p>` : about}</section>`
}

function troubledTable(troubled: WebhookHealth['troubled'], zone: string, setting: TodaySetting): Html {
  const { today: texts } = setting
  const { webhooks: words } = texts
  const rows = troubled.map(({ endpoint_id, url, trouble, failing_since, ...waiting }) => [
    html`<a href="${withLanguage(`${urlsHome}/${endpoint_id}`, setting)}"><bdi>${url}</bdi></a>`,
    words.troubles[trouble],
    localMoment(failing_since, zone),
    waitingWords(waiting, texts),
  ])
  return figures(words.trouble, [[words.url], [words.trouble], [words.since], [words.waiting, 'number']], rows)
}

function waitingWords(
  { waiting, waiting_is_more: isMore }: Pick<WebhookHealth, 'waiting' | 'waiting_is_more'>,
  { webhooks: words, number }: TodayTexts,
): string {
  return isMore ? `${words.more} ${number(waiting)}` : number(waiting)
}
