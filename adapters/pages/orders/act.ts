import { html } from 'hono/html'
import { orderTable } from '../../../engine/index.ts'
import { showTask, takeTask } from '../signed-in/act.ts'
import type { Task } from '../signed-in/action-page.ts'
import { choicesFor } from '../signed-in/choices.ts'
import { textsOf } from '../signed-in/input-fields.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import { message } from '../signed-in/visit.ts'
import { visible } from '../words.ts'
import { type Action, actionsIn, isOpen, membersFor } from './actions.ts'
import { withOrder } from './order.ts'
import { home, type Visited } from './setting.ts'
import type { Order } from './shown.ts'
import { statusBadges } from './shown.ts'

/** Shows the form of an action that the status of the order allows. Parts of the order come from its link. */
export function showAction(visit: Visited, visitor: Visitor): Promise<Response> {
  const isOffered = (action: Action, order: Order) => isOpen(action, order, visitor)
  return withAction(visit, visitor, isOffered, (task) => showTask(visit, visitor, task))
}

/**
 * Previews an action, or takes it. Whether the status allows it is said by the operation: a form that is sent twice is answered as it
 * was, and one that is late is refused with what was entered.
 */
export function takeAction(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const isOffered = ({ operation }: Action) => mayNow(visitor, operation)
  return withAction(visit, visitor, isOffered, (task) => takeTask(visit, visitor, task, form))
}

async function withAction(
  visit: Visited,
  visitor: Visitor,
  isOffered: (action: Action, order: Order) => boolean,
  serve: (task: Task) => Promise<Response>,
): Promise<Response> {
  return withOrder(visit, visitor, async (order) => {
    const { request, gateway, setting } = visit
    const name = request.req.param('operation')
    const action = actionsIn(gateway.operations).find(({ operation }) => operation.name === name)
    if (action === undefined || !isOffered(action, order))
      return message(visit, 404, setting.orders.actions.missing, visitor)
    return serve(await taskOf(visit, visitor, order, action))
  })
}

async function taskOf({ setting, gateway }: Visited, visitor: Visitor, order: Order, action: Action): Promise<Task> {
  const { orders: texts } = setting
  const { operation, names, isCorrection } = action
  const { order_id, tracking_number: title } = order
  const members = membersFor(action, visitor)
  return {
    ...{ operation, members, title, begun: beginningOf(action, order) },
    fixed: { [names]: names === 'order_id' ? order_id : [order_id] },
    correction: isCorrection ? { seen: order.updated_at } : undefined,
    subject: html`<b>${visible(title)}</b> ${statusBadges(order, visitor, texts)}`,
    back: { path: `${home}/${order_id}`, text: texts.actions.back },
    address: `${home}/${order_id}/do/${operation.name}`,
    ...{ table: orderTable, reveals: [] },
    choices: await choicesFor(visitor, operation, Object.keys(members), gateway.operations),
    done: () => (operation.name === 'delete_order' ? home : `${home}/${order_id}`),
  }
}

/** What a form begins with: for a correction all that is there, for other actions what names what the order has. */
function beginningOf({ members, isCorrection }: Action, order: Order): ReadonlyMap<string, string> {
  const { shipping_price, currency, tax, surcharges, route_id } = order
  if (!isCorrection) return textsOf({ ...('route_id' in members && { route_id }) })
  const known: Readonly<Record<string, unknown>> = { ...order, price: { shipping_price, currency, tax, surcharges } }
  return textsOf(Object.fromEntries(Object.keys(members).map((name) => [name, known[name]])))
}
