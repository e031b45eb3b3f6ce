import { html } from 'hono/html'
import {
  attemptFailures,
  type DeliveryState,
  deliveryStates,
  getWebhookDelivery,
  isoOf,
  listedChannels,
  zonedIso,
} from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { options, tick, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, type Member, memberOf, membersOf } from '../signed-in/schema.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn } from '../signed-in/visit.ts'
import type { Html } from '../words.ts'
import { webhookEventTypes } from './parts.ts'
import { log, type WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** The filter of the log as entered; an empty text does not filter. */
export interface Filter {
  readonly event: string
  readonly channel: string
  readonly states: readonly string[]
  /** Local time of the business: `2026-06-10T06:00`. */
  readonly since: string
  readonly until: string
  /** The id of an order, or a subject. */
  readonly about: string
  /** Id of a customer. */
  readonly customer: string
  /** Id of an event. */
  readonly id: string
  /** Part of a URL. */
  readonly url: string
  /** HTTP status of the last response. */
  readonly status: string
  readonly failure: string
  /** Id of an endpoint. */
  readonly endpoint: string
  /** Text in the body. */
  readonly text: string
}

/** A field of the filter that has one value. */
type Single = Exclude<keyof Filter, 'states'>

/** What can be looked for. */
const filterMembers = membersOf('list_webhook_deliveries')

/** The names of form fields that differ from the names of the input. */
const names = {
  about: 'subject',
  customer: 'customer_id',
  id: 'event_id',
  endpoint: 'endpoint_id',
} as const satisfies Partial<Record<keyof Filter, string>>

/** The form field of a member of the input. */
export function fieldOf(member: string): string {
  if (member === 'order_id') return 'about'
  return Object.entries(names).find(([, name]) => name === member)?.[0] ?? member
}

function memberAt(field: string): Member {
  return memberOf(filterMembers, Object.entries(names).find(([name]) => name === field)?.[1] ?? field)
}

/** The filter in an address or a form. */
export function filterIn(from: URLSearchParams): Filter {
  const text = (name: string) => (from.get(name) ?? '').trim().slice(0, memberAt(name).maxLength ?? 200)
  return {
    event: text('event'),
    channel: text('channel'),
    states: from.getAll('state').slice(0, deliveryStates.length),
    since: text('since'),
    until: text('until'),
    about: text('about'),
    customer: text('customer'),
    id: text('id'),
    url: text('url'),
    status: text('status'),
    failure: text('failure'),
    endpoint: text('endpoint'),
    text: text('text'),
  }
}

/** The filter as a query string. */
export function queryOf({ states, ...texts }: Filter): string {
  const query = new URLSearchParams(Object.entries(texts).filter(([, text]) => text !== ''))
  for (const state of states) query.append('state', state)
  return String(query)
}

/** The input of the operation. */
export function inputOf(filter: Filter, { account }: Visitor) {
  const { event, channel, states, since, until, about, customer, id, url, status, failure, endpoint } = filter
  const { timeZone } = account.business
  const order = idIn(about)
  return {
    ...(event === '' ? {} : { event }),
    ...(channel === '' ? {} : { channel }),
    ...(states.length === 0 ? {} : { state: states }),
    ...(since === '' ? {} : { since: instantIn(since, timeZone) }),
    ...(until === '' ? {} : { until: instantIn(until, timeZone) }),
    ...(about === '' ? {} : order === undefined ? { subject: about } : { order_id: order }),
    ...(customer === '' ? {} : { customer_id: idIn(customer) ?? customer }),
    ...(id === '' ? {} : { event_id: id }),
    ...(url === '' ? {} : { url }),
    ...(status === '' ? {} : { status: idIn(status) ?? status }),
    ...(failure === '' ? {} : { failure }),
    ...(endpoint === '' ? {} : { endpoint_id: endpoint }),
    ...(filter.text === '' ? {} : { text: filter.text }),
  }
}

/** The instant of a local time in a zone; any other text is returned unchanged and fails validation. */
export function instantIn(text: string, zone: string): string {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  if (Number.isNaN(wall)) return text
  const ahead = (instant: number) => Date.parse(`${zonedIso(instant, zone).slice(0, 19)}Z`) - instant
  // Twice, because the first result may be on the other side of a clock change.
  return isoOf(wall - ahead(wall - ahead(wall)))
}

/** The form of the filter. */
export function filterForm(filter: Filter, wrong: Wrong, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { deliveries: words } = texts
  const eventNames = [
    ...new Set([...webhookEventTypes.map(({ name }) => name), ...(filter.event === '' ? [] : [filter.event])]),
  ]
  const events = eventNames.map((name) => [name, name] as const)
  const ways = listedChannels.map((channel) => [channel, texts.channels[channel]] as const)
  const any = ['', words.any] as const
  const failures = attemptFailures.map((failure) => [failure, texts.failures[failure]] as const)
  const isOpen = queryOf(filter) !== ''
  const entry = (id: Single, control: Html) =>
    html`<div class="entry"><label for="${id}">${words[id]}</label>${control}${wrongAt(`${id}-wrong`, wrong.get(id))}</div>`
  const choice = (id: 'event' | 'failure' | 'channel', choices: readonly (readonly [string, string])[]) =>
    entry(id, html`<select id="${id}" name="${id}">${options([any, ...choices], filter[id])}</select>`)
  const text = (id: Single) => entry(id, plainInput(id, filter[id], wrong))
  const time = (id: 'since' | 'until') => entry(id, local(id, filter[id], described(id, wrong.has(id))))
  return html`<details class="card filters"${isOpen && html` open`}><summary>${words.filter}</summary>
<form class="filter" method="get" action="${log}" aria-label="${words.filter}">${languageField(setting)}
${choice('event', events)}
${text('about')}
${text('url')}
${may(visitor, getWebhookDelivery) && text('text')}
${text('status')}
${choice('failure', failures)}
${text('id')}
${filter.endpoint !== '' && text('endpoint')}
${choice('channel', ways)}
${time('since')}
${time('until')}
${visitor.account.role !== 'customer' && text('customer')}
${stateTicks(words.state, deliveryStates, filter.states, texts)}${wrongAt('state-wrong', wrong.get('state'))}
<p class="go"><button type="submit">${words.show}</button> <a href="${withLanguage(log, setting)}">${words.clear}</a></p>
</form></details>`
}

/** The attributes that mark a control as invalid. */
export function described(id: string, isWrong: boolean): Html | undefined {
  return isWrong ? html` aria-invalid="true" aria-describedby="${id}-wrong"` : undefined
}

/** An input for a local time of the business; `more` are attributes. */
export function local(id: string, value: string, more: unknown): Html {
  return html`<input id="${id}" name="${id.replace(/^replay-/, '')}" type="datetime-local" value="${value}"${more}>`
}

function plainInput(id: Single, value: string, wrong: Wrong): Html {
  return html`<input id="${id}" name="${id}" type="text"${limitsOf(memberAt(id))} value="${value}" autocomplete="off" spellcheck="false" dir="ltr"${described(id, wrong.has(id))}>`
}

/** The states to choose from. */
export function stateTicks(
  legend: string,
  states: readonly DeliveryState[],
  chosen: readonly string[],
  texts: WebhookTexts,
): Html {
  const ticks = states.map((state) => tick('state', state, texts.states[state][0], chosen.includes(state)))
  return html`<fieldset class="choice"><legend>${legend}</legend><div class="ticks">${ticks}</div></fieldset>`
}
