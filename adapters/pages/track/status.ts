import { html } from 'hono/html'
import { codeOf, isExperimental, type Profile } from '../../../engine/index.ts'
import { phraseName } from '../../locales/profiles.ts'
import { wordFor } from '../texts/index.ts'
import { trackTexts } from '../texts/track.ts'
import { type Html, titleOf } from '../words.ts'

/** What has happened, in a few words; an unregistered code that is not known is read as English words. */
export function statusText(code: string, profile: Profile, language: string): string {
  return phraseOf(code, profile, language) ?? englishText(code, profile)
}

/** The same as HTML, which names English words in a page of another language. */
export function statusHtml(code: string, profile: Profile, language: string): Html {
  const phrase = phraseOf(code, profile, language)
  return phrase === undefined
    ? html`<span lang="en">${englishText(code, profile)}</span>`
    : html`<span>${phrase}</span>`
}

function phraseOf(code: string, profile: Profile, language: string): string | undefined {
  if (isExperimental(code)) return wordFor(trackTexts(language).unregistered, code)
  const phrases: Readonly<Record<string, string>> = codeOf(profile, code)?.phrases ?? {}
  return phrases[phraseName(language)]
}

function englishText(code: string, profile: Profile): string {
  return phraseOf(code, profile, 'en') ?? titleOf(code)
}
