import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type WebhookTexts, webhookTexts } from './texts/index.ts'

/** The path of these pages. */
export const home = '/webhooks'

/** The path of the delivery log. */
export const log = `${home}/deliveries`

/** The path of the URLs and their health. */
export const urlsHome = `${home}/urls`

/** The path of the endpoints of providers. */
export const providersHome = `${home}/providers`

/** The path of the subscriptions of partners to events of handoffs. */
export const partnersHome = `${home}/partners`

/** The path of the recorded events of which no webhook events could be made. */
export const parkedHome = `${home}/parked`

/** The path of the customers; below it is a page of webhooks for each. */
export const customersHome = `${home}/customers`

/** Texts, assets and area of the pages of webhooks. */
export interface WebhookSetting extends SignedSetting {
  readonly webhooks: WebhookTexts
}

/** One request to these pages. */
export type Visited = Visit<WebhookSetting>

/** Texts, assets and area of the pages of webhooks, in the language of a setting. */
export function webhookSetting(setting: Setting): WebhookSetting {
  const { lang } = setting.texts
  const webhooks = webhookTexts(lang)
  const { signIn: lead, back, arriving } = webhooks
  const style = setting.assets.webhooks
  const places =
    /^(?:deliveries(?:\/(?!(?:replay|redeliver|export)(?:\/|$))[A-Za-z0-9_-]{1,64})?|urls(?:\/[A-Za-z0-9_-]{1,64})?|customers(?:\/[1-9]\d{0,14})?|providers|partners|parked)(?=\/|$)/
  const area = { home, name: 'webhooks', style, lead, back, arriving, places, formLimit: 256 * 1024 }
  return { ...setting, webhooks, signed: signedTexts(lang), area }
}
