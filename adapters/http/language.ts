import { type Language, languages, type PageLanguage } from '../../engine/index.ts'

/** The script that a region implies, for Chinese tags without a script. */
const scripts: Readonly<Record<string, Language>> = { tw: 'zh-Hant', hk: 'zh-Hant', mo: 'zh-Hant', hant: 'zh-Hant' }

/** The best language for an `Accept-Language` header (RFC 9110, section 12.5.4); English by default. */
export function languageOf(header: string | null | undefined): Language {
  return bestOf(header, messageLanguage) ?? 'en'
}

/** The best language of a page for recipients for an `Accept-Language` header; English by default. */
export function pageLanguageOf(header: string | null | undefined): PageLanguage {
  return pageLanguageNamed(header) ?? 'en'
}

/** The language of a page for recipients that a tag such as `de-AT` names; undefined if there is none. */
export function pageLanguageNamed(tag: string | null | undefined): PageLanguage | undefined {
  return bestOf(tag, (one) => (/^ar(-|$)/.test(one) ? 'ar' : messageLanguage(one)))
}

function bestOf<L>(header: string | null | undefined, match: (tag: string) => L | undefined): L | undefined {
  if (!header) return undefined
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map(rangeOf)
    .filter(({ quality }) => quality > 0)
  wanted.sort((a, b) => b.quality - a.quality)
  return wanted.map(({ tag }) => match(tag)).find((language) => language !== undefined)
}

function rangeOf(part: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
  const quality = parameters
    .map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
}

function messageLanguage(tag: string): Language | undefined {
  if (tag === '*') return 'en'
  const [primary = '', ...subtags] = tag.split('-')
  if (primary === 'zh')
    return subtags.map((subtag) => scripts[subtag]).find((script) => script !== undefined) ?? 'zh-Hans'
  return Object.hasOwn(languages, primary) ? (primary as Language) : undefined
}

/** Adds to the headers of a response that it may hold messages, and in which language (RFC 9110, sections 8.5 and 12.5.5). */
export function translated(
  headers: Readonly<Record<string, string>>,
  language: PageLanguage,
): Readonly<Record<string, string>> {
  const { Vary: vary } = headers
  const names = vary === undefined ? 'Accept-Language' : `${vary}, Accept-Language`
  return { ...headers, 'Content-Language': language, Vary: names }
}

/** `translated` of headers that many responses have, made once for each language. */
export function translatedOnce(
  headers: Readonly<Record<string, string>>,
): (language: PageLanguage) => Readonly<Record<string, string>> {
  const made = new Map<PageLanguage, Readonly<Record<string, string>>>()
  return (language) => {
    const known = made.get(language) ?? translated(headers, language)
    made.set(language, known)
    return known
  }
}
