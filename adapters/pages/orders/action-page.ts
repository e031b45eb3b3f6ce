import { html } from 'hono/html'
import type { Change } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { inputFields } from '../signed-in/input-fields.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import type { Members } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import { argumentTable, changeList } from '../signed-in/values.ts'
import { type Html, visible } from '../words.ts'
import type { Action } from './actions.ts'
import type { Choice } from './people.ts'
import { home, type OrderSetting } from './setting.ts'
import { type Order, statusBadges } from './shown.ts'
import { actionLead, actionTitle, changeNames, memberNames } from './words.ts'

/** What the page of an action shows. */
interface ShownAction {
  readonly order: Order
  readonly action: Action
  readonly members: Members
  readonly texts: ReadonlyMap<string, string>
  readonly choices: ReadonlyMap<string, readonly Choice[]>
  readonly wrong: Wrong
  /** The idempotency key of the call. */
  readonly key: string
  readonly result?: Result | undefined
  /** What the action would record, with the values that it was asked with. */
  readonly previewed?: { readonly changes: readonly Change[]; readonly values: unknown } | undefined
}

/** The page of an action on an order: its form, or what it would do. */
export function actionPage(shown: ShownAction, visitor: Visitor, setting: OrderSetting): Html {
  const { order, action, result, previewed } = shown
  const { orders: texts } = setting
  const { operation } = action
  const name = actionTitle(operation, texts.lang)
  const content = html`<p class="back"><a href="${withLanguage(`${home}/${order.order_id}`, setting)}">${texts.actions.back}</a></p>
${resultBox(result)}
<section class="card act" aria-labelledby="act"><h1 id="act">${name}</h1>
<p class="subject"><b>${visible(order.tracking_number)}</b> ${statusBadges(order, visitor, texts)}</p>
<p class="lead">${actionLead(operation, texts.lang)}</p>
${previewed === undefined ? entryForm(shown, visitor, setting) : previewPart(shown, previewed, visitor, setting)}</section>`
  const title = `${name} · ${order.tracking_number}`
  return signedFrame({ title, content, kind: 'proposal', visitor, kept: idsOf(shown) }, setting)
}

/** The ids that were linked or entered, as a query: of what a form has, only these may be in an address. */
function idsOf({ action: { operation, names }, texts }: ShownAction): string {
  const isId = (name: string) => name !== names && Object.hasOwn(operation.ids ?? {}, name)
  return String(new URLSearchParams([...texts].filter(([name, text]) => isId(name) && text !== '')))
}

function addressOf({ order, action }: ShownAction, setting: OrderSetting): string {
  return withLanguage(`${home}/${order.order_id}/do/${action.operation.name}`, setting)
}

function form(shown: ShownAction, { formToken }: Visitor, setting: OrderSetting, content: unknown): Html {
  const { order, key, texts } = shown
  const seen = texts.get('seen') ?? order.updated_at
  return html`<form method="post" action="${addressOf(shown, setting)}">${formField(formToken)}
<input type="hidden" name="key" value="${key}"><input type="hidden" name="seen" value="${seen}">
${content}</form>`
}

function entryForm(shown: ShownAction, visitor: Visitor, setting: OrderSetting): Html {
  const { members, texts, wrong, choices, action, order, result } = shown
  const { actions: words, lang } = setting.orders
  const optional = action.isCorrection ? '' : words.optional
  const fields = inputFields(members, { texts, wrong, choices, optional, names: memberNames(lang), page: lang })
  const isGrave = action.operation.risk === 'high'
  const now =
    result?.text === words.refresh
      ? { ...shown, texts: new Map([...texts, ['seen', order.updated_at] as const]) }
      : shown
  return form(
    now,
    visitor,
    setting,
    html`<div class="fields">${fields}</div>
${isGrave && html`<p class="hint">${words.high}</p>`}
<p class="saving">${!isGrave && html`<button type="submit" name="step" value="do">${actionTitle(action.operation, lang)}</button> `}<button type="submit" name="step" value="preview"${!isGrave && html` class="plain"`}>${words.preview}</button></p>`,
  )
}

function previewPart(
  shown: ShownAction,
  { changes, values }: NonNullable<ShownAction['previewed']>,
  visitor: Visitor,
  setting: OrderSetting,
): Html {
  const { orders } = setting
  const { actions: words, lang, named } = orders
  const { texts, members, action } = shown
  const entered = [...texts].filter(([name]) => Object.hasOwn(members, name.split('.')[0] ?? ''))
  const hidden = entered.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const isGrave = action.operation.risk === 'high'
  const confirm = html`<input type="hidden" name="confirm" value="1">${hidden}
<p class="saving"><button type="submit" name="step" value="do"${isGrave && html` class="refuse"`} autofocus>${named({ name: words.confirm })} ${actionTitle(action.operation, lang)}</button> <a href="${addressOf(shown, setting)}">${words.again}</a></p>`
  return html`<h2>${orders.changes.title}</h2><p role="status" class="hint">${words.previewed}</p>
${changeList(changes, orders, changeNames(lang))}
<details><summary>${words.withValues}</summary>${argumentTable(values, orders)}</details>
${form(shown, visitor, setting, confirm)}`
}
