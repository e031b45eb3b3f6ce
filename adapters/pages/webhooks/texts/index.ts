import { inEach } from '../../../locales/catalogue.ts'
import { catalogueTexts } from '../../texts/catalogue.ts'
import { logTexts } from './log.ts'
import { settingsTexts } from './settings.ts'
import { urlTexts } from './urls.ts'

/** The fixed texts of the pages of webhooks in a language, and which it is. Channels and formats have the names of the catalogue of events. */
export const webhookTexts = inEach((lang) => {
  const { channels, forms: formats } = catalogueTexts(lang)
  return { lang, ...settingsTexts(lang), ...logTexts(lang), urls: urlTexts(lang), channels, formats }
})

/** The fixed texts of the pages of webhooks in one language. */
export type WebhookTexts = ReturnType<typeof webhookTexts>
