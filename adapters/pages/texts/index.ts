import { type PageLanguage, type PageWord, type Profile, pageLanguages } from '../../../engine/index.ts'
import { inLanguage } from './language.ts'
import { newsTexts } from './news.ts'
import { recipientTexts } from './recipient.ts'
import { siteTexts } from './site.ts'
import { trackTexts } from './track.ts'

/** The name of a site in every language. */
const brand = 'OTEP tracking'

/** The names of the languages, each in itself. */
export const languageNames: Readonly<Record<PageLanguage, string>> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
  ar: 'العربية',
}

function textsIn(lang: PageLanguage) {
  const dir = lang === 'ar' ? 'rtl' : 'ltr'
  const fixed = {
    ...inLanguage(siteTexts, lang),
    ...inLanguage(trackTexts, lang),
    ...inLanguage(recipientTexts, lang),
    ...inLanguage(newsTexts, lang),
  }
  return { lang, dir, brand, ...fixed } as const
}

/** The fixed texts of the pages for recipients in one language. */
export type PageTexts = ReturnType<typeof textsIn>

/** The fixed texts of the pages for recipients, by language. */
export const pageTexts = Object.fromEntries(pageLanguages.map((language) => [language, textsIn(language)])) as Readonly<
  Record<PageLanguage, PageTexts>
>

/** The texts of a page about a timeline of this profile: those of the profile take precedence. */
export function textsFor(texts: PageTexts, { words = {} }: Profile) {
  const own = (table: Readonly<Record<string, PageWord>> = {}) => ownWords(table, texts.lang)
  return {
    ...texts,
    phases: { ...texts.phases, ...own(words.phases) },
    advice: { ...texts.advice, ...own(words.notices) },
    codes: own(words.advice),
    proof: { ...texts.proof, ...own(words.proof) },
  }
}

/** The texts of a page about a timeline of one profile. */
export type TrackTexts = ReturnType<typeof textsFor>

function ownWords(table: Readonly<Record<string, PageWord>>, language: PageLanguage): Readonly<Record<string, string>> {
  const entries = Object.entries(table).map(([key, word]) => [key, wordIn(word, language)])
  return Object.fromEntries(entries)
}

function wordIn(word: PageWord, language: PageLanguage): string {
  return typeof word === 'string' ? word : (word[language] ?? word.en)
}

/** The text for a name of an open list; undefined if the table has none. */
export function wordFor(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
