import { html } from 'hono/html'
import { withLanguage } from '../signed-in/area.ts'
import { signedFrame } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment } from '../words.ts'
import { type Ingest, ingestPart } from './ingest.ts'
import { needsPart, type OnTime, onTimePart, ordersPart, type Today } from './orders.ts'
import { type ServerSeen, serverPart } from './server.ts'
import { home, type TodaySetting } from './setting.ts'
import { type WebhookHealth, webhooksPart } from './webhooks.ts'

/** What the page shows; what is undefined, the account may not see. */
interface SeenToday {
  readonly today: Today
  readonly onTime: OnTime | undefined
  /** How many proposals wait. */
  readonly approvals: number | undefined
  readonly ingest: Ingest | undefined
  readonly webhooks: WebhookHealth | undefined
  readonly server: ServerSeen | undefined
}

/** The page of today. Its script loads it again every 30 seconds; without a script there is the link. */
export function todayPage(seen: SeenToday, visitor: Visitor, setting: TodaySetting): Html {
  const { today: texts, assets } = setting
  const { today, onTime, approvals, ingest, webhooks, server } = seen
  const zone = visitor.account.business.timeZone
  const content = html`<div data-live="30"><div class="head"><div><h1>${texts.title}</h1>
<p class="lead">${texts.asOf} ${moment(today.at)} <span class="label">${zone}</span></p></div><p><a href="${withLanguage(home, setting)}">${texts.refresh}</a></p></div>
<div class="sides"><div>${needsPart(today, approvals, setting)}${ordersPart(today, setting)}</div>
${onTime && onTimePart(onTime, texts)}</div>
${ingest && ingestPart(ingest, zone, texts)}
${webhooks && webhooksPart(webhooks, zone, setting)}
${server && serverPart(server, zone, texts)}</div>`
  return signedFrame({ title: texts.title, content, kind: 'list', visitor, scripts: [assets.log] }, setting)
}
