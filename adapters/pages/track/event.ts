import { html } from 'hono/html'
import {
  codeOf,
  isExperimental,
  latestExpected,
  type Profile,
  type ProofOfDelivery,
  type TimelineEvent,
} from '../../../engine/index.ts'
import { type TrackTexts, wordFor } from '../texts/index.ts'
import { type Html, moment, shown, titleOf } from '../words.ts'
import { clockOf, expectedOf, momentOf, type Reader } from './dates.ts'
import { icon } from './icons.ts'
import { placeText } from './place.ts'
import { statusHtml } from './status.ts'

/** How events are shown, and to whom. */
export interface Showing {
  readonly texts: TrackTexts
  readonly profile: Profile
  readonly reader: Reader
}

/** What an event means for the status. The current one gives it; one after a terminal one, or in the future, does not count. */
interface Weight {
  readonly counts: boolean
  readonly isFuture: boolean
  readonly isCurrent: boolean
}

/** One event of the list. */
export function eventItem(event: TimelineEvent, weight: Weight, showing: Showing): Html {
  const { counts, isFuture, isCurrent } = weight
  const { texts, profile, reader } = showing
  const { status_code, description, synthesized, withdrawn, location, pod, occurred_at, event_id } = event
  const place = placeText(location, reader.language)
  const isFaded = !counts || isFuture || withdrawn !== undefined
  return html`<li class="event${isCurrent && ' current'}${isFaded && ' faded'}" data-event="${event_id}">
<div class="when">${clockOf(occurred_at, reader, texts.local)}</div>
<div class="what">
<h4>${statusHtml(status_code, profile, reader.language)}${marks(event, weight, texts)}</h4>
${place && html`<p class="place">${icon('place')}<span class="hidden">${texts.place}: </span><bdi>${place}</bdi></p>`}
${description?.trim() && html`<p class="words" dir="auto">${description}</p>`}
${reasons(event, showing)}
${synthesized && html`<p class="hint">${texts.synthesizedHint}</p>`}
${isFuture && html`<p class="hint">${texts.futureHint}</p>`}
${!counts && !event.inherited_from && html`<p class="hint">${texts.uncountedHint}</p>`}
${pod && proof(pod, codeOf(profile, status_code)?.phase === 'delivered' ? texts.proof.delivered : texts.proof.other, showing)}
${details(event, showing)}
</div>
</li>`
}

function marks(
  { synthesized, withdrawn, status_code, inherited_from }: TimelineEvent,
  { counts, isFuture }: Weight,
  texts: TrackTexts,
) {
  const words = [
    withdrawn !== undefined && texts.marks.withdrawn,
    inherited_from !== undefined && texts.marks.inherited,
    isFuture && texts.marks.future,
    !counts && texts.marks.uncounted,
    isExperimental(status_code) && texts.marks.unregistered,
    synthesized === true && texts.marks.synthesized,
  ]
  return words.flatMap((word) => (word === false ? [] : [html` <span class="mark-word">${word}</span>`]))
}

type Row = readonly [label: string, value: unknown]

/** Why it happened, and what is expected now: what a person wants to know of an event. */
function reasons(event: TimelineEvent, { texts, reader }: Showing) {
  const { incident_reason, withdrawn } = event
  const expected = latestExpected([event])
  return list([
    [texts.reason, incident_reason && titleOf(incident_reason)],
    [texts.estimate, expected && expectedOf(expected, reader, texts.local)],
    [texts.declared, withdrawn && momentOf(withdrawn.declared_at, reader, texts.local)],
    [texts.reason, withdrawn?.reason],
  ])
}

/** Where the event comes from, in the words of its source, and what its code means in the codebook. */
function details(event: TimelineEvent, { texts, profile }: Showing): Html {
  const { source, inherited_from = {}, status_code, occurred_at, event_id } = event
  const meaning = codeOf(profile, status_code)?.meaning
  const origin = source && [wordFor(texts.sources, source.type) ?? source.type, source.provider, source.code]
  const rows = list([
    [texts.code, meaning === undefined ? status_code : html`${status_code} · <span lang="en">${meaning}</span>`],
    [texts.reason, event.incident_reason],
    [texts.source, origin?.filter(Boolean).join(' · ')],
    [texts.container, shown(Object.values(inherited_from).map(String)[0] ?? '')],
    [texts.exact, moment(occurred_at, 'seconds')],
    [texts.eventId, shown(event_id)],
  ])
  return html`<details class="more" data-key="${event_id}"><summary>${texts.details}</summary>${rows}</details>`
}

function list(rows: readonly Row[]): Html | undefined {
  const present = rows.filter(([, value]) => Boolean(value))
  if (present.length === 0) return undefined
  return html`<dl class="facts">${present.map(([label, value]) => html`<div><dt>${label}</dt> <dd><bdi>${value}</bdi></dd></div>`)}</dl>`
}

/** The recipient, the time and the evidence. Pictures are linked, never loaded from other servers. */
function proof(pod: ProofOfDelivery, title: string, { texts, reader }: Showing): Html {
  const { recipient, signed_at, note, signature_url, photo_urls = [] } = pod
  const rows = list([
    [texts.recipient, recipient],
    [texts.signedAt, signed_at && momentOf(signed_at, reader, texts.local)],
    [texts.note, note],
  ])
  const links = [
    ...(signature_url === undefined ? [] : [evidence(signature_url, texts.signature)]),
    ...photo_urls.map((url, index) => evidence(url, texts.photo({ number: index + 1 }))),
  ]
  return html`<section class="proof"><h5>${icon('proof')}<span>${title}</span></h5>
${rows}
${links.length > 0 && html`<ul class="evidence" role="list">${links}</ul>`}
</section>`
}

function evidence(url: string, words: string): Html {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) return html`<li>${words}: ${url}</li>`
  const target = html`${words}<span class="host"> (${address.host})</span>`
  return html`<li><a href="${address.href}" rel="noopener noreferrer nofollow">${target}</a></li>`
}
