import { html } from 'hono/html'
import { localTime } from '../../../engine/index.ts'
import { wordFor } from '../texts/index.ts'
import { type Html, titleOf } from '../words.ts'
import { type Arrival, arrivalOf, dayWords, momentOf, momentWords, type Reader } from './dates.ts'
import type { Showing } from './event.ts'
import { icon } from './icons.ts'
import { placeText } from './place.ts'
import type { ParcelProgress } from './progress.ts'
import { statusHtml, statusText } from './status.ts'

/** What names a timeline to a person. */
export interface Identifier {
  readonly label: string
  readonly value: string
}

/** What a person asks first: when it comes or what it is, where it is, and what to do; `level` is that of its heading. */
export function summary(name: Identifier, progress: ParcelProgress, showing: Showing, level: 1 | 2 = 1): Html {
  const { current, standing, late } = progress
  const { texts, profile, reader } = showing
  const arrival = arrivalIn(progress, reader)
  const leads = arrival !== undefined && standing !== 'held'
  const status = current && statusHtml(current.status_code, profile, reader.language)
  const title = leads
    ? html`<span>${arrivalText(arrival, showing)}</span>`
    : (status ?? html`<span>${texts.noStatus}</span>`)
  const place = placeText(current?.location, reader.language)
  const answers: readonly (readonly [label: string, answer: unknown])[] = [
    [texts.labels.status, leads && status],
    [texts.labels.when, current && momentOf(current.occurred_at, reader, texts.local)],
    [texts.labels.where, place && html`<bdi>${place}</bdi>`],
    [texts.labels.latest, late && lateAnnouncement(late.status_code, showing)],
    [texts.labels.expected, arrival && !leads && arrivalText(arrival, showing)],
    [texts.labels.advice, adviceOf(progress, arrival, showing)],
  ]
  const rows = answers.filter(([, answer]) => Boolean(answer))
  return html`<section class="card summary ${standing}${leads && arrival.isLate && ' late'}">
<p class="subject"><span class="label">${name.label}</span> <bdi class="identifier">${name.value}</bdi></p>
<h1${level > 1 && html` aria-level="${level}"`}>${icon(leads && arrival.isLate ? 'held' : standing)}${title}</h1>
<dl class="answers">${rows.map(([label, answer]) => html`<div><dt>${label}</dt><dd>${answer}</dd></div>`)}</dl>
${progress.steps.length > 0 && progressBar(progress, showing)}
</section>`
}

function lateAnnouncement(code: string, { texts, profile, reader }: Showing): Html {
  return html`${statusHtml(code, profile, reader.language)}<p class="hint">${texts.announcedLate}</p>`
}

/** The headline as plain text: when it comes, or its status. */
export function headline(progress: ParcelProgress, showing: Showing): string {
  const { texts, profile, reader } = showing
  const arrival = progress.standing === 'held' ? undefined : arrivalIn(progress, reader)
  if (arrival !== undefined) return arrivalText(arrival, showing)
  return progress.current === undefined
    ? texts.noStatus
    : statusText(progress.current.status_code, profile, reader.language)
}

/** What a timeline says to a recipient, in plain text. */
export interface Answers {
  readonly title: string
  readonly rows: readonly (readonly [label: string, answer: string])[]
}

/** The answers of the summary in plain text, all of them beside the headline. */
export function plainAnswers(progress: ParcelProgress, showing: Showing): Answers {
  const { current } = progress
  const { texts, profile, reader } = showing
  const { status, when, where, expected, advice } = texts.labels
  const arrival = arrivalIn(progress, reader)
  const answers: readonly (readonly [label: string, answer: string | undefined])[] = [
    [status, current && statusText(current.status_code, profile, reader.language)],
    [when, current && momentWords(current.occurred_at, reader)],
    [where, placeText(current?.location, reader.language)],
    [expected, arrival && arrivalText(arrival, showing)],
    [advice, adviceOf(progress, arrival, showing)],
  ]
  const rows = answers.flatMap(([label, answer]) => (answer ? [[label, answer] as const] : []))
  return { title: headline(progress, showing), rows }
}

/** The arrival that is expected. What is held up has a new one, or none: the old one no longer says anything. */
function arrivalIn({ expected, standing }: ParcelProgress, reader: Reader): Arrival | undefined {
  if (expected === undefined) return undefined
  const arrival = arrivalOf(expected, reader)
  return standing === 'held' && arrival.isLate ? undefined : arrival
}

/** `Arriving tomorrow, about 14:00`, `Arriving Thursday, 14:00 to 16:00`, or `Late: was expected Sunday`. */
function arrivalText({ at, from, isDay, isLate, zone }: Arrival, showing: Showing): string {
  const { texts } = showing
  const reader = { ...showing.reader, ...(zone !== undefined && { zone }) }
  const values = { day: dayWords(at, reader), time: timeText(at) }
  if (isLate) return (isDay ? texts.late.day : texts.late.time)(values)
  const { arriving } = texts
  if (from === undefined) return (isDay ? arriving.day : arriving.time)(values)
  const isWithinDay = from.slice(0, 10) === at.slice(0, 10)
  return isWithinDay
    ? arriving.window({ ...values, from: localTime(from).time })
    : arriving.days({ ...values, first: dayWords(from, reader) })
}

function timeText(at: string): string {
  return at.endsWith('Z') ? `${localTime(at).time} UTC` : localTime(at).time
}

function adviceOf(
  { standing, current }: ParcelProgress,
  arrival: Arrival | undefined,
  { texts }: Showing,
): string | undefined {
  const { advice, codes } = texts
  const own = current && wordFor(codes, current.status_code)
  if (own !== undefined || standing === 'unregistered') return own
  if (standing !== 'ahead') return advice[standing]
  if (arrival?.isLate) return advice.late
  return current?.phase === 'out_for_delivery' ? advice.near : advice.ahead
}

function progressBar({ steps }: ParcelProgress, { texts, profile, reader }: Showing): Html {
  const items = steps.map(({ phase, state, here, event }) => {
    const isPlain = state === 'done' || state === 'upcoming'
    const name = event
      ? statusHtml(event.status_code, profile, reader.language)
      : html`<span>${wordFor(texts.phases, phase) ?? titleOf(phase)}</span>`
    const words = html`<span class="step-name">${name}</span> <span class="step-state${isPlain && ' hidden'}">${texts.steps[state]}</span>`
    const mark = here && html` aria-current="step"`
    return html`<li class="${state}"${mark}>${icon(state)}<span class="step-words">${words}</span></li>`
  })
  return html`<ol class="progress" role="list" aria-label="${texts.progress}">${items}</ol>`
}
