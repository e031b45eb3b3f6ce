import type { PageLanguage } from '../../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type UrlTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

/** The texts of the pages about how well URLs receive, by language. */
export const urlTexts: Readonly<Record<PageLanguage, UrlTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
