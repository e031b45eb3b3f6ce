import { html } from 'hono/html'
import type { Context, Timeline } from '../../../engine/index.ts'
import type { TryTexts } from '../texts/try.ts'
import type { Html } from '../words.ts'
import { type Form, formsOf, type Room, type Written, writtenIn } from './written.ts'

/** A timeline in every format, each folded away, with what is lost in it. */
export async function formatsPart(
  timeline: Timeline,
  order: number,
  context: Context,
  room: Room,
  words: TryTexts,
): Promise<Html> {
  const parts: Html[] = []
  for (const format of context.formats)
    for (const form of formsOf(format)) {
      parts.push(formatPart(await writtenIn(form, timeline, context, room), order, words))
      await context.pause()
    }
  return html`<section class="card formats" aria-labelledby="formats-${order}">
<h2 id="formats-${order}">${words.formats.title}</h2>
${parts}
</section>`
}

function formatPart(written: Written, order: number, words: TryTexts): Html {
  const { format, extension, text } = written
  const { formats } = words
  const name = `${format.title}${isOneOfSeveral(written) ? ` (${extension.toUpperCase()})` : ''}`
  const id = `format-${order}-${format.name}-${extension}`
  const losses = format.losses.map((loss) => html`<li>${loss}</li>`)
  const lost = html`<details class="losses"><summary>${formats.lost} <span class="count">${losses.length}</span></summary>
<ul lang="en" dir="ltr">${losses}</ul></details>`
  return html`<details id="${id}"><summary>${name}</summary>
<p class="hint" lang="en" dir="ltr">${format.standard}</p>
${losses.length === 0 ? html`<p>${formats.whole}</p>` : lost}
${text === undefined ? html`<p>${formats.tooLong}</p>` : documentOf(text, name, written, words)}
</details>`
}

function documentOf(
  text: string,
  name: string,
  { format, extension, representation }: Written,
  { formats, copying }: TryTexts,
): Html {
  const file = `timeline.${format.name}.${extension}`
  return html`<div class="command"><pre tabindex="0" role="region" aria-label="${name}" dir="ltr"><code>${text}</code></pre>
<button type="button" class="copy" data-copied="${copying.copied}" hidden>${copying.copy}</button>
<button type="button" class="copy download" data-file="${file}" data-type="${representation.mediaType}" hidden>${formats.download}</button>
</div>`
}

function isOneOfSeveral({ format }: Form): boolean {
  return formsOf(format).length > 1
}
