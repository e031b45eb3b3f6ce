import { html } from 'hono/html'
import type { TrackTexts } from '../texts/index.ts'
import type { Html } from '../words.ts'

/** What a reader passes on: the address of the page for the public, and never the link by which this reader sees more. */
export interface Shared {
  readonly url: string
  /** The path of its QR code; undefined if none can be drawn. */
  readonly code: string | undefined
  /** The path of the calendar with the expected time. */
  readonly calendar: string
}

/** The address of a page, ready to be copied; the button needs a script, and is shown by it. */
export function shareCard(
  { url, code, calendar }: Shared,
  isExpected: boolean,
  { share, copying, lang }: TrackTexts,
): Html {
  const words = html`data-copy="${copying.copy}" data-copied="${copying.copied}"`
  return html`<section class="card share" aria-labelledby="share">
<h2 id="share">${share.title}</h2>
<label class="hidden" for="address">${share.label}</label>
<div class="field"><input id="address" type="text" value="${url}" readonly dir="ltr">
<button type="button" ${words} hidden>${share.button}</button></div>
${code && html`<img class="code" src="${code}" alt="${share.code}" width="132" height="132" fetchpriority="low" decoding="async">`}
${isExpected && html`<p><a href="${calendar}?lang=${lang}">${share.calendar}</a></p>`}
</section>`
}
