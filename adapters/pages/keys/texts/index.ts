import type { PageLanguage } from '../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type KeyTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

export type { KeyTexts } from './en.ts'

/** The fixed texts of the pages of keys and roles, by language. */
export const keyTexts: Readonly<Record<PageLanguage, KeyTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
