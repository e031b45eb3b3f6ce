import type { PageLanguage } from '../../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type LogTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

/** The texts of the log of deliveries and of parked events, by language. */
export const logTexts: Readonly<Record<PageLanguage, LogTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
