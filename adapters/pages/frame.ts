import { html } from 'hono/html'
import { languagesWith, nameOf } from '../locales/catalogue.ts'
import type { Asset, Assets } from './static.ts'
import type { PageTexts } from './texts/index.ts'
import type { Html } from './words.ts'

/** What every page needs. */
export interface Setting {
  readonly texts: PageTexts
  readonly assets: Assets
  /** The language that the reader has chosen, if any; otherwise the browser's language decides. */
  readonly chosen?: string | undefined
  /** The texts that the page is made of: it can be read in the languages that have them. */
  readonly translations: string
}

/** The parts that differ from page to page. */
export interface Page {
  readonly title: string
  /** The `main` element; it has the id `content`. */
  readonly main: Html
  readonly scripts?: readonly Asset[]
  /** Styles in addition to those of all pages. */
  readonly styles?: readonly Asset[]
  /** What the header contains beside the name of the site and the form. */
  readonly beside?: Html
  /** Whether the page updates by itself and says so. */
  readonly isLive?: boolean
  /** Whether the header contains the form for a number; a page that has the form in its content needs none there. */
  readonly search?: boolean
  /** The query of the same page in another language, without the language. A page without it is in one language only. */
  readonly kept?: string
  /** The form that sends the same page in another language, where it is the answer to a form: its id and its address. */
  readonly sent?: SentForm | undefined
  /** The brand of the page; that of the site if absent. */
  readonly look?: Look | undefined
  /** The id of the element before which everything is there when the page is first drawn, so that nothing moves; by default `content`. */
  readonly drawnFrom?: string
}

/** A form that has what was sent in it. */
interface SentForm {
  readonly id: string
  readonly action: string
}

/** How a page looks under the brand of a business. */
export interface Look {
  readonly name: string
  readonly website: string | undefined
  readonly support: string | undefined
  readonly logo: { readonly path: string; readonly width: number; readonly height: number } | undefined
  /** The styles of the page, by whose hash its policy allows them, and the colour of the brand as it is. */
  readonly style: { readonly css: Html; readonly hash: string; readonly accent: string } | undefined
}

/** A whole document around the content of a page. */
export function frame(page: Page, setting: Setting): Html {
  const { texts, assets } = setting
  const { title, main, scripts = [], styles = [], beside, isLive = false, search = true, kept, sent, look } = page
  const { drawnFrom = 'content' } = page
  return html`<!doctype html>
<html lang="${texts.lang}" dir="${texts.dir}"${look?.style && html` class="branded"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${look?.style && html`<meta name="theme-color" content="${look.style.accent}">`}
<title>${title} – ${look?.name ?? texts.brand}</title>
<link rel="stylesheet" href="${assets.style.path}">
${look?.style && html`<style>${look.style.css}</style>`}
${styles.map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
<link rel="icon" type="image/svg+xml" href="${assets.icon.path}">
<link rel="expect" blocking="render" href="#${drawnFrom}">
${scripts.map(({ path }) => html`<script type="module" src="${path}"></script>`)}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="site">
${look === undefined ? html`<a class="brand" href="/">${mark}<span>${texts.brand}</span></a>` : branded(look)}
${kept !== undefined && languageSwitch((language) => linkTo(language, kept), setting)}
${sent && languageSwitch((language) => sendTo(language, sent), setting)}
${search && numberForm(setting, 'compact')}
${beside}
</header>
${main}
${isLive && liveState(texts)}
</body>
</html>
`
}

/** The logo says the name to those who see it, so the name is written only where there is none. */
function branded({ name, website, logo }: Look): Html {
  const shown =
    logo === undefined
      ? html`<bdi>${name}</bdi>`
      : html`<img class="logo" src="${logo.path}" alt="${name}" width="${logo.width}" height="${logo.height}">`
  return website === undefined
    ? html`<span class="brand">${shown}</span>`
    : html`<a class="brand" href="${website}" rel="noopener">${shown}</a>`
}

/** The form for a tracking number; it needs no script. */
export function numberForm(setting: Setting, kind: 'compact' | 'large'): Html {
  const { form } = setting.texts
  return html`<form class="number ${kind}" role="search" aria-label="${form.search}" action="/track" method="get">
${languageField(setting)}<label for="number">${form.label}</label>
<div class="field">
<input id="number" name="number" type="text" required maxlength="500"
  autocomplete="off" autocapitalize="off" spellcheck="false" dir="ltr">
<button type="submit">${form.button}</button>
</div>
</form>`
}

/** The hidden field by which a form keeps the language that the reader has chosen. */
export function languageField({ chosen }: Setting): Html | undefined {
  return chosen === undefined ? undefined : html`<input type="hidden" name="lang" value="${chosen}">`
}

/** What leads to the page in a language: an element with its name, and how it begins. */
interface Way {
  readonly element: 'a' | 'button'
  readonly begin: Html
}

function linkTo(language: string, kept: string): Way {
  const path = `?${kept && `${kept}&`}lang=${language}`
  return { element: 'a', begin: html`<a href="${path}" lang="${language}" hreflang="${language}"` }
}

function sendTo(language: string, { id, action }: SentForm): Way {
  return {
    element: 'button',
    begin: html`<button form="${id}" formaction="${action}?lang=${language}" lang="${language}"`,
  }
}

/** The same page in the other languages, without a script. */
function languageSwitch(wayTo: (language: string) => Way, { texts, translations }: Setting): Html {
  const links = languagesWith(translations).map((language) => {
    const mark = language === texts.lang && html` aria-current="true"`
    const { element, begin } = wayTo(language)
    return html`<li>${begin}${mark}>${nameOf(language)}</${element}></li>`
  })
  return html`<nav class="languages" aria-label="${texts.language}"><details>
<summary><span class="hidden">${texts.language}: </span>${nameOf(texts.lang)}</summary>
<ul role="list">${links}</ul>
</details></nav>`
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
