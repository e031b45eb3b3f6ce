import { html } from 'hono/html'
import {
  type Curve,
  inSteps,
  type Pause,
  type PlannedDelivery,
  type Profile,
  type Timeline,
  type TimelineEvent,
  type View,
} from '../../../engine/index.ts'
import { frame, type Look, type Setting } from '../frame.ts'
import { type TrackTexts, textsFor } from '../texts/index.ts'
import type { Html } from '../words.ts'
import { momentWords, type Reader } from './dates.ts'
import { daysOf, folded, identifiersOf } from './days.ts'
import type { Showing } from './event.ts'
import { journeyPoints, mapTitle } from './map.ts'
import { newsForm } from './news/form.ts'
import { type OpenerRefusal, openerForm } from './opener.ts'
import { placeText } from './place.ts'
import { type ParcelProgress, progressOf } from './progress.ts'
import { sensorCard } from './sensors.ts'
import { type Shared, shareCard } from './share.ts'
import { statusText } from './status.ts'
import { headline, type Identifier, summary } from './summary.ts'

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
  readonly reader: Reader
  /** The members of a query with which the live stream has the same view; empty for the public. */
  readonly pass: string
  /** The members of a query with which another page of this number has the same view, in the language that was chosen. */
  readonly kept: string
  /** The brand under which it is shown, if any. */
  readonly look?: Look | undefined
  /** When the sender has planned the delivery. */
  readonly planned?: PlannedDelivery | undefined
  readonly shared: Shared
  /** What sensors have measured; empty if nothing. */
  readonly curves: readonly Curve[]
  /** Whether somebody can be sent news of it. */
  readonly hasNews: boolean
  /** Why a postal code or a link was refused. */
  readonly refused?: OpenerRefusal | undefined
}

/** Events of each list that a page shows by default, because more are slow on a phone, and that it shows at all. */
const shownEvents = { first: 200, all: 1_000 }

/** The page of one timeline. While the page of a long one is made, others are served. */
export async function trackPage(tracked: Tracked, setting: Setting, pause: Pause): Promise<Html> {
  const { number, timeline, revision, profile, view, reader, pass, refused, look } = tracked
  const { assets } = setting
  const texts = textsFor(setting.texts, profile)
  const showing = { texts, profile, reader }
  const progress = await inSteps(progressOf(timeline, profile, tracked.planned), pause)
  const names = identifiersOf(timeline.subject, texts)
  const name = names[0] ?? { label: texts.form.label, value: number }
  const path = `${apiOf(number)}/stream?last_event_id=${revision}${pass && `&${pass}`}`
  const opener = view === 'reduced' && openerForm(number, refused, setting)
  const others = names.length > 1 && identifiers(names, texts)
  const map = mapFigure(tracked, texts)
  const news = tracked.hasNews && newsForm(number, setting)
  const help = look?.support && helpOf(look.name, look.support, texts)
  const live = html`data-stream="${path}" data-announcement="${announcement(name, progress, showing)}"`
  const main = html`<main id="content" tabindex="-1" class="track" ${live}>
${summary(name, progress, showing)}
<div class="columns">
${await eventList(progress, tracked, showing, pause)}
<div class="beside">${tracked.curves.length > 0 && sensorCard(tracked.curves, texts, reader)}${map}${news}${opener}${help}${others}${shareCard(tracked.shared, progress.expected !== undefined, texts)}</div>
</div>
</main>`
  const title = `${headline(progress, showing)} · ${name.value}`
  return frame({ title, main, scripts: [assets.live], isLive: true, kept: pass, look, drawnFrom: 'events' }, setting)
}

function apiOf(number: string): string {
  return `/api/v1/otep/trackings/${encodeURIComponent(number)}`
}

/** The map of the journey, which is loaded when the reader comes near it. */
function mapFigure({ number, timeline, revision, reader, kept }: Tracked, texts: TrackTexts): Html | undefined {
  const points = journeyPoints(timeline.events, reader.language)
  if (points.length === 0) return undefined
  const path = `/track-map/${encodeURIComponent(number)}?${kept && `${kept}&`}v=${revision}`
  const alt = mapTitle(points, texts, reader.language)
  return html`<figure class="card map"><img src="${path}" alt="${alt}" width="480" height="300" loading="lazy" decoding="async"></figure>`
}

function helpOf(name: string, support: string, { help }: TrackTexts): Html {
  return html`<section class="card help" aria-labelledby="help">
<h2 id="help">${help.title}</h2>
<p><a href="${support}" rel="noopener">${help.link({ name })}</a></p>
</section>`
}

async function eventList(progress: ParcelProgress, tracked: Tracked, showing: Showing, pause: Pause): Promise<Html> {
  const { number, timeline, all, kept } = tracked
  const { texts, reader } = showing
  const { future_events: future = [], withdrawn_events: withdrawn = [] } = timeline
  const events = [...timeline.events, ...future]
  const most = all ? shownEvents.all : shownEvents.first
  const rest = events.length - most
  const days = (list: readonly TimelineEvent[]) => daysOf(list.slice(-most), progress, showing, pause)
  const api = `${apiOf(number)}/events`
  const more = all
    ? html`<p class="hint">${texts.notShown({ count: rest })} <a href="${api}" dir="ltr">${api}</a></p>`
    : html`<p><a class="earlier" href="?${kept && `${kept}&`}all=1">${texts.earlier({ count: rest })}</a></p>`
  const hint = events.length === 0 ? texts.noEvents : texts.newest[reader.zone === undefined ? 'local' : 'reader']
  return html`<section class="card events" aria-labelledby="events">
<h2 id="events">${texts.events} <span class="count">${events.length}</span></h2>
<p class="hint">${hint}</p>
${events.length > 0 && (await days(events))}
${rest > 0 && more}
${withdrawn.length > 0 && folded(withdrawn.length, await days(withdrawn), texts, 'withdrawn')}
</section>`
}

function identifiers(names: readonly Identifier[], texts: TrackTexts): Html {
  const rows = names.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd><bdi class="identifier">${value}</bdi></dd></div>`,
  )
  return html`<section class="card identifiers" aria-labelledby="identifiers">
<h2 id="identifiers">${texts.identifiersTitle}</h2>
<dl>${rows}</dl>
</section>`
}

/** What screen readers announce when the page has updated. */
function announcement({ value }: Identifier, { current }: ParcelProgress, { texts, profile, reader }: Showing): string {
  if (current === undefined) return `${value}: ${texts.noStatus}`
  const { status_code, location, occurred_at } = current
  const status = `${value}: ${statusText(status_code, profile, reader.language)}`
  return [status, placeText(location, reader.language), momentWords(occurred_at, reader)].filter(Boolean).join(', ')
}
