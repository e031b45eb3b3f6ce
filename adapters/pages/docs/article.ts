import { posix } from 'node:path'
import { Marked, type RendererObject, type Tokens } from 'marked'
import { developerTexts } from '../texts/developers.ts'
import { addressOf, freeAnchor, plainOf } from './places.ts'
import type { Article, Shelf } from './shelf.ts'

/** A heading of an article, and its anchor. */
export interface Heading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

/** An article as HTML, and its headings below the title. */
export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** What the server answers elsewhere in place of a file of the documentation. */
const servedElsewhere: Readonly<Record<string, string>> = {
  'reference/openapi.txt': '/openapi.json',
  'reference/asyncapi-webhooks.txt': '/asyncapi-webhooks.json',
}

/** Writes an article as HTML. Links lead to other articles; those to files that are not installed become plain words. */
export function rendered(article: Article, shelf: Pick<Shelf, 'find' | 'has'>, markdown = article.markdown): Rendered {
  const headings: Heading[] = []
  const anchors = new Set<string>()
  const marked = new Marked({
    renderer: rendererOf(article, shelf, (depth, text) => {
      const anchor = freeAnchor(text, anchors)
      headings.push({ depth, text, anchor })
      return anchor
    }),
  })
  const html = marked.parse(markdown, { async: false })
  return { html, headings: headings.filter(({ depth }) => depth > 1) }
}

function rendererOf(
  article: Article,
  shelf: Pick<Shelf, 'find' | 'has'>,
  anchored: (depth: number, text: string) => string,
): RendererObject {
  return {
    heading({ tokens, depth, text }) {
      const anchor = anchored(depth, plainOf(text))
      const words = this.parser.parseInline(tokens)
      const link =
        depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="${developerTexts.docs.anchor}">#</a>`
      return `<h${depth} id="${anchor}">${words}${link}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      const target = targetOf(href, article, shelf)
      return target === undefined ? `<span class="source">${words}</span>` : `<a href="${escaped(target)}">${words}</a>`
    },
    image({ href, text }) {
      const target = targetOf(href, article, shelf)
      return target === undefined
        ? `<em>${escaped(text)}</em>`
        : `<img src="${escaped(target)}" alt="${escaped(text)}" loading="lazy">`
    },
    code: codeBlock,
    table(token) {
      const [head, ...rows] = [token.header, ...token.rows]
      const line = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
      const body = rows.map((row) => line(row, 'td')).join('\n')
      return `<div class="scroll" tabindex="0" role="group" aria-label="${developerTexts.docs.table}"><table>
<thead>${line(head ?? [], 'th')}</thead>
<tbody>${body}</tbody></table></div>\n`
    },
    html: ({ text }) => escaped(text),
  }
}

function codeBlock({ text, lang = '' }: Tokens.Code): string {
  const { copy, copied } = developerTexts.home
  const [language = ''] = lang.split(' ')
  const button = `<button type="button" class="copy" data-copied="${copied}" hidden>${copy}</button>`
  return `<div class="command"><pre><code data-language="${escaped(language)}">${escaped(text)}</code></pre>\n${button}</div>\n`
}

/** Where a link of an article leads on this server; undefined if what it names is not here. */
function targetOf(href: string, { file }: Article, shelf: Pick<Shelf, 'find' | 'has'>): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const named = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  const found = shelf.find(named)
  const place = found !== undefined ? addressOf(found) : shelf.has(named) ? `/docs/${named}` : undefined
  const target = servedElsewhere[named] ?? place
  return target === undefined || anchor === undefined ? target : `${target}#${anchor}`
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
}
