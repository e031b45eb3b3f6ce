import { html } from 'hono/html'
import type { Projection } from '../../../engine/index.ts'
import type { Setting } from '../frame.ts'
import type { TryTexts } from '../texts/try.ts'
import type { Html } from '../words.ts'
import type { Example } from './examples.ts'
import { formsOf } from './written.ts'

/** What the form offers, and what is in it. */
export interface FormState {
  readonly formats: readonly Projection[]
  readonly examples: readonly Example[]
  readonly text: string
  /** The token of the format that is chosen. */
  readonly format: string
  /** The largest form in bytes. */
  readonly limit: number
}

/** The longest text that a form gets back, in characters. */
const longestText = 256 * 1024

/** The id of the form. */
export const tryFormId = 'try'

/** Whether the form of a page holds what was sent. */
export function holdsText({ text }: Pick<FormState, 'text'>): boolean {
  return text.length <= longestText
}

/** The form for a document; it needs no script. */
export function tryForm(
  { formats, examples, text, format, limit }: FormState,
  setting: Setting,
  words: TryTexts,
): Html {
  const { form } = words
  const query = setting.chosen === undefined ? '' : `?lang=${setting.chosen}`
  const options = formats.map(
    ({ name, title }) => html`<option value="${name}"${name === format && html` selected`}>${title}</option>`,
  )
  // A browser drops the first line break of a field.
  const content = holdsText({ text }) ? `\n${text}` : ''
  return html`<form class="try" id="${tryFormId}" action="/try${query}" method="post" enctype="multipart/form-data">
${exampleLinks(examples, setting, words)}
<div><label for="document">${form.document}</label> <span class="hint" id="limit">${form.limit({ size: Math.floor(limit / 1024) })}. <span class="drop" hidden>${form.drop}</span></span>
<textarea id="document" name="document" rows="16" dir="ltr" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="limit">${content}</textarea></div>
<div class="row"><div><label for="file">${form.file}</label>
<input id="file" name="file" type="file" accept=".json,.jsonld,.ndjson,.xml,application/json,application/xml,text/xml"></div>
<div><label for="format">${form.format}</label>
<select id="format" name="format">${options}</select></div>
<button type="submit">${form.button}</button></div>
</form>`
}

function exampleLinks(examples: readonly Example[], { chosen }: Setting, { form }: TryTexts): Html {
  const links = examples.map(({ name, form: { format, extension }, isFaulty, isInLines }) => {
    const query = new URLSearchParams({ example: name, ...(chosen && { lang: chosen }) })
    const isOneOf = isInLines || formsOf(format).length > 1
    const kind = isOneOf && ` (${isInLines ? 'NDJSON' : extension.toUpperCase()})`
    return html`<li><a href="/try?${query}">${isFaulty ? form.faulty : html`${format.title}${kind}`}</a></li>`
  })
  return html`<nav class="examples" aria-labelledby="examples"><h2 id="examples">${form.examples}</h2><ul role="list">${links}</ul></nav>`
}
