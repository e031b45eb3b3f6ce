import { html } from 'hono/html'
import type { Pause, Subject, TimelineEvent } from '../../../engine/index.ts'
import type { TrackTexts } from '../texts/index.ts'
import { type Html, shown } from '../words.ts'
import { dayHeading, dayOf } from './dates.ts'
import { eventItem, type Showing } from './event.ts'
import type { ParcelProgress } from './progress.ts'
import type { Identifier } from './summary.ts'

/** Events that are written in one turn of the event loop. */
const itemsPerTurn = 50

/** The events day by day, newest first. */
export async function daysOf(
  events: readonly TimelineEvent[],
  { current, uncounted, future }: ParcelProgress,
  showing: Showing,
  pause: Pause,
): Promise<readonly Html[]> {
  const days = new Map<string, Html[]>()
  let made = 0
  for (const event of events.toReversed()) {
    const day = dayOf(event.occurred_at, showing.reader)
    const items = days.get(day) ?? [html`<h3 class="day">${dayHeading(event.occurred_at, showing.reader)}</h3>`]
    const weight = { counts: !uncounted.has(event), isFuture: future.has(event), isCurrent: event === current }
    items.push(eventItem(event, weight, showing))
    days.set(day, items)
    if (++made % itemsPerTurn === 0) await pause()
  }
  return [...days.values()].map(
    ([heading, ...items]) => html`${heading}<ol class="timeline" role="list" reversed>${items}</ol>`,
  )
}

/** Events that were withdrawn, folded away; `id` is that of their heading. */
export function folded(count: number, days: readonly Html[], texts: TrackTexts, id?: string): Html {
  const mark = id !== undefined && html` id="${id}"`
  return html`<details class="withdrawn" data-key="withdrawn"><summary${mark}>${texts.withdrawn({ count })}</summary>
<p class="hint">${texts.withdrawnHint}</p>
${days}
</details>`
}

/** The identifiers of the subject, in the order in which numbers are looked up; the first names the page. */
export function identifiersOf(subject: Subject, texts: TrackTexts): readonly Identifier[] {
  return Object.entries(texts.identifiers).flatMap(([kind, label]) => {
    const value = subject[kind as keyof Subject]
    return value === undefined ? [] : [{ label, value: shown(String(value)) }]
  })
}
