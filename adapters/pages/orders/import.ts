import { html } from 'hono/html'
import {
  type Answer,
  authorizeAndValidate,
  call,
  domains,
  isObject,
  isOpenTo,
  type Operation,
  perform,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { refusalIn, refusalOf, statusFor } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message } from '../signed-in/visit.ts'
import { type Html, visible } from '../words.ts'
import { home, importHome, type OrderSetting, type Visited } from './setting.ts'

const importOrders = operationNamed('import_orders')
const batchResult = operationNamed('get_async_batch_result')

function operationNamed(name: string): Operation {
  const found = domains.flatMap(({ operations = [] }) => operations).find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}

/** Whether a visitor may import orders. */
export function mayImport({ context }: Visitor): boolean {
  return isOpenTo(importOrders, context.caller)
}

interface ShownImport {
  readonly csv: string
  readonly key: string
  readonly result?: Result
  readonly answer?: Answer
  /** Whether the lines were only looked at. */
  readonly isCheck?: boolean
}

/** Shows the form for an import. */
export async function showImport(visit: Visited, visitor: Visitor): Promise<Response> {
  if (!mayImport(visitor)) return message(visit, 403, { ...visit.setting.orders.forbidden, more: '' }, visitor)
  return show(visit, visitor, 200, { csv: '', key: visitor.context.randomId() })
}

/** Checks the lines of an import, or creates their orders. Nothing is created that was not looked at before. */
export async function takeImport(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { context } = visitor
  const file = form.get('file') ?? ''
  const csv = file.trim() === '' ? (form.get('csv') ?? '') : file
  const isCheck = form.get('step') !== 'do' || file.trim() !== ''
  const given = form.get('key') ?? ''
  const key = /^[\w-]{8,64}$/.test(given) ? given : context.randomId()
  try {
    const value = authorizeAndValidate(importOrders, context, { csv, ...(isCheck && { dry_run: true }) })
    if (isCheck) {
      const answer = await call(importOrders, context, value)
      return await show(visit, visitor, 200, { csv, key, answer, isCheck })
    }
    const answer = await perform(importOrders, context, value, key)
    if (typeof answer.asyncId === 'number')
      return visit.answering.redirect(withLanguage(`${importHome}/${answer.asyncId}`, visit.setting))
    return await show(visit, visitor, 200, { csv: '', key: context.randomId(), answer })
  } catch (error) {
    const refusal = refusalIn(error)
    const shown = { csv, key: context.randomId(), result: refusalOf(refusal, visitor) }
    return show(visit, visitor, statusFor(refusal), shown)
  }
}

/** Shows how far an import in the background is. */
export async function showBatch(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, setting, answering } = visit
  const { orders: texts } = setting
  try {
    const answer = await call(batchResult, visitor.context, { id: idIn(request.req.param('batch')) })
    const { imports: words } = texts
    const isDone = answer.status === 'finished'
    const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p><div class="head"><h1>${words.title}</h1></div>
${!isDone && html`<p>${words.accepted}</p>`}<p>${words.progress({ done: Number(answer.done), of: Number(answer.total) })}${!isDone && html` <a href="">${words.refresh}</a>`}</p>
${resultTable(answer, setting)}`
    return answering.page(200, signedFrame({ title: words.title, content, kind: 'list', visitor }, setting))
  } catch (error) {
    if (isOneOf(error, 'batch_not_found', 'invalid_input'))
      return message(visit, 404, texts.imports.batchMissing, visitor)
    if (isOneOf(error, 'forbidden', 'wrong_account', 'outside_role'))
      return message(visit, 403, { ...texts.forbidden, more: '' }, visitor)
    throw error
  }
}

function show(
  { answering, setting }: Visited,
  visitor: Visitor,
  status: number,
  shown: ShownImport,
): Promise<Response> {
  return answering.page(status, importPage(shown, visitor, setting))
}

function importPage(
  { csv, key, result, answer, isCheck = false }: ShownImport,
  visitor: Visitor,
  setting: OrderSetting,
): Html {
  const { orders: texts } = setting
  const { imports: words } = texts
  const [good, bad] = [tallyOf(answer, true), tallyOf(answer, false)]
  const told = answer && (isCheck ? words.checked({ good, bad }) : words.created({ good, bad }))
  const box = told === undefined ? result : ({ kind: good > 0 ? 'good' : 'bad', text: told } as const)
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p><div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div></div>
${resultBox(box)}
<form class="import" method="post" action="${withLanguage(importHome, setting)}" enctype="multipart/form-data">${formField(visitor.formToken)}<input type="hidden" name="key" value="${key}">
<div class="entry"><label for="file">${words.file}</label><input id="file" name="file" type="file" accept=".csv,text/csv"></div>
<div class="entry"><label for="csv">${words.text}</label><textarea id="csv" name="csv" rows="8" spellcheck="false" dir="ltr" wrap="off">${csv}</textarea></div>
<p class="saving"><button type="submit" name="step" value="check"${isCheck && good > 0 && html` class="plain"`}>${words.check}</button>${isCheck && good > 0 && html` <button type="submit" name="step" value="do">${words.create({ orders: good })}</button>`}</p></form>
${answer && resultTable(answer, setting)}`
  return signedFrame({ title: words.title, content, kind: 'list', visitor }, setting)
}

function rowsIn({ orders }: Answer) {
  return Array.isArray(orders) ? orders.filter(isObject) : []
}

function tallyOf(answer: Answer | undefined, isGood: boolean): number {
  return answer === undefined ? 0 : rowsIn(answer).filter(({ result }) => (result === true) === isGood).length
}

/** The result of each line, or of each order of a batch by its place in the file. */
function resultTable(answer: Answer, setting: OrderSetting): Html | undefined {
  const { imports: words } = setting.orders
  const all = rowsIn(answer)
  if (all.length === 0) return undefined
  const isByLine = all.some(({ line }) => line !== undefined)
  const rows = all.map((row) => {
    const { line, index, reference, order_id, tracking_number } = row
    const made =
      order_id !== undefined &&
      html` <a href="${withLanguage(`${home}/${order_id}`, setting)}">${visible(String(tracking_number ?? order_id))}</a>`
    const good = html`<span class="badge good">${made ? words.made : words.good}</span>${made}`
    return html`<tr><th scope="row">${isByLine ? line : Number(index) + 1}</th><td><bdi>${visible(String(reference ?? ''))}</bdi></td>
<td class="wrap">${row.result === true ? good : problemsOf(row).map((text) => html`<p class="wrong">${text}</p>`)}</td></tr>`
  })
  return html`<div class="wide-table" role="region" aria-label="${words.table}" tabindex="0"><table class="dense results"><thead><tr><th scope="col">${isByLine ? words.line : words.row}</th><th scope="col">${words.reference}</th><th scope="col">${words.result}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function problemsOf({ message, errors }: Readonly<Record<string, unknown>>): readonly string[] {
  const found = Array.isArray(errors) ? errors.filter(isObject) : []
  const told = found.map(({ path, message: words }) => visible(`${path}: ${words}`))
  return told.length > 0 ? told : [visible(String(message ?? ''))]
}
