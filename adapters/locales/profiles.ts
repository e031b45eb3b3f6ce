import type { PageWord, Phrases, Profile } from '../../engine/index.ts'
import { languages, memberOf, type Texts, textsAt } from './catalogue.ts'
import { onFirstUse } from './format.ts'

/** The name of a language among the phrases of a profile, where webhooks call it otherwise. */
const phraseNames: Readonly<Record<string, string>> = { 'zh-Hans': 'chs', 'zh-Hant': 'cht', 'sr-Latn': 'sr' }

/** The name of a language among the phrases of a profile: that of webhooks. */
export function phraseName(language: string): string {
  return phraseNames[language] ?? language
}

/**
 * A profile whose phrases and words are in every language that has a file: its own, in English, are filled up from
 * there when they are first read.
 */
export function spokenProfile<P extends Profile>(profile: P): P {
  const phrases = onFirstUse(() => spokenIn(`phrase.${profile.name}`))
  const words = onFirstUse(() => spokenIn(`profile.${profile.name}`))
  const codes = Object.entries(profile.codes).map(([code, row]) => {
    const all = onFirstUse((): Phrases => ({ ...ownTexts(phrases(), [code], phraseName), ...row.phrases }))
    return [code, Object.defineProperty({ ...row }, 'phrases', { enumerable: true, get: all })]
  })
  const inGroup = ([group, texts]: readonly [string, Readonly<Record<string, PageWord>>]) => [
    group,
    Object.fromEntries(
      Object.entries(texts).map(([key, word]) => [
        key,
        typeof word === 'string' ? { ...ownTexts(words(), [group, key], (language) => language), en: word } : word,
      ]),
    ),
  ]
  const own = onFirstUse(() => profile.words && Object.fromEntries(Object.entries(profile.words).map(inGroup)))
  return Object.defineProperty({ ...profile, codes: Object.fromEntries(codes) }, 'words', {
    enumerable: true,
    get: own,
  })
}

type Spoken = readonly (readonly [language: string, texts: Texts])[]

/** The texts of an area in each language that has them. */
function spokenIn(area: string): Spoken {
  return languages.flatMap((language) => {
    const texts = textsAt(language, area)
    return texts === undefined ? [] : [[language, texts] as const]
  })
}

/** One text in each language. */
function ownTexts(all: Spoken, path: readonly string[], nameOf: (language: string) => string): Record<string, string> {
  const found = all.map(([language, texts]) => [nameOf(language), path.reduce(memberOf, texts as Texts | undefined)])
  return Object.fromEntries(found.filter(([, text]) => typeof text === 'string'))
}
