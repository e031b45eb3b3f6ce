import { html } from 'hono/html'
import { type Context, type EngineError, messageOf, type Timeline } from '../../../engine/index.ts'
import type { Message } from '../../locales/texts.ts'
import { frame, type Page, type Setting } from '../frame.ts'
import { type TryTexts, tryTexts } from '../texts/try.ts'
import type { Html } from '../words.ts'
import { documentPart } from './document.ts'
import { findingsPart } from './findings.ts'
import { type FormState, holdsText, tryForm, tryFormId } from './form.ts'
import { formatsPart } from './formats.ts'
import type { Trial } from './trial.ts'
import { newRoom } from './written.ts'

/** Draws the status and the events of a timeline; `notShown` is said of events that are left out. */
export type DrawJourney = (
  timeline: Timeline,
  notShown: Message<'count'>,
  setting: Setting,
  context: Context,
) => Promise<Html>

/** The page with the form alone. */
export function tryPage(state: FormState, setting: Setting, kept: string): Html {
  const words = tryTexts(setting.texts.lang)
  return framed(html`<div class="card">${tryForm(state, setting, words)}</div>`, setting, { kept })
}

/** The page of a document that was refused before it was read. */
export function refusedPage({ code, params }: EngineError, state: FormState, setting: Setting, context: Context): Html {
  const words = tryTexts(setting.texts.lang)
  const message = messageOf(code, params, context.messages)
  const alert = html`<div class="card refused" role="alert"><h2>${words.refused}</h2><p>${message}</p></div>`
  return framed(html`${alert}<div class="card">${tryForm(state, setting, words)}</div>`, setting, sentBy(state))
}

/** The page of what the engine makes of a document. */
export async function triedPage(
  trial: Trial,
  state: FormState,
  setting: Setting,
  context: Context,
  draw: DrawJourney,
): Promise<Html> {
  const words = tryTexts(setting.texts.lang)
  const content = html`${findingsPart(trial, words)}
${documentPart(trial, words)}
${await timelinesPart(trial, words, setting, context, draw)}
<section class="card" aria-labelledby="again"><h2 id="again">${words.form.again}</h2>${tryForm(state, setting, words)}</section>`
  return framed(content, setting, sentBy(state))
}

async function timelinesPart(
  { timelines, found }: Trial,
  words: TryTexts,
  setting: Setting,
  context: Context,
  draw: DrawJourney,
): Promise<Html> {
  const { timeline: texts } = words
  if (found === 0) return html`<section class="card"><h2>${texts.title}</h2><p>${texts.none}</p></section>`
  const room = newRoom()
  const parts: Html[] = []
  for (const [index, timeline] of timelines.entries()) {
    parts.push(await draw(timeline, texts.earlier, setting, context))
    parts.push(await formatsPart(timeline, index + 1, context, room, words))
  }
  const rest = found - timelines.length
  return html`<div class="tried">${parts}${rest > 0 && html`<p class="hint">${texts.more({ count: rest })}</p>`}</div>`
}

/** The answer to a form has no separate address: its form is sent again for another language, if the document is in it. */
function sentBy(state: FormState): Pick<Page, 'sent'> {
  return holdsText(state) ? { sent: { id: tryFormId, action: '/try' } } : {}
}

function framed(content: Html, setting: Setting, languages: Pick<Page, 'kept' | 'sent'>): Html {
  const { assets } = setting
  const { title, lead } = tryTexts(setting.texts.lang)
  const main = html`<main id="content" tabindex="-1" class="trying">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${content}
</main>`
  const scripts = [assets.copy, assets.try]
  return frame({ title, main, scripts, styles: [assets.tryStyle], search: false, ...languages }, setting)
}
