import type { PageLanguage } from '../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type TodayTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

export type { TodayTexts } from './en.ts'

/** The fixed texts of the page of today, by language. */
export const todayTexts: Readonly<Record<PageLanguage, TodayTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
