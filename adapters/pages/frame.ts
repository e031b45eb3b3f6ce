import { html } from 'hono/html'
import type { Asset, Assets } from './static.ts'
import type { PageTexts } from './texts.ts'
import type { Html } from './words.ts'

/** What every page needs. */
export interface Setting {
  readonly texts: PageTexts
  readonly assets: Assets
}

/** The parts that differ from page to page. */
export interface Page {
  readonly title: string
  /** The `main` element; it has the id `content`. */
  readonly main: Html
  readonly script?: Asset
  /** Styles in addition to those of all pages. */
  readonly styles?: readonly Asset[]
  /** What the header contains beside the name of the site and the form. */
  readonly beside?: Html
  /** Whether the page updates by itself and says so. */
  readonly isLive?: boolean
  /** Whether the header contains the form for a number; a page that has the form in its content needs none there. */
  readonly search?: boolean
}

/** A whole document around the content of a page. */
export function frame(page: Page, { texts, assets }: Setting): Html {
  const { title, main, script, styles = [], beside, isLive = false, search = true } = page
  return html`<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – ${texts.brand}</title>
<link rel="stylesheet" href="${assets.style.path}">
${styles.map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
<link rel="icon" type="image/svg+xml" href="${assets.icon.path}">
${script && html`<script type="module" src="${script.path}"></script>`}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="site">
<a class="brand" href="/">${mark}<span>${texts.brand}</span></a>
${search && numberForm(texts, 'compact')}
${beside}
</header>
${main}
${isLive && liveState(texts)}
</body>
</html>
`
}

/** The form for a tracking number; it needs no script. */
export function numberForm({ form }: PageTexts, kind: 'compact' | 'large'): Html {
  return html`<form class="number ${kind}" role="search" aria-label="${form.search}" action="/track" method="get">
<label for="number">${form.label}</label>
<div class="field">
<input id="number" name="number" type="text" required maxlength="500"
  autocomplete="off" autocapitalize="off" spellcheck="false" dir="ltr">
<button type="submit">${form.button}</button>
</div>
</form>`
}

/** It is outside of the replaced element, because a live region announces only changes within itself. */
function liveState({ live }: PageTexts): Html {
  const words = html`data-on="${live.on}" data-waiting="${live.waiting}" data-off="${live.off}"`
  return html`<footer class="site"><p class="live" ${words}></p></footer>
<p class="hidden" id="announcement" role="status" aria-live="polite"></p>`
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
<path d="M4 12h16" stroke="currentColor" stroke-width="2"/>
<circle cx="5" cy="12" r="3" fill="currentColor"/>
<circle cx="12" cy="12" r="3" fill="currentColor"/>
<circle class="hollow" cx="19" cy="12" r="3" stroke="currentColor" stroke-width="2"/>
</svg>`
