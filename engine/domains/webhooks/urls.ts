import { type UrlField, urlFields } from '../../kernel/channel.ts'
import type { Code } from '../../kernel/messages/index.ts'

/** The fields that hold URLs, in order of document 3. */
export const urlFieldNames = Object.keys(urlFields) as readonly UrlField[]

/** So many URLs may stand in one field. */
const maxUrls = 5

/** Characters of one URL, and of all of a field with what stands between them. */
const maxUrlLength = 2048

/** Characters of a field. */
export const maxFieldLength = maxUrls * (maxUrlLength + 10)

/** The URLs of a field. A comma ends one only where the next begins: those within a query are part of it. */
export function splitUrls(text: string): readonly string[] {
  return text
    .split(/,(?=\s*https?:\/\/)/i)
    .map(trimmed)
    .filter((url) => url !== '')
}

/** URLs as the text of a field. */
export function joinUrls(urls: readonly string[] = []): string {
  return urls.join(',')
}

/** What is wrong with the text of a field, or nothing: more than five URLs, one that stands twice, one that is none. */
export function fieldProblem(text: string): Code | undefined {
  const urls = splitUrls(text)
  if (urls.length > maxUrls) return 'webhook_urls_too_many'
  if (new Set(urls).size < urls.length) return 'not_unique'
  return urls.map(urlProblem).find((code) => code !== undefined)
}

/** What is wrong with one URL as a text, or nothing; whether it may be sent to is another question. */
export function urlProblem(url: string): Code | undefined {
  const isPlain = url.length <= maxUrlLength && url.isWellFormed() && !/[\s\p{Cc}]/u.test(url)
  return isPlain && /^https?:\/\//i.test(url) && URL.canParse(url) ? undefined : 'not_a_url'
}

/** Without white space around it, nor commas after which nothing came. */
function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && /[\s,]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end).trimStart()
}

/** The names in a list with commas, each once. */
export function splitNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}
