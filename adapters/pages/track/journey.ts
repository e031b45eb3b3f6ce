import { html } from 'hono/html'
import { inSteps, type Pause, type Profile, type Timeline } from '../../../engine/index.ts'
import type { Message } from '../../locales/texts.ts'
import { type PageTexts, textsFor } from '../texts/index.ts'
import type { Html } from '../words.ts'
import type { Reader } from './dates.ts'
import { daysOf, folded, identifiersOf } from './days.ts'
import { progressOf } from './progress.ts'
import { summary } from './summary.ts'

/** How a timeline is shown within another page. */
interface JourneyView {
  readonly profile: Profile
  readonly texts: PageTexts
  readonly reader: Reader
  /** The most events of each list that are shown, the latest of them. */
  readonly most: number
  /** What is said of earlier events; `{count}` is their number. */
  readonly notShown: Message<'count'>
}

/** The status and the events of a timeline as its own page shows them, below a heading of the first level. */
export async function journey(timeline: Timeline, view: JourneyView, pause: Pause): Promise<Html> {
  const { profile, reader, most, notShown } = view
  const { subject, future_events: future = [], withdrawn_events: withdrawn = [] } = timeline
  const events = [...timeline.events, ...future]
  const texts = textsFor(view.texts, profile)
  const showing = { texts, profile, reader }
  const progress = await inSteps(progressOf(timeline, profile), pause)
  const name = identifiersOf(subject, texts)[0] ?? { label: texts.form.label, value: '' }
  const days = (list: Timeline['events']) => daysOf(list.slice(-most), progress, showing, pause)
  const rest = events.length - most
  return html`<div class="track">${summary(name, progress, showing, 2)}
<section class="card events">
<h2>${texts.events} <span class="count">${events.length}</span></h2>
<p class="hint">${events.length === 0 ? texts.noEvents : texts.newest.local}</p>
${await days(events)}
${rest > 0 && html`<p class="hint">${notShown({ count: rest })}</p>`}
${withdrawn.length > 0 && folded(withdrawn.length, await days(withdrawn), texts)}
</section></div>`
}
