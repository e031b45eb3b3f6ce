import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../node/package-files.ts'

/** Texts by key, in groups and groups of groups. A list of texts is a group, too. */
export type Texts = string | { readonly [key: string]: Texts } | readonly Texts[]

const folder = packageFile('adapters/locales/')

/** THE LIST of languages, as BCP 47 tags: English, which is written beside what it names, and those of the files in this folder. */
export const languages: readonly string[] = [
  'en',
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort(),
]

/** What is made of a language, once for each. */
export function inEach<Made>(make: (language: string) => Made): (language: string) => Made {
  const made = new Map<string, Made>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

/** All texts of a language, from its file, which is read when it is first needed. */
const fileOf = inEach((language) => JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Texts)

/** Whether there are texts of an area, such as `page.track`, in a language. */
export function hasArea(language: string, area: string): boolean {
  return language === 'en' || textsAt(language, area) !== undefined
}

/** The languages with texts of an area, English first. */
export function languagesWith(area: string): readonly string[] {
  return languages.filter((language) => hasArea(language, area))
}

/** The texts of an area in a language; of all areas for `''`. Undefined if it has none. */
export function textsAt(language: string, area: string): Texts | undefined {
  if (language === 'en' || !languages.includes(language)) return undefined
  const keys = area.split('.').filter((key) => key !== '')
  return keys.reduce<Texts | undefined>(memberOf, fileOf(language))
}

/** A text or a group of a group; undefined where it has none. */
export function memberOf(texts: Texts | undefined, key: string): Texts | undefined {
  if (typeof texts !== 'object' || !Object.hasOwn(texts, key)) return undefined
  return (texts as { readonly [key: string]: Texts })[key]
}

/** The name of a language in itself, with a capital letter where it has them: `Deutsch`. */
export const nameOf = inEach((language) => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
})

/** Scripts that are written from right to left. */
const fromTheRight = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']

/** The direction in which a language is written, as the attribute `dir` of HTML says it. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return fromTheRight.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
