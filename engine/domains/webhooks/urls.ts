import { type UrlField, urlFields } from '../../kernel/channel.ts'
import { isQueue } from '../../kernel/endpoint.ts'
import type { Code } from '../../kernel/messages/index.ts'

/** The fields that hold URLs, in the order of document 3. */
export const urlFieldNames = Object.keys(urlFields) as readonly UrlField[]

/** The most URLs in one field. */
export const maxUrls = 5

/** The most characters of one URL. */
const maxUrlLength = 2048

/** The most characters of a field, including separators. */
export const maxFieldLength = maxUrls * (maxUrlLength + 10)

/**
 * The URLs and queues of a field. A comma only separates two URLs if the next one follows; commas in a query string belong to
 * it.
 */
export function splitUrls(text: string): readonly string[] {
  return text
    .split(/,(?=\s*(?:https?:\/\/|pull:))/i)
    .map(trimmed)
    .filter((url) => url !== '')
}

/** A URL without its query string, which may hold tokens. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** URLs as the text of a field. */
export function joinUrls(urls: readonly string[] = []): string {
  return urls.join(',')
}

/** The problem of a field's text, if any: too many URLs, a duplicate, or an invalid URL. */
export function fieldProblem(text: string): Code | undefined {
  const urls = splitUrls(text)
  if (urls.length > maxUrls) return 'webhook_urls_too_many'
  if (new Set(urls).size < urls.length) return 'not_unique'
  return urls.map(placeProblem).find((code) => code !== undefined)
}

/** The problem of a URL's text, if any. Whether it may be sent to is checked elsewhere. */
export function urlProblem(url: string): Code | undefined {
  const isPlain = url.length <= maxUrlLength && url.isWellFormed() && !/[\s\p{Cc}]/u.test(url)
  return isPlain && /^https?:\/\//i.test(url) && URL.canParse(url) ? undefined : 'not_a_url'
}

/** The problem of a URL's text, if it is no queue. */
export function placeProblem(text: string): Code | undefined {
  return isQueue(text) ? undefined : urlProblem(text)
}

/** Trims white space, and commas at the end. */
function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && /[\s,]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end).trimStart()
}

/** The distinct names in a comma-separated list. */
export function splitNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}
