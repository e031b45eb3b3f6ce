import { html } from 'hono/html'
import { orderStatuses, staff } from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Choice, isPersonMember } from '../signed-in/choices.ts'
import { options, tick, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { memberOf, membersOf } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn } from '../signed-in/visit.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import type { Html } from '../words.ts'
import { home, type OrderSetting } from './setting.ts'
import { isShown } from './shown.ts'
import type { OrderTexts } from './texts.ts'

/** What an order of a list is looked for by, as the address says it. */
export interface Filter {
  readonly status: readonly string[]
  readonly type: string
  readonly driver_id: string
  readonly broker_id: string
  readonly schedule_date: string
  readonly tag: string
  readonly late: boolean
  readonly exceptions: boolean
  readonly undeliverable: boolean
  readonly unassigned: boolean
  readonly reported: boolean
  readonly contradicting: boolean
  readonly sort: string
}

const exceptionStatuses: readonly string[] = ['FAILED', 'RETURNED']

/** What is chosen by a tick. */
const ticks = ['late', 'exceptions', 'undeliverable', 'unassigned', 'reported', 'contradicting'] as const

/** Ticks for the staff: all others see only orders that they have. */
const staffTicks: readonly string[] = ['unassigned', 'reported', 'contradicting']

const texted = ['type', 'driver_id', 'broker_id', 'schedule_date', 'tag', 'sort'] as const

/** The filter in an address, where `driver` is `driver_id`, `contractor` is `broker_id`, and `day` is `schedule_date`. */
export function filterIn(query: URLSearchParams): Filter {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 100)
  return {
    status: query.getAll('status').flatMap((value) => (value === '' ? [] : value.slice(0, 500).split(','))),
    type: text('type'),
    driver_id: text('driver'),
    broker_id: text('contractor'),
    schedule_date: text('day'),
    tag: text('tag'),
    late: query.get('late') === '1',
    exceptions: query.get('exceptions') === '1',
    undeliverable: query.get('undeliverable') === '1',
    unassigned: query.get('unassigned') === '1',
    reported: query.get('reported') === '1',
    contradicting: query.get('contradicting') === '1',
    sort: text('sort'),
  }
}

const names = { driver_id: 'driver', broker_id: 'contractor', schedule_date: 'day' } as const

/** The name of a member of the filter in an address. */
function nameOf(member: string): string {
  return Object.hasOwn(names, member) ? names[member as keyof typeof names] : member
}

/** The query of the address of a filter; empty if nothing is chosen. */
export function queryOf(filter: Filter): string {
  const query = new URLSearchParams()
  for (const status of filter.status) query.append('status', status)
  for (const member of texted) if (filter[member] !== '') query.set(nameOf(member), filter[member])
  for (const member of ticks) if (filter[member]) query.set(member, '1')
  return String(query)
}

/** The filter as the operation takes it. */
export function inputOf({
  status,
  late,
  exceptions,
  undeliverable,
  unassigned,
  reported,
  contradicting,
  ...filter
}: Filter): Readonly<Record<string, unknown>> {
  const given = texted.flatMap((member) => {
    const value = filter[member]
    if (value === '') return []
    return [[member, isPersonMember(member) ? (idIn(value) ?? value) : value] as const]
  })
  const among = status.length === 0 ? exceptionStatuses : status.filter((one) => exceptionStatuses.includes(one))
  return {
    ...Object.fromEntries(given),
    ...(late && { late: true }),
    ...(undeliverable && { undeliverable: true }),
    ...(unassigned && { unassigned: true }),
    ...(reported && { reported: true }),
    ...(contradicting && { contradicting: true }),
    ...(exceptions ? { status: among } : status.length > 0 && { status }),
  }
}

const listMembers = membersOf('get_orders')

/** What the form of the filter is drawn from. */
interface FilterPart {
  readonly filter: Filter
  readonly wrong: Wrong
  readonly choices: ReadonlyMap<string, readonly Choice[]>
}

/** The form of the filter, with what this visitor is shown of orders. */
export function filterForm({ filter, wrong, choices }: FilterPart, visitor: Visitor, setting: OrderSetting): Html {
  const { orders: texts } = setting
  const { filter: words, types, sorts, lang } = texts
  const any = ['', words.any] as const
  const statuses = Object.keys(orderStatuses).map((status) => [status, orderStatusIn(lang, status)] as const)
  const kinds = memberOf(listMembers, 'type').choices.map((type) => [type, types[type as keyof typeof types]] as const)
  const entry = (member: keyof Filter & keyof typeof words, control: Html) =>
    html`<div class="entry"><label for="f-${member}">${words[member]}</label>${control}${wrongAt(`f-${member}-wrong`, wrong.get(member))}</div>`
  const select = (member: 'type' | 'driver_id' | 'broker_id' | 'sort', all: readonly (readonly [string, string])[]) =>
    html`<select id="f-${member}" name="${nameOf(member)}"${flaw(member, wrong)}>${options(withOwn(all, filter[member]), filter[member])}</select>`
  const person = (member: 'driver_id' | 'broker_id') => {
    if (!isShown(member, visitor)) return undefined
    const people = choices.get(member)
    return entry(member, people === undefined ? input(member, filter[member], wrong) : select(member, [any, ...people]))
  }
  const shownTicks = ticks.filter((name) => !staffTicks.includes(name) || staff.includes(visitor.account.role))
  const isOpen = queryOf({ ...filter, sort: '' }) !== ''
  return html`<details class="filters"${isOpen && html` open`}><summary>${words.label}</summary>
<form class="filter" method="get" action="${home}" aria-label="${words.label}">${languageField(setting)}
${entry('status', html`<select id="f-status" name="status"${flaw('status', wrong)}>${options([any, ...manyOf(filter, statuses, texts)], filter.status.join(','))}</select>`)}
${entry('type', select('type', [any, ...kinds]))}
${person('driver_id')}
${person('broker_id')}
${entry('schedule_date', html`<input id="f-schedule_date" name="day" type="date" value="${filter.schedule_date}"${flaw('schedule_date', wrong)}>`)}
${isShown('tags', visitor) && entry('tag', input('tag', filter.tag, wrong))}
${entry('sort', select('sort', Object.entries(sorts)))}
<div class="entry ticks">${shownTicks.map((name) => tick(name, '1', words[name], filter[name]))}</div>
<p class="go"><button type="submit">${words.show}</button> <a href="${withLanguage(home, setting)}">${words.clear}</a></p>
</form></details>`
}

/** Several statuses of an address are one choice, so that the form keeps them. */
function manyOf({ status }: Filter, statuses: readonly (readonly [string, string])[], { lang, between }: OrderTexts) {
  const words = status.map((one) => orderStatusIn(lang, one)).join(between)
  return status.length > 1 ? [...statuses, [status.join(','), words] as const] : statuses
}

function withOwn(all: readonly (readonly [string, string])[], value: string) {
  return value === '' || all.some(([one]) => one === value) ? all : [...all, [value, value] as const]
}

function flaw(member: string, wrong: Wrong): Html | undefined {
  return wrong.has(member) ? html` aria-invalid="true" aria-describedby="f-${member}-wrong"` : undefined
}

function input(member: keyof Filter, value: string, wrong: Wrong): Html {
  return html`<input id="f-${member}" name="${nameOf(member)}" type="text" maxlength="100" value="${value}" autocomplete="off" spellcheck="false" dir="ltr"${flaw(member, wrong)}>`
}
