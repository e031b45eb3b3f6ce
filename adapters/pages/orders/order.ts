import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { getOperationEvents, getOrderDetail, hiddenFrom, type listProofFiles } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { isGrave } from '../signed-in/kinds.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { actionTitle } from '../signed-in/operation-words.ts'
import { outputOf } from '../signed-in/output.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn } from '../signed-in/visit.ts'
import { type Html, visible } from '../words.ts'
import { type Action, actionsIn, isOfPart, isOpen } from './actions.ts'
import { factList, links, parties, priceTable } from './facts.ts'
import { filesOf, proofPart } from './files.ts'
import { namesOf } from './people.ts'
import { home, type OrderSetting, type Visited } from './setting.ts'
import { isLocal, type Order, pathOf, statusBadges } from './shown.ts'
import { timeline } from './timeline.ts'

const eventsPerPage = 100

interface ShownOrder {
  readonly order: Order
  readonly events: InferOutput<typeof getOperationEvents.output> | undefined
  readonly files: InferOutput<typeof listProofFiles.output>['files'] | undefined
  readonly names: ReadonlyMap<number, string>
  readonly actions: readonly Action[]
  readonly said: Result | undefined
}

/** The order in the path; answers that there is none, or that the visitor may not see it. */
export async function withOrder(
  visit: Visited,
  visitor: Visitor,
  serve: (order: Order) => Promise<Response>,
): Promise<Response> {
  const { missing, forbidden } = visit.setting.orders
  if (!may(visitor, getOrderDetail)) return message(visit, 403, { ...forbidden, more: '' }, visitor)
  const order_id = idIn(visit.request.req.param('id'))
  const found = await outputOf(getOrderDetail, visitor, { order_id }).catch((error: unknown) => {
    if (isOneOf(error, 'order_not_found', 'invalid_input')) return undefined
    throw error
  })
  if (found === undefined) return message(visit, 404, missing, visitor)
  if (isLocal(found.order)) return serve(found.order)
  return visit.request.redirect(withLanguage(pathOf(found.order, visitor), visit.setting), 303)
}

/** Shows one order: what it is, what happened to it, and what the visitor can do. */
export function showOrder(visit: Visited, visitor: Visitor): Promise<Response> {
  return withOrder(visit, visitor, async (order) => {
    const { order_id } = order
    const page = { order_id, page: pageIn(visit.request), per_page: eventsPerPage }
    const events = may(visitor, getOperationEvents) ? await outputOf(getOperationEvents, visitor, page) : undefined
    const files = await filesOf(order_id, visitor)
    const names = await namesOf(visitor, peopleOf(order, events))
    const actions = actionsIn(visit.gateway.operations).filter((action) => isOpen(action, order, visitor))
    const shown = { order, events, files, names, actions, said: confirmedIn(visit, visitor) }
    return visit.answering.page(200, orderPage(shown, visitor, visit.setting))
  })
}

function peopleOf({ driver_id, broker_id, customer_id }: Order, events: ShownOrder['events']): readonly unknown[] {
  const actors =
    events?.events.flatMap(({ actor, driver_id }) => [actor.account_id, actor.approved_by, driver_id]) ?? []
  return [driver_id, broker_id, customer_id, ...actors]
}

function orderPage(shown: ShownOrder, visitor: Visitor, setting: OrderSetting): Html {
  const { order, events, names, actions, files, said } = shown
  const { orders: texts, signed, assets } = setting
  const title = visible(order.tracking_number)
  const isHidden = hiddenFrom(visitor.context.caller).includes('local_delivery')
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p>
${resultBox(said)}
<div class="order" data-live>
<div class="head"><h1 class="number">${title}</h1><p>${statusBadges(order, visitor, texts)}</p></div>
${links(order, visitor, setting)}
<div class="columns"><section aria-labelledby="facts"><h2 id="facts">${texts.facts.title}</h2>
${factList(order, { names, visitor, setting })}
${parties(order, texts)}
${isHidden ? html`<p class="hint">${texts.price.hidden}</p>` : priceTable(order, texts)}
${files && proofPart(order.order_id, files, actions, setting)}</section>
${actionPart(order, actions, setting)}</div>
${events && timeline(events.events, { order, names }, visitor, texts)}
${events && pager(events, (page) => withLanguage(`${home}/${order.order_id}?page=${page}`, setting), signed)}</div>`
  const scripts = [assets.ordersScript]
  const kept = events !== undefined && events.page > 1 ? `page=${events.page}` : ''
  return signedFrame({ title, content, kind: 'delivery', visitor, scripts, kept }, setting)
}

function actionPart({ order_id }: Order, all: readonly Action[], setting: OrderSetting): Html {
  const { actions: words, lang } = setting.orders
  const offered = all.filter((action) => !isOfPart(action))
  const groups = (['next', 'change', 'hand'] as const).map((group) => {
    const items = offered.filter((action) => action.group === group)
    if (items.length === 0) return undefined
    const links = items.map(
      ({ operation }) =>
        html`<li><a href="${withLanguage(`${home}/${order_id}/do/${operation.name}`, setting)}"${isGrave(operation) && html` class="grave"`}>${actionTitle(operation, lang)}</a></li>`,
    )
    return html`<h3>${words[group]}</h3><ul role="list">${links}</ul>`
  })
  return html`<nav class="actions" aria-labelledby="actions"><h2 id="actions">${words.title}</h2>
${offered.length === 0 ? html`<p class="hint">${words.none}</p>` : groups}</nav>`
}
