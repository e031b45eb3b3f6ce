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

const read = new Map<string, Texts>()

/** Whether there are texts of an area, such as `page.track`, in a language. */
export function hasArea(language: string, area: string): boolean {
  return language === 'en' || textsAt(language, area) !== undefined
}

/** The languages with texts of an area, English first. */
export function languagesWith(area: string): readonly string[] {
  return languages.filter((language) => hasArea(language, area))
}

/** The texts of an area in a language, from its file, which is read when it is first needed; of all areas for `''`. Undefined if it has none. */
export function textsAt(language: string, area: string): Texts | undefined {
  if (language === 'en' || !languages.includes(language)) return undefined
  let found: Texts | undefined = read.get(language)
  if (found === undefined) {
    found = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Texts
    read.set(language, found)
  }
  for (const key of area.split('.').filter((key) => key !== '')) found = memberOf(found, key)
  return found
}

/** A text or a group of a group; undefined where it has none. */
export function memberOf(texts: Texts | undefined, key: string): Texts | undefined {
  if (typeof texts !== 'object' || !Object.hasOwn(texts, key)) return undefined
  return (texts as { readonly [key: string]: Texts })[key]
}

const names = new Map<string, string>()

/** The name of a language in itself, with a capital letter where it has them: `Deutsch`. */
export function nameOf(language: string): string {
  const name = names.get(language) ?? new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  const written = name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  names.set(language, written)
  return written
}

/** Scripts that are written from right to left. */
const fromTheRight = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']

/** The direction in which a language is written, as the attribute `dir` of HTML says it. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return fromTheRight.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
