import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getOperationEvents, isObject } from '../../../engine/index.ts'
import { eventTitle, roleTitle, valueTitle } from '../signed-in/operation-words.ts'
import { exactly } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { difference } from '../signed-in/values.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import { type Html, visible } from '../words.ts'
import { outside } from './files.ts'
import { accountWords, type Order } from './shown.ts'
import type { OrderTexts } from './texts.ts'

type OperationEvent = InferOutput<typeof getOperationEvents.output>['events'][number]

interface About {
  readonly order: Order
  readonly names: ReadonlyMap<number, string>
}

/** What happened to an order: when, what, and who did it with what. */
export function timeline(events: readonly OperationEvent[], about: About, visitor: Visitor, texts: OrderTexts): Html {
  const { timeline: words, lang } = texts
  // The page is as long as its events; long values in them share this room.
  const room = { leaves: 1000, characters: 60_000 }
  const rows = events.map((event) => {
    const { at, from, to, type } = event
    const move =
      to !== undefined &&
      to !== from &&
      html` <span class="label">${from !== undefined && html`${orderStatusIn(lang, from)} <span class="arrow">→</span> `}${orderStatusIn(lang, to)}</span>`
    return html`<tr><td>${exactly(at, visitor)}</td>
<td class="what"><b>${eventTitle(type, lang)}</b>${move}${details(event, about, texts)}${changesOf(event, room, texts)}</td>
<td class="who">${actor(event, about, texts)}</td></tr>`
  })
  return html`<h2 id="happened">${words.title}</h2><p class="hint">${words.hint}</p>
<div class="wide-table" role="region" aria-labelledby="happened" tabindex="0"><table class="dense happened"><thead><tr><th scope="col">${words.at}</th><th scope="col">${words.what}</th><th scope="col">${words.who}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** Who did something, and the key, the grant and the approval with which it was done. */
function actor({ actor }: OperationEvent, { names }: About, texts: OrderTexts): Html {
  const { timeline: words } = texts
  const { account_id, role, api_key_id, grant_id, proposal_id, approved_by } = actor
  if (account_id === null) return html`${words.platform}`
  const means = [
    api_key_id !== undefined && words.key({ id: api_key_id }),
    grant_id !== undefined && words.grant({ id: grant_id }),
    proposal_id !== undefined && words.proposal({ id: proposal_id }),
    approved_by !== undefined && words.approved({ name: names.get(approved_by) ?? texts.number({ id: approved_by }) }),
  ].filter((one) => one !== false)
  return html`${accountWords(account_id, names, texts)}${role !== null && html` <span class="label">${roleTitle(role, texts.lang)}</span>`}${means.map((one) => html`<br><span class="label">${visible(one)}</span>`)}`
}

function details(event: OperationEvent, { names }: About, texts: OrderTexts): Html {
  const { timeline: words, facts, lang, named } = texts
  const { reason, driver_id, route_id, recipient, note, location, photo_urls = [], signature_url } = event
  const said: readonly (readonly [string, unknown])[] = [
    [facts.driver_id, accountWords(driver_id, names, texts)],
    [facts.route_id, route_id],
    [words.reason, reason && visible(valueTitle(reason, lang))],
    [words.recipient, recipient && visible(recipient)],
    [
      words.location,
      location?.latitude !== undefined && location.longitude !== undefined
        ? `${location.latitude}, ${location.longitude}`
        : undefined,
    ],
    [words.note, note && visible(note)],
  ]
  const lines = said.filter(([, value]) => value !== undefined && value !== '')
  const files = photo_urls.map((url, place) => html` ${outside(url, words.photo({ place: place + 1 }))}`)
  return html`${lines.map(([name, value]) => html`<br><span class="label">${named({ name })}</span> <bdi>${value}</bdi>`)}${files.length > 0 && html`<br>${files}`}${signature_url !== undefined && html`<br>${outside(signature_url, words.signature)}`}`
}

/** The members that an event changed, with their values before and after it. */
function changesOf(
  { changes }: OperationEvent,
  room: Parameters<typeof difference>[1],
  texts: OrderTexts,
): Html | undefined {
  if (!isObject(changes) || Object.keys(changes).length === 0) return undefined
  const side = (name: 'from' | 'to') =>
    Object.fromEntries(
      Object.entries(changes).map(([member, change]) => [member, isObject(change) ? change[name] : undefined]),
    )
  const shown = difference({ from: side('from'), to: side('to') }, room, texts)
  return shown && html`<details><summary>${texts.timeline.changes}</summary><div class="fact">${shown}</div></details>`
}
