import type { PageLanguage } from '../../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type SettingsTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

/** The texts of the pages of settings, and those that all pages of webhooks share, by language. */
export const settingsTexts: Readonly<Record<PageLanguage, SettingsTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
