import { type PageLanguage, pageLanguages } from '../../../../engine/index.ts'
import { valueTexts } from '../../signed-in/value-texts.ts'
import { signedTextsIn } from '../../texts/signed-in.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type OwnTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

/** The fixed texts of the pages of orders alone, by language. */
export const ownTexts: Readonly<Record<PageLanguage, OwnTexts>> = {
  en,
  fr,
  de,
  es,
  'zh-Hans': hans,
  'zh-Hant': hant,
  ar,
}

function textsIn(lang: PageLanguage) {
  return { lang, ...valueTexts[lang], ...ownTexts[lang], number: signedTextsIn(lang).number }
}

/** The fixed texts of the pages of orders in one language, and which it is. */
export type OrderTexts = ReturnType<typeof textsIn>

/** The fixed texts of the pages of orders, by language. */
export const orderTexts = Object.fromEntries(pageLanguages.map((lang) => [lang, textsIn(lang)])) as Readonly<
  Record<PageLanguage, OrderTexts>
>
