import * as v from 'valibot'
import { maxCharacters } from '../../../kernel/schemas.ts'
import { isTimelineCode } from '../../../kernel/tracked-codes.ts'
import { phrases } from './codes.ts'

/** A language of webhooks; chs and cht are simplified and traditional Chinese. */
export type Language = keyof typeof phrases

/** The languages of webhooks. */
export const languages = Object.keys(phrases) as readonly Language[]

const phrase = v.pipe(v.string(), maxCharacters(500))

/** What has happened, in each language. */
export const descriptionRecord = v.strictObject({
  en: phrase,
  fr: phrase,
  chs: phrase,
  cht: phrase,
  es: phrase,
  de: phrase,
  nl: phrase,
  pt: phrase,
  it: phrase,
  sr: phrase,
  hu: phrase,
  pl: phrase,
  sk: phrase,
  cs: phrase,
})

/** What has happened, in each language: by its code, and where it is known with the name of the place behind it. */
export function descriptionOf(statusCode: string, place: string): Readonly<Record<Language, string>> {
  const whole = (language: Language) => {
    const said = isTimelineCode(statusCode) ? phrases[language][statusCode] : labelOf(statusCode)
    return place === '' ? said : `${said} (${place})`
  }
  return Object.fromEntries(languages.map((language) => [language, whole(language)])) as Record<Language, string>
}

/** A code that nobody has put into words, as words. */
function labelOf(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
