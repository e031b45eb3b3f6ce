import { html } from 'hono/html'
import {
  codeOf,
  isExperimental,
  type Profile,
  type ProofOfDelivery,
  type TimelineEvent,
} from '../../../engine/index.ts'
import { type PageTexts, wordFor } from '../texts.ts'
import { type Html, moment, placeText, shown, titleOf } from '../words.ts'
import { icon } from './icons.ts'

/** How an event is shown. The current event gives the status; an event after a terminal one does not count. */
export interface Showing {
  readonly texts: PageTexts
  readonly profile: Profile
  readonly counts: boolean
  readonly isCurrent: boolean
}

/** One event of the list. */
export function eventItem(event: TimelineEvent, showing: Showing): Html {
  const { texts, profile, counts, isCurrent } = showing
  const { status_code, description, synthesized, withdrawn, location, pod, occurred_at, event_id } = event
  const code = codeOf(profile, status_code)
  const place = placeText(location)
  const words = description?.trim() ? description : code?.meaning
  return html`<li class="event${isCurrent && ' current'}${(!counts || withdrawn !== undefined) && ' faded'}" data-event="${event_id}">
<div class="when">${moment(occurred_at)}</div>
<div class="what">
<h3><span>${titleOf(status_code)}</span>${marks(event, showing)}</h3>
${place && html`<p class="place">${icon('place')}<span class="hidden">${texts.place}: </span><bdi>${place}</bdi></p>`}
${words && html`<p class="words" dir="auto">${words}</p>`}
${synthesized && html`<p class="hint">${texts.synthesizedHint}</p>`}
${!counts && !event.inherited_from && html`<p class="hint">${texts.uncountedHint}</p>`}
${facts(event, texts)}
${pod && proof(pod, code?.phase === 'delivered' ? texts.proof.delivered : texts.proof.other, texts)}
</div>
</li>`
}

function marks(
  { synthesized, withdrawn, status_code, inherited_from }: TimelineEvent,
  { texts, counts }: Showing,
): readonly Html[] {
  const words = [
    withdrawn !== undefined && texts.marks.withdrawn,
    inherited_from !== undefined && texts.marks.inherited,
    !counts && texts.marks.uncounted,
    isExperimental(status_code) && texts.marks.unregistered,
    synthesized === true && texts.marks.synthesized,
  ]
  return words.flatMap((word) => (word === false ? [] : [html` <span class="mark-word">${word}</span>`]))
}

function facts(
  { incident_reason, estimated_delivery_at, source, withdrawn, inherited_from = {} }: TimelineEvent,
  texts: PageTexts,
): Html | undefined {
  const origin = source && [
    wordFor(texts.sources, source.type) ?? source.type,
    source.provider,
    source.code && `${texts.code} ${source.code}`,
  ]
  const rows: readonly (readonly [string, unknown, string?])[] = [
    [texts.reason, incident_reason],
    [texts.estimate, estimated_delivery_at && moment(estimated_delivery_at)],
    [texts.declared, withdrawn && moment(withdrawn.declared_at)],
    [texts.reason, withdrawn?.reason],
    [texts.container, shown(Object.values(inherited_from).map(String)[0] ?? '')],
    [texts.source, origin?.filter(Boolean).join(' · '), 'quiet'],
  ]
  const present = rows.filter(([, value]) => Boolean(value))
  return present.length === 0 ? undefined : html`<dl class="facts">${present.map(row)}</dl>`
}

function row([label, value, kind]: readonly [string, unknown, string?]): Html {
  return html`<div${kind && html` class="${kind}"`}><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`
}

/** The recipient, the time and the evidence. Pictures are linked, never loaded from other servers. */
function proof(
  { recipient, signed_at, note, signature_url, photo_urls = [] }: ProofOfDelivery,
  title: string,
  texts: PageTexts,
): Html {
  const rows: readonly (readonly [string, unknown])[] = [
    [texts.recipient, recipient],
    [texts.signedAt, signed_at && moment(signed_at)],
    [texts.note, note],
  ]
  const links = [
    ...(signature_url === undefined ? [] : [evidence(signature_url, texts.signature)]),
    ...photo_urls.map((url, index) => evidence(url, texts.photo(index + 1))),
  ]
  return html`<section class="proof"><h4>${icon('proof')}<span>${title}</span></h4>
<dl class="facts">${rows.filter(([, value]) => Boolean(value)).map(row)}</dl>
${links.length > 0 && html`<ul class="evidence" role="list">${links}</ul>`}
</section>`
}

function evidence(url: string, words: string): Html {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) return html`<li>${words}: ${url}</li>`
  const target = html`${words}<span class="host"> (${address.host})</span>`
  return html`<li><a href="${address.href}" rel="noopener noreferrer nofollow">${target}</a></li>`
}
