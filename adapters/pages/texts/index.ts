import type { PageWord, Profile } from '../../../engine/index.ts'
import { directionOf, inEach } from '../../locales/catalogue.ts'
import { newsTexts } from './news.ts'
import { recipientTexts } from './recipient.ts'
import { siteTexts } from './site.ts'
import { trackTexts } from './track.ts'

/** The name of a site in every language. */
const brand = 'OTEP tracking'

/** The fixed texts of the pages for recipients in a language. */
export const pageTexts = inEach((lang) => {
  const fixed = { ...siteTexts(lang), ...trackTexts(lang), ...recipientTexts(lang), ...newsTexts(lang) }
  return { lang, dir: directionOf(lang), brand, ...fixed }
})

/** The fixed texts of the pages for recipients in one language. */
export type PageTexts = ReturnType<typeof pageTexts>

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

function ownWords(table: Readonly<Record<string, PageWord>>, language: string): Readonly<Record<string, string>> {
  const entries = Object.entries(table).map(([key, word]) => [key, wordIn(word, language)])
  return Object.fromEntries(entries)
}

function wordIn(word: PageWord, language: string): string {
  return typeof word === 'string' ? word : (word[language] ?? word.en)
}

/** The text for a name of an open list; undefined if the table has none. */
export function wordFor(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
