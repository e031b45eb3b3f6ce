import * as v from 'valibot'
import { codeAmong, type PhraseLanguage, type Profile, phraseLanguages } from '../../../kernel/profile.ts'
import { maxCharacters } from '../../../kernel/schemas.ts'

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

/** What has happened, in each language: the phrase of the code, followed by the name of the place if it is known. */
export function descriptionOf(
  profiles: readonly Profile[],
  statusCode: string,
  place: string,
): Readonly<Record<PhraseLanguage, string>> {
  const phrases = codeAmong(profiles, statusCode)?.phrases
  const whole = (language: PhraseLanguage) => {
    const text = phrases?.[language] ?? phrases?.en ?? labelOf(statusCode)
    return place === '' ? text : `${text} (${place})`
  }
  return Object.fromEntries(phraseLanguages.map((language) => [language, whole(language)])) as Record<
    PhraseLanguage,
    string
  >
}

/** A readable form of a code without phrases. */
function labelOf(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
