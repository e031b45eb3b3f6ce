import {
  type Answer,
  authorizeAndValidate,
  type Change,
  changesIn,
  type EngineError,
  isObject,
  perform,
  preview,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationQuery } from '../signed-in/confirmation.ts'
import { textsOf } from '../signed-in/input-fields.ts'
import { changesIn as changesOfForm, valuesIn } from '../signed-in/input-values.ts'
import type { Result } from '../signed-in/layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, type Wrong, wrongIn } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { message } from '../signed-in/visit.ts'
import { actionPage } from './action-page.ts'
import { type Action, actionsIn, isOpen, membersFor } from './actions.ts'
import { withOrder } from './order.ts'
import { choicesFor, isPersonMember } from './people.ts'
import { home, type Visited } from './setting.ts'
import type { Order } from './shown.ts'

/** An action on an order that is being taken. */
interface Taking {
  readonly visit: Visited
  readonly visitor: Visitor
  readonly order: Order
  readonly action: Action
}

/** What the page of an action shows beside the action. */
interface More {
  readonly texts: ReadonlyMap<string, string>
  readonly key: string
  readonly result?: Result
  readonly wrong?: Wrong
  readonly previewed?: { readonly changes: readonly Change[]; readonly values: unknown }
}

/** Shows the form of an action. Parts of the order come from its link. */
export function showAction(visit: Visited, visitor: Visitor): Promise<Response> {
  return withAction(visit, visitor, (taking) => {
    const linked = Object.entries(visit.request.req.query()).filter(([name]) =>
      Object.hasOwn(taking.action.members, name),
    )
    const texts = new Map([...beginningOf(taking.action, taking.order), ...linked])
    return show(taking, 200, { texts, key: visitor.context.randomId() })
  })
}

/** Previews an action, or takes it. What is of high risk is taken only by the form that shows what it does. */
export function takeAction(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  return withAction(visit, visitor, async (taking) => {
    const texts = new Map([...form].map(([name, value]) => [name, value] as const))
    const given = form.get('key') ?? ''
    const more = { texts, key: /^[\w-]{8,64}$/.test(given) ? given : visitor.context.randomId() }
    if (hasChanged(taking, form)) {
      const result = { kind: 'bad', text: visit.setting.orders.actions.refresh } as const
      return show(taking, 409, { ...more, result })
    }
    try {
      return await carryOut(taking, form, more)
    } catch (error) {
      return refused(taking, refusalIn(error), more)
    }
  })
}

async function withAction(
  visit: Visited,
  visitor: Visitor,
  serve: (taking: Taking) => Promise<Response>,
): Promise<Response> {
  return withOrder(visit, visitor, async (order) => {
    const { request, gateway, setting } = visit
    const name = request.req.param('operation')
    const action = actionsIn(gateway.operations).find(({ operation }) => operation.name === name)
    if (action === undefined || !isOpen(action, order, visitor))
      return message(visit, 404, setting.orders.actions.missing, visitor)
    return serve({ visit, visitor, order, action })
  })
}

/** What a form begins with: for a correction all that is there, for other actions what names what the order has. */
function beginningOf({ members, isCorrection }: Action, order: Order): ReadonlyMap<string, string> {
  const { shipping_price, currency, tax, surcharges, route_id } = order
  if (!isCorrection) return textsOf({ ...('route_id' in members && { route_id }) })
  const known: Readonly<Record<string, unknown>> = { ...order, price: { shipping_price, currency, tax, surcharges } }
  return textsOf(Object.fromEntries(Object.keys(members).map((name) => [name, known[name]])))
}

/** Whether a correction was begun from an order that has changed since: it would undo what somebody else has done. */
function hasChanged({ action, order }: Taking, form: URLSearchParams): boolean {
  return action.isCorrection && form.get('seen') !== order.updated_at
}

async function carryOut(taking: Taking, form: URLSearchParams, more: More): Promise<Response> {
  const { visit, visitor, order, action } = taking
  const { operation } = action
  const { context } = visitor
  const values = inputOf(taking, more.texts)
  const value = authorizeAndValidate(operation, context, values)
  const isConfirmed = operation.risk !== 'high' || form.get('confirm') === '1'
  if (form.get('step') !== 'do' || !isConfirmed) {
    const { answer, appends } = await preview(operation, context, value)
    const result = refusalOfAnswer(answer)
    if (result !== undefined) return show(taking, 409, { ...more, result })
    return show(taking, 200, { ...more, previewed: { changes: changesIn(appends, context.caller), values } })
  }
  const result = refusalOfAnswer(await perform(operation, context, value, more.key))
  if (result !== undefined) return show(taking, 409, { ...more, result, key: context.randomId() })
  const to = operation.name === 'delete_order' ? home : `${home}/${order.order_id}`
  return visit.answering.redirect(
    withLanguage(`${to}?${confirmationQuery(visitor, ['done', operation.name])}`, visit.setting),
  )
}

function inputOf({ action, order, visitor }: Taking, texts: ReadonlyMap<string, string>) {
  const { names, isCorrection } = action
  const members = membersFor(action, visitor)
  const given = valuesIn(texts, members)
  const values = isCorrection ? changesOfForm(given, valuesIn(beginningOf(action, order), members), members) : given
  return { ...values, [names]: names === 'order_id' ? order.order_id : [order.order_id] }
}

/** Some operations answer that they did nothing, and why: as a whole, or for each order. */
function refusalOfAnswer({ result, message, errors }: Answer): Result | undefined {
  const [first] = Array.isArray(errors) ? errors.filter(isObject) : []
  const words = result === false ? message : first?.message
  return typeof words === 'string' ? { kind: 'bad', text: words } : undefined
}

function refused(taking: Taking, error: EngineError, more: More): Promise<Response> {
  const { visitor, action } = taking
  const wrong = wrongIn(error, visitor, ({ path }) => path)
  const result = refusalOf(error, visitor)
  // The key of a refused call is free, but what is sent next is another call.
  const fresh = { ...more, key: visitor.context.randomId(), result, wrong }
  const isOfField = [...wrong.keys()].some((path) => path.split('.')[0] !== action.names)
  return show(taking, isOfField ? 422 : statusFor(error), fresh)
}

async function show(taking: Taking, status: number, more: More): Promise<Response> {
  const { visit, visitor, action } = taking
  const members = membersFor(action, visitor)
  const choices = await choicesFor(visitor, Object.keys(members).filter(isPersonMember))
  const shown = { ...taking, wrong: nothingWrong, ...more, members, choices }
  return visit.answering.page(status, actionPage(shown, visitor, visit.setting))
}
