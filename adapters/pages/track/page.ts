import { html } from 'hono/html'
import {
  codeOf,
  inSteps,
  type Pause,
  type Profile,
  type Subject,
  type Timeline,
  type TimelineEvent,
  type View,
} from '../../../engine/index.ts'
import { frame, type Setting } from '../frame.ts'
import { type PageTexts, textsFor, wordFor } from '../texts.ts'
import { type Html, moment, momentText, placeText, shown, titleOf } from '../words.ts'
import { eventItem } from './event.ts'
import { icon } from './icons.ts'
import { type OpenerRefusal, openerForm } from './opener.ts'
import { type ParcelProgress, progressOf } from './progress.ts'

/** The data of a tracking page. */
export interface Tracked {
  /** The requested number. */
  readonly number: string
  readonly timeline: Timeline
  /** Revision of the last fact in the timeline. */
  readonly revision: number
  readonly profile: Profile
  /** Whether to show all events, and not only the latest. */
  readonly all: boolean
  readonly view: View
  /** The members of a query with which the live stream has the same view; empty for the public. */
  readonly pass: string
  /** Why a postal code or a link was refused. */
  readonly refused?: OpenerRefusal | undefined
}

/** Events of each list that a page shows by default, because more are slow on a phone, and that it shows at all. */
const shownEvents = { first: 200, all: 1_000 }

/** The page of one timeline. While the page of a long one is made, others are served. */
export async function trackPage(tracked: Tracked, setting: Setting, pause: Pause): Promise<Html> {
  const { number, timeline, revision, profile, view, pass, refused } = tracked
  const { assets } = setting
  const texts = textsFor(setting.texts, profile)
  const progress = await inSteps(progressOf(timeline, profile), pause)
  const names = identifiersOf(timeline.subject, texts)
  const name = names[0] ?? { label: texts.form.label, value: number }
  const status = progress.current === undefined ? texts.noStatus : titleOf(progress.current.status_code)
  const path = `${apiOf(number)}/stream?last_event_id=${revision}${pass && `&${pass}`}`
  const opener = view === 'reduced' && openerForm(number, refused, texts)
  const others = names.length > 1 && identifiers(names, texts)
  const live = html`data-stream="${path}" data-announcement="${announcement(name, status, progress)}"`
  const main = html`<main id="content" tabindex="-1" class="track" ${live}>
${summary(name, status, progress, tracked, texts)}
<div class="columns">
${await eventList(progress, tracked, texts, pause)}
${(opener || others) && html`<div class="beside">${opener}${others}</div>`}
</div>
</main>`
  return frame({ title: `${status} · ${name.value}`, main, script: assets.live, isLive: true }, setting)
}

function apiOf(number: string): string {
  return `/api/v1/otep/trackings/${encodeURIComponent(number)}`
}

function summary(
  name: Identifier,
  status: string,
  progress: ParcelProgress,
  { profile }: Tracked,
  texts: PageTexts,
): Html {
  const { current, standing, estimate } = progress
  const meaning =
    current === undefined
      ? texts.noStatusMeaning
      : (codeOf(profile, current.status_code)?.meaning ?? current.description)
  const place = placeText(current?.location)
  return html`<section class="card summary ${standing}">
<p class="subject"><span class="label">${name.label}</span> <bdi class="identifier">${name.value}</bdi></p>
<h1>${icon(standing)}<span>${status}</span></h1>
${meaning && html`<p class="lead">${meaning}</p>`}
${current && html`<p class="since">${moment(current.occurred_at)}${place && html` · <bdi>${place}</bdi>`}</p>`}
${estimate && expected(estimate, texts)}
${progressBar(progress, texts)}
${notice(progress, texts)}
</section>`
}

function expected(estimate: string, texts: PageTexts): Html {
  const words = html`<span class="label">${texts.estimate}</span> ${moment(estimate)}`
  return html`<p class="estimate">${icon('clock')}<span>${words}</span></p>`
}

function progressBar({ steps }: ParcelProgress, texts: PageTexts): Html {
  const items = steps.map(({ phase, state, here }) => {
    const isPlain = state !== 'current' && state !== 'stopped'
    const name = html`<span class="step-name">${wordFor(texts.phases, phase) ?? titleOf(phase)}</span>`
    const words = html`${name} <span class="step-state${isPlain && ' hidden'}">${texts.steps[state]}</span>`
    const mark = here && html` aria-current="step"`
    return html`<li class="${state}"${mark}>${icon(state)}<span class="step-words">${words}</span></li>`
  })
  return html`<ol class="progress" role="list" aria-label="${texts.progress}">${items}</ol>`
}

function notice({ standing, current }: ParcelProgress, texts: PageTexts): Html | undefined {
  if (standing === 'ahead' || standing === 'arrived') return undefined
  const code = standing === 'unregistered' && current !== undefined && html` <code>${current.status_code}</code>`
  return html`<p class="notice">${icon('notice')}<span>${texts.notices[standing]}${code}</span></p>`
}

async function eventList(
  progress: ParcelProgress,
  { number, timeline, all, profile, pass }: Tracked,
  texts: PageTexts,
  pause: Pause,
): Promise<Html> {
  const { events, withdrawn_events: withdrawn = [] } = timeline
  const most = all ? shownEvents.all : shownEvents.first
  const rest = events.length - most
  const item = (event: TimelineEvent) =>
    eventItem(event, { texts, profile, counts: !progress.uncounted.has(event), isCurrent: event === progress.current })
  const items = async (list: readonly TimelineEvent[]) => {
    const made: Html[] = []
    for (const event of list.slice(-most).reverse()) {
      if (made.push(item(event)) % itemsPerTurn === 0) await pause()
    }
    return made
  }
  const more = all
    ? html`<p class="hint">${texts.notShown(rest)} <a href="${apiOf(number)}/events">${apiOf(number)}/events</a></p>`
    : html`<p><a class="earlier" href="?${pass && `${pass}&`}all=1">${texts.earlier(rest)}</a></p>`
  return html`<section class="card events" aria-labelledby="events">
<h2 id="events">${texts.events} <span class="count">${events.length}</span></h2>
<p class="hint">${events.length === 0 ? texts.noEvents : texts.newestFirst}</p>
${events.length > 0 && html`<ol class="timeline" role="list" reversed>${await items(events)}</ol>`}
${rest > 0 && more}
${withdrawn.length > 0 && folded(withdrawn.length, await items(withdrawn), texts)}
</section>`
}

/** Events that are written in one turn of the event loop. */
const itemsPerTurn = 50

function folded(count: number, items: readonly Html[], texts: PageTexts): Html {
  return html`<details class="withdrawn"><summary id="withdrawn">${texts.withdrawn(count)}</summary>
<p class="hint">${texts.withdrawnHint}</p>
<ol class="timeline" role="list" reversed>${items}</ol>
</details>`
}

interface Identifier {
  readonly label: string
  readonly value: string
}

/** The identifiers of the subject, in the order in which numbers are looked up; the first names the page. */
function identifiersOf(subject: Subject, texts: PageTexts): readonly Identifier[] {
  return Object.entries(texts.identifiers).flatMap(([kind, label]) => {
    const value = subject[kind as keyof Subject]
    return value === undefined ? [] : [{ label, value: shown(String(value)) }]
  })
}

function identifiers(names: readonly Identifier[], texts: PageTexts): Html {
  const rows = names.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd><bdi class="identifier">${value}</bdi></dd></div>`,
  )
  return html`<section class="card identifiers" aria-labelledby="identifiers">
<h2 id="identifiers">${texts.identifiersTitle}</h2>
<dl>${rows}</dl>
</section>`
}

/** What screen readers announce when the page has updated. */
function announcement({ value }: Identifier, status: string, { current }: ParcelProgress): string {
  const heading = `${value}: ${status}`
  if (current === undefined) return heading
  return [heading, placeText(current.location), momentText(current.occurred_at)].filter(Boolean).join(', ')
}
