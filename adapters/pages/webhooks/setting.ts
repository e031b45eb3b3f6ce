import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import { en as signed } from '../signed-in/texts.ts'
import type { Visit } from '../signed-in/visit.ts'
import { en, type WebhookTexts } from './texts.ts'

/** Where these pages are. */
export const home = '/webhooks'

/** Where the log of what was sent is. */
export const log = `${home}/deliveries`

/** Where the endpoints of providers are. */
export const providersHome = `${home}/providers`

/** Where the customers are, each with the page of its own webhooks below. */
export const customersHome = `${home}/customers`

/** What the pages of webhooks are made with. */
export interface WebhookSetting extends SignedSetting {
  readonly webhooks: WebhookTexts
}

/** One request to these pages. */
export type Visited = Visit<WebhookSetting>

/** What the pages of webhooks are made with, in English. */
export function webhookSetting(setting: Setting): WebhookSetting {
  const { signIn: lead, back, arriving } = en
  const style = setting.assets.webhooks
  const places =
    /^(?:deliveries(?:\/(?!replay(?:\/|$))[A-Za-z0-9_-]{1,64})?|customers(?:\/[1-9]\d{0,14})?|providers)(?=\/|$)/
  const area = { home, name: 'webhooks', style, lead, back, arriving, places, formLimit: 256 * 1024 }
  return { ...setting, webhooks: en, signed, area }
}
