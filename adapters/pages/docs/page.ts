import { html, raw } from 'hono/html'
import { frame, type Setting } from '../frame.ts'
import { developerTexts } from '../texts/developers.ts'
import type { Html } from '../words.ts'
import type { Heading, Rendered } from './article.ts'
import { addressOf } from './places.ts'
import { type Search, wordsOf } from './search.ts'
import type { Article, Section } from './shelf.ts'

const { docs } = developerTexts

/** What all pages of the documentation have around their content. */
interface Around {
  readonly sections: readonly Section[]
  readonly setting: Setting
}

/** The page of an article. */
export function articlePage(article: Article, { html: content, headings }: Rendered, around: Around): Html {
  const own = headings.filter(({ depth }) => depth === 2)
  const main = html`<article>${raw(content)}</article>${own.length > 2 && contents(own)}`
  return framed(article.title, main, around, article)
}

/** The page of what a search has found. */
export function foundPage(query: string, { count, hits }: ReturnType<Search>, around: Around): Html {
  const words = wordsOf(query)
  const items = hits.map(
    ({ title, heading, address, excerpt }) => html`<li><a href="${address}">${marked(heading ?? title, words)}</a>
${heading !== undefined && html`<span class="of">${title}</span>`}
<p>${marked(excerpt, words)}</p></li>`,
  )
  const shown = hits.length
  const lead = count === 0 ? docs.nothing : count > shown ? docs.best({ count, shown }) : docs.found({ count })
  const main = html`<article><h1>${docs.results}</h1><p class="lead" role="status">${lead}</p><ol class="hits" role="list">${items}</ol></article>`
  return framed(query === '' ? docs.results : `${query} – ${docs.results}`, main, around, undefined, query)
}

/** The page for an article that is not there, or for a server without documentation. */
export function noArticlePage(around: Around): Html {
  const lead = around.sections.length === 0 ? docs.notInstalled : docs.missingLead
  return framed(docs.missing, html`<article><h1>${docs.missing}</h1><p class="lead">${lead}</p></article>`, around)
}

function framed(title: string, content: Html, { sections, setting }: Around, current?: Article, query = ''): Html {
  const { assets } = setting
  const main = html`<div class="docs">
${navigation(sections, current)}
<main id="content" tabindex="-1">${content}</main>
</div>`
  const beside = searchForm(query)
  return frame({ title, main, beside, styles: [assets.docsStyle], scripts: [assets.copy], search: false }, setting)
}

function searchForm(query: string): Html {
  return html`<form class="number compact" role="search" aria-label="${docs.search}" action="/docs/search" method="get">
<label for="q">${docs.search}</label>
<div class="field"><input id="q" name="q" type="search" maxlength="200" value="${query}" autocomplete="off" spellcheck="false">
<button type="submit">${docs.searchButton}</button></div>
</form>`
}

function navigation(sections: readonly Section[], current: Article | undefined): Html {
  const parts = sections.map(({ title, articles }) => {
    const isOpen = articles.some(({ path }) => path === current?.path)
    const links = articles.map((article) => {
      const mark = article.path === current?.path && html` aria-current="page"`
      return html`<li><a href="${addressOf(article)}"${mark}>${article.title}</a></li>`
    })
    return html`<details${isOpen && html` open`}><summary>${title}</summary><ul role="list">${links}</ul></details>`
  })
  const mark = current?.path === '' && html` aria-current="page"`
  return html`<nav class="sections" aria-label="${docs.sections}"><a class="all" href="/docs"${mark}>${docs.title}</a>${parts}</nav>`
}

function contents(headings: readonly Heading[]): Html {
  const links = headings.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>`)
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">${docs.onThisPage}</h2><ul role="list">${links}</ul></nav>`
}

/** A text in which the words are marked. */
function marked(text: string, words: readonly string[]): readonly Html[] {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
  const pattern = new RegExp(`(${escaped.join('|')})`, 'giu')
  const parts = words.length === 0 ? [text] : text.split(pattern)
  return parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
}
