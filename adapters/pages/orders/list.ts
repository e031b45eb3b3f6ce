import { html } from 'hono/html'
import { exportOrders, findOrder, getOrders } from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Choice, choicesFor } from '../signed-in/choices.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { resultBox, signedFrame } from '../signed-in/layout.ts'
import { outputOf } from '../signed-in/output.ts'
import { nothingWrong, refusalIn, refusalOf, type Wrong, wrongIn } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import type { Html } from '../words.ts'
import { type Filter, filterForm, filterIn, inputOf, queryOf } from './filter.ts'
import { mayImport } from './import.ts'
import { namesOf } from './people.ts'
import { home, importHome, type OrderSetting, type Visited } from './setting.ts'
import { type AnyOrder, isLocal, isShown } from './shown.ts'
import { orderRows } from './table.ts'

const perPage = 50

interface ShownList {
  readonly filter: Filter
  readonly wrong: Wrong
  readonly query: string
  readonly orders: readonly AnyOrder[]
  readonly total: number | undefined
  /** Where the page begins; undefined for the first one. */
  readonly cursor: string | undefined
  readonly nextCursor: string | undefined
  readonly names: ReadonlyMap<number, string>
  readonly choices: ReadonlyMap<string, readonly Choice[]>
  readonly said: ReturnType<typeof resultBox>
}

/** Shows the orders that fit, or those that a search finds. */
export async function showOrders(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const address = new URL(request.req.url).searchParams
  const query = (address.get('q') ?? '').trim().slice(0, 200)
  if (!may(visitor, query === '' ? getOrders : findOrder))
    return message(visit, 403, { ...setting.orders.forbidden, more: '' }, visitor)
  const filter = filterIn(address)
  const said = resultBox(confirmedIn(visit, visitor))
  const people = (['driver_id', 'broker_id'] as const).filter((one) => isShown(one, visitor))
  const choices = await choicesFor(visitor, getOrders, people, visit.gateway.operations)
  const begun = { filter, query, choices, cursor: undefined, nextCursor: undefined, total: undefined }
  try {
    const found = query === '' ? await listed(visitor, filter, address) : await searched(visitor, query)
    const names = await namesOf(
      visitor,
      found.orders.filter(isLocal).flatMap(({ driver_id, broker_id }) => [driver_id, broker_id]),
    )
    const shown = { ...begun, ...found, wrong: nothingWrong, names, said }
    return answering.page(200, listPage(shown, visitor, setting))
  } catch (error) {
    const refusal = refusalIn(error)
    if (!isOneOf(error, 'invalid_input')) throw error
    const wrong = wrongIn(refusal, visitor, ({ path }) => path.split('.')[0] ?? '')
    const shown = {
      ...begun,
      orders: [],
      wrong,
      names: new Map(),
      said: resultBox(refusalOf(refusal, visitor)),
    }
    return answering.page(422, listPage(shown, visitor, setting))
  }
}

async function listed(visitor: Visitor, filter: Filter, address: URLSearchParams) {
  const { sort, ...narrowed } = inputOf(filter)
  const cursor = address.get('cursor') ?? undefined
  const place = cursor === undefined ? { ...(sort !== undefined && { sort }) } : { cursor }
  // Only the first page counts, and others are as fast however long the list is.
  const query = { ...narrowed, ...place, per_page: perPage, with_total: cursor === undefined }
  const { orders, total, next_cursor } = await outputOf(getOrders, visitor, query)
  return { orders, total, cursor, nextCursor: next_cursor }
}

async function searched(visitor: Visitor, query: string) {
  const { orders, total } = await outputOf(findOrder, visitor, { query })
  return { orders: orders.map(({ matched: _, ...order }): AnyOrder => order), total }
}

function listPage(shown: ShownList, visitor: Visitor, setting: OrderSetting): Html {
  const { orders: texts, assets } = setting
  const { filter, query, orders, total, said, cursor } = shown
  const count =
    total !== undefined && query === '' && html` <span class="count">${texts.total({ orders: total })}</span>`
  const links = html`<p class="beside">${mayImport(visitor) && html`<a href="${withLanguage(importHome, setting)}">${texts.imports.link}</a> `}${exportLink(filter, visitor, setting)}</p>`
  const content = html`<div class="head"><h1>${texts.title}${count}</h1>${links}</div>
${said}
${searchForm(query, setting)}
${query === '' ? filterForm(shown, visitor, setting) : html`<p class="hint">${texts.search.found({ orders: orders.length, query })} <a href="${withLanguage(home, setting)}">${texts.search.clear}</a></p>`}
<div data-live>${orders.length === 0 ? html`<p class="none">${queryOf(filter) + query === '' ? texts.noneYet : texts.none}</p>` : orderRows(shown, visitor, setting)}
${pages(shown, setting)}</div>
${keysHelp(texts)}`
  const scripts = [assets.ordersScript]
  const kept = query === '' ? addressOf(filter, cursor) : String(new URLSearchParams({ q: query }))
  return signedFrame({ title: texts.title, content, kind: 'list', visitor, scripts, kept }, setting)
}

/** A tag has no place in an export, which must be whole. */
function exportLink(filter: Filter, visitor: Visitor, setting: OrderSetting): Html | undefined {
  if (!may(visitor, exportOrders) || filter.tag !== '') return undefined
  return html`<a href="${withLanguage(`${home}/export.csv?${queryOf({ ...filter, sort: '' })}`, setting)}" download>${setting.orders.exports}</a>`
}

function searchForm(query: string, setting: OrderSetting): Html {
  const { search } = setting.orders
  return html`<form class="search" method="get" action="${home}" role="search" aria-label="${search.label}">${languageField(setting)}
<label for="q">${search.label}</label>
<div class="field"><input id="q" name="q" type="search" required maxlength="200" value="${query}" placeholder="${search.hint}" autocomplete="off" spellcheck="false" dir="auto" aria-describedby="q-hint"><button type="submit">${search.button}</button></div>
<p class="hint" id="q-hint">${search.all}</p></form>`
}

function pages({ filter, cursor, nextCursor }: ShownList, setting: OrderSetting): Html | undefined {
  if (cursor === undefined && nextCursor === undefined) return undefined
  const { orders: texts, signed } = setting
  const to = (page: string | undefined) => withLanguage(`${home}?${addressOf(filter, page)}`, setting)
  return html`<nav class="pager" aria-label="${signed.pages.label}">${cursor !== undefined && html`<a href="${to(undefined)}">${texts.newest}</a>`}
${nextCursor !== undefined && html`<a rel="next" href="${to(nextCursor)}">${texts.next}</a>`}</nav>`
}

/** The query of a page of the list. */
function addressOf(filter: Filter, cursor: string | undefined): string {
  const query = new URLSearchParams(queryOf(filter))
  if (cursor !== undefined) query.set('cursor', cursor)
  return String(query)
}

function keysHelp({ keys, named }: OrderSetting['orders']): Html {
  return html`<p class="hint keyboard" hidden><span>${named({ name: keys.label })} </span><kbd>/</kbd> ${keys.search} · <kbd>j</kbd> <kbd>k</kbd> ${keys.move} · <kbd>Enter</kbd> ${keys.open}</p>`
}
