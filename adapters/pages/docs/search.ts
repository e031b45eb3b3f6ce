import { addressOf, freeAnchor, plainOf } from './places.ts'
import type { Article, Shelf } from './shelf.ts'

/** A part of an article that a search has found. */
interface Hit {
  readonly title: string
  /** The heading of the part; missing for what comes before the first one. */
  readonly heading: string | undefined
  readonly address: string
  /** Some words around the first word that was searched for. */
  readonly excerpt: string
}

/** Searches the documentation: the best hits, and how many parts contain all words. */
export type Search = (query: string) => { readonly count: number; readonly hits: readonly Hit[] }

/** Hits of a search at most. */
const mostHits = 40

/** Words of a query that count. */
const mostWords = 8

interface Part {
  readonly title: string
  readonly heading: string | undefined
  readonly address: string
  readonly text: string
  readonly lower: string
  readonly name: string
}

/** Prepares the search: each article in parts, one for each heading. */
export function createSearch({ sections }: Pick<Shelf, 'sections'>): Search {
  const parts = sections.flatMap(({ articles }) => articles.flatMap(partsOf))
  return (query) => {
    const words = wordsOf(query)
    if (words.length === 0) return { count: 0, hits: [] }
    const scored = parts.flatMap((part) => {
      const score = scoreOf(part, words)
      return score === 0 ? [] : [{ part, score }]
    })
    const best = scored.sort((one, two) => two.score - one.score).slice(0, mostHits)
    const hits = best.map(({ part: { title, heading, address, text, lower } }) => {
      return { title, heading, address, excerpt: excerptOf(text, lower, words) }
    })
    return { count: scored.length, hits }
  }
}

/** The words of a query in lower case; `_`, `-`, `.` and `/` are parts of words, because names have them. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*/gu) ?? [])].slice(0, mostWords)
}

/**
 * 0 if a word is missing. The words as they were entered count most, then all of them in a heading; what explains counts more
 * than what lists.
 */
function scoreOf({ name, lower, address }: Part, words: readonly string[]): number {
  const inName = words.filter((word) => name.includes(word)).length
  if (!words.every((word) => name.includes(word) || lower.includes(word))) return 0
  const phrase = words.join(' ')
  const together = name.includes(phrase) ? 40 : lower.includes(phrase) ? 15 : 0
  const kind = /^\/docs\/(how-to|tutorial)/.test(address) ? 6 : address.includes('/decisions/') ? -4 : 0
  return Math.max(1, 10 + together + (inName === words.length ? 20 : 3 * inName) + kind)
}

function partsOf(article: Article): readonly Part[] {
  const anchors = new Set<string>()
  const pieces = article.markdown.split(/^(?=#{1,4} )(?![^\n]*\n```)/m)
  return pieces.flatMap((piece) => {
    const [, marks = '', words = ''] = /^(#{1,4}) (.+)$/m.exec(piece.split('\n', 1)[0] ?? '') ?? []
    const heading = plainOf(words)
    const anchor = words === '' ? '' : freeAnchor(heading, anchors)
    const text = textOf(piece.slice(piece.indexOf('\n') + 1))
    const isFirst = marks.length < 2
    if (isFirst && text === '') return []
    const place = isFirst ? addressOf(article) : `${addressOf(article)}#${anchor}`
    const part = { title: article.title, heading: isFirst ? undefined : heading, address: place }
    return [{ ...part, text, lower: text.toLowerCase(), name: `${article.title} ${heading}`.toLowerCase() }]
  })
}

/** Markdown without its marks. */
function textOf(markdown: string): string {
  return markdown
    .replace(/^>.*$/gm, '')
    .replace(/^```.*$/gm, '')
    .replace(/^\|[ |:-]+\|$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function excerptOf(text: string, lower: string, words: readonly string[]): string {
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = first < 80 ? 0 : text.indexOf(' ', first - 80) + 1
  const part = text.slice(from, from + 240)
  return `${from > 0 ? '… ' : ''}${part}${from + 240 < text.length ? ' …' : ''}`
}
