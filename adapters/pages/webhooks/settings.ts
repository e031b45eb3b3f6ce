import { html } from 'hono/html'
import {
  listAccounts,
  listParkedWebhookEvents,
  listPartnerSubscriptions,
  listWebhookEndpoints,
  maxUrls,
  type UrlField,
} from '../../../engine/index.ts'
import { catalogueHome } from '../../node/webhook-catalogue.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { tick } from '../signed-in/parts.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { besides, type Entered } from './entered.ts'
import { type FieldPart, fieldRow, testForms } from './field.ts'
import { type SecretPart, secretPart } from './secret.ts'
import {
  customersHome,
  home,
  parkedHome,
  partnersHome,
  providersHome,
  urlsHome,
  type WebhookSetting,
} from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** The data of a settings page. */
export interface ShownSettings extends FieldPart {
  /** The path of the page. */
  readonly path: string
  /** The name of the customer that the settings belong to. */
  readonly customer: string | undefined
  readonly secret: Omit<SecretPart, 'action' | 'id' | 'isOpen'>
  readonly result: Result | undefined
}

/** The page of the webhooks of a business or of a customer. */
export function settingsPage(shown: ShownSettings, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts, assets } = setting
  const { path, customer, result, isOpen } = shown
  const title = customer === undefined ? texts.title : texts.titleOf({ customer })
  const secret = { ...shown.secret, action: `${path}/secret`, id: 'settings', isOpen }
  const content = html`<div class="head"><div><h1>${title}</h1>
<p class="lead">${customer === undefined ? texts.lead : texts.leadOf}</p></div>${tabs(path, visitor, setting)}</div>
${resultBox(result)}${problems(shown, texts)}
<section class="card secret" aria-labelledby="secret"><h2 id="secret">${texts.secret.title}</h2>
<p class="hint">${texts.secret.lead}</p>${secretPart(secret, visitor, setting)}</section>
${isOpen ? openForm(shown, visitor, setting) : fields(shown, setting)}
${isOpen && testForms(path, shown, visitor, setting)}`
  const scripts = shown.secret.revealed === undefined ? [] : [assets.copy]
  return signedFrame({ title, content, kind: 'settings', visitor, scripts }, setting)
}

function openForm(shown: ShownSettings, { formToken }: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  return html`<form class="hooks" method="post" action="${withLanguage(`${shown.path}/settings`, setting)}">${formField(formToken)}
<p class="hint">${texts.saveHint({ most: maxUrls })}</p>
${fields(shown, setting)}
${copyPart(shown.entered, texts)}
<div class="saving"><button type="submit">${texts.save}</button></div>
</form>`
}

function fields(shown: ShownSettings, setting: WebhookSetting): Html {
  const rows = [...shown.entered.rows.keys()].map((field: UrlField) => fieldRow(field, shown, setting))
  return html`<div class="card fields">${rows}</div>`
}

function copyPart({ copy }: Entered, texts: WebhookTexts): Html | undefined {
  if (copy === undefined) return undefined
  return html`<section class="card hook" aria-labelledby="copy"><h2 id="copy">${texts.copyTitle}</h2>
${tick('business_copy', '1', texts.copy, copy)}</section>`
}

/** Links to the errors. */
function problems({ wrong, entered }: ShownSettings, texts: WebhookTexts): Html | undefined {
  const found = [...entered.rows.keys()].filter((field) => besides(field).some((member) => wrong.has(member)))
  if (found.length === 0) return undefined
  const links = found.map((field) => html`<li><a href="#${field}">${texts.fields[field].title}</a></li>`)
  return html`<nav class="problems" aria-label="${texts.problems}"><ul role="list">${links}</ul></nav>`
}

/** The settings pages that an account may see; undefined if there is only one. */
export function tabs(path: string, visitor: Visitor, setting: WebhookSetting): Html | undefined {
  const { tabs: words } = setting.webhooks
  const isStaff = visitor.account.role !== 'customer'
  const all = [
    [home, words.settings, true],
    [urlsHome, words.urls, true],
    [customersHome, words.customers, isStaff && may(visitor, listAccounts)],
    [providersHome, words.providers, may(visitor, listWebhookEndpoints)],
    [partnersHome, words.partners, may(visitor, listPartnerSubscriptions)],
    [parkedHome, words.parked, may(visitor, listParkedWebhookEvents)],
    [catalogueHome, words.events, true],
  ] as const
  const open = all.filter(([, , isOpen]) => isOpen)
  if (open.length === 1) return undefined
  const here = path.startsWith(customersHome) ? customersHome : path
  const links = open.map(
    ([to, text]) =>
      html`<a href="${withLanguage(to, setting)}"${to === here && html` aria-current="${to === path ? 'page' : 'true'}"`}>${text}</a>`,
  )
  return html`<nav class="switch" aria-label="${words.label}">${links}</nav>`
}
