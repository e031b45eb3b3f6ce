import { type PageLanguage, pageLanguages } from '../../../../engine/index.ts'
import { catalogueTexts } from '../../texts/catalogue.ts'
import { logTexts } from './log/index.ts'
import { settingsTexts } from './settings/index.ts'
import { urlTexts } from './urls/index.ts'

/** Channels and formats have the names that they have in the catalogue of events. */
function textsIn(lang: PageLanguage) {
  const { channels, forms: formats } = catalogueTexts[lang]
  return { lang, ...settingsTexts[lang], ...logTexts[lang], urls: urlTexts[lang], channels, formats }
}

/** The fixed texts of the pages of webhooks in one language, and which it is. */
export type WebhookTexts = ReturnType<typeof textsIn>

/** The fixed texts of the pages of webhooks, by language. */
export const webhookTexts = Object.fromEntries(pageLanguages.map((lang) => [lang, textsIn(lang)])) as Readonly<
  Record<PageLanguage, WebhookTexts>
>
