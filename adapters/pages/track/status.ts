import { html } from 'hono/html'
import { codeOf, isExperimental, type PageLanguage, type Profile } from '../../../engine/index.ts'
import { type Html, titleOf } from '../words.ts'

/** The name of a language among the phrases of a profile. */
const phraseNames = {
  en: 'en',
  fr: 'fr',
  de: 'de',
  es: 'es',
  'zh-Hans': 'chs',
  'zh-Hant': 'cht',
  ar: 'ar',
} as const satisfies Readonly<Record<PageLanguage, string>>

/** What has happened, in a few words; an unregistered code is read as English words. */
export function statusText(code: string, profile: Profile, language: PageLanguage): string {
  return phraseOf(code, profile, language) ?? englishText(code, profile)
}

/** The same as HTML, which names English words in a page of another language. */
export function statusHtml(code: string, profile: Profile, language: PageLanguage): Html {
  const phrase = phraseOf(code, profile, language)
  return phrase === undefined
    ? html`<span lang="en">${englishText(code, profile)}</span>`
    : html`<span>${phrase}</span>`
}

function phraseOf(code: string, profile: Profile, language: PageLanguage): string | undefined {
  return isExperimental(code) ? undefined : codeOf(profile, code)?.phrases[phraseNames[language]]
}

function englishText(code: string, profile: Profile): string {
  return phraseOf(code, profile, 'en') ?? titleOf(code)
}
