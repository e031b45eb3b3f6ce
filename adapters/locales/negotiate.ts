import { hasArea, languages } from './catalogue.ts'

/** The script that a region implies, for Chinese tags without a script. */
const scripts: Readonly<Record<string, string>> = { tw: 'zh-Hant', hk: 'zh-Hant', mo: 'zh-Hant', hant: 'zh-Hant' }

/** The best language of messages for an `Accept-Language` header (RFC 9110, section 12.5.4); English by default. */
export function languageOf(header: string | null | undefined): string {
  return languageNamed(header, 'code') ?? 'en'
}

/**
 * The best language with texts of an area, such as `page.track`, for an `Accept-Language` header or a tag such as `de-AT`;
 * undefined if there is none.
 */
export function languageNamed(header: string | null | undefined, area: string): string | undefined {
  if (!header) return undefined
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map(rangeOf)
    .filter(({ quality }) => quality > 0)
  wanted.sort((a, b) => b.quality - a.quality)
  const found = wanted.map(({ tag }) => languageFor(tag))
  return found.find((language) => language !== undefined && hasArea(language, area))
}

function rangeOf(part: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
  const quality = parameters
    .map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
}

/** The language of the server for a tag in lower case, by its script or its primary language. */
function languageFor(tag: string): string | undefined {
  if (tag === '*') return 'en'
  const [primary = '', ...subtags] = tag.split('-')
  if (primary === 'zh')
    return subtags.map((subtag) => scripts[subtag]).find((script) => script !== undefined) ?? 'zh-Hans'
  return languages.find((language) => language === primary || language.startsWith(`${primary}-`))
}
