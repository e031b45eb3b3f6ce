import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import {
  type Answer,
  authorizeAndValidate,
  type CsvCell,
  call,
  columnsFor,
  csvLine,
  csvTableIn,
  domains,
  importColumns,
  isObject,
  isOpenTo,
  type Operation,
  passedOver,
  perform,
  refusedColumns,
  sha256,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { attachment } from '../signed-in/attachment.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { refusalIn, refusalOf, statusFor } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message } from '../signed-in/visit.ts'
import { type Html, visible } from '../words.ts'
import { type Choices, type Columns, choicesOf, columnFields, columnsIn } from './columns.ts'
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
  readonly columns?: Columns
  readonly result?: Result
  readonly answer?: Answer
  /** Whether the lines were only looked at. */
  readonly isCheck?: boolean
  /** Whether they were imported before. */
  readonly isAgain?: boolean
}

/** Shows the form for an import. */
export async function showImport(visit: Visited, visitor: Visitor): Promise<Response> {
  if (!mayImport(visitor)) return message(visit, 403, { ...visit.setting.orders.forbidden, more: '' }, visitor)
  return show(visit, visitor, 200, { csv: '' })
}

/** Sends a table without orders, whose columns are those that the visitor may give. */
export async function downloadTemplate(visit: Visited, visitor: Visitor): Promise<Response> {
  if (!mayImport(visitor)) return message(visit, 403, { ...visit.setting.orders.forbidden, more: '' }, visitor)
  return table(visit, 'orders.csv', [columnsFor(visitor.account.role)])
}

/** A table as spreadsheets open it: they take it for UTF-8 only by its byte order mark. */
function table({ answering }: Visited, name: string, lines: readonly (readonly CsvCell[])[]): Response {
  const base64 = Buffer.from(`\ufeff${lines.map(csvLine).join('')}`).toString('base64')
  return attachment(answering, { type: 'text/csv; charset=utf-8', base64, name })
}

/** Checks the lines of an import, or creates their orders. Nothing is created that was not looked at before. */
export async function takeImport(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { context } = visitor
  const file = form.get('file') ?? ''
  const csv = file.trim() === '' ? (form.get('csv') ?? '') : file
  const isCheck = form.get('step') !== 'do' || file.trim() !== ''
  const own = columnsFor(visitor.account.role)
  const kept = choicesCookie(visit, visitor)
  const columns = columnsIn(csv, { of: form.getAll('of'), columns: form.getAll('column') }, kept.choices, own)
  try {
    const input = { csv: columns.csv, ...(isCheck && { dry_run: true }) }
    const value = authorizeAndValidate(importOrders, context, input)
    if (isCheck) {
      const answer = await call(importOrders, context, value)
      if (form.get('step') === 'refused') return table(visit, 'refused.csv', refusedLines(columns, answer))
      const page = await show(visit, visitor, 200, { csv, columns, answer, isCheck })
      page.headers.append('Set-Cookie', kept.set(choicesOf(columns, kept.choices, own)))
      return page
    }
    let isAgain = false
    // One file makes its orders once, however often it is sent.
    const key = `file-${sha256(columns.csv).slice(0, 40)}`
    const answer = await perform(importOrders, context, value, key, () => {
      isAgain = true
    })
    if (typeof answer.asyncId === 'number')
      return visit.answering.redirect(withLanguage(`${importHome}/${answer.asyncId}`, visit.setting))
    return await show(visit, visitor, 200, { csv: tallyOf(answer, false) > 0 ? csv : '', columns, answer, isAgain })
  } catch (error) {
    const refusal = refusalIn(error)
    const shown = { csv, columns, result: refusalOf(refusal, visitor) }
    return show(visit, visitor, statusFor(refusal), shown)
  }
}

/** The lines of a file that are refused, each with its problem, to be imported once they are corrected. */
function refusedLines({ csv }: Columns, answer: Answer): readonly (readonly CsvCell[])[] {
  const lines = linesOf(csv)
  const names = importColumns.filter((column) => lines.values().next().value?.[column] !== undefined)
  const own = names.filter((name) => !refusedColumns.includes(name as never))
  const refused = rowsIn(answer).filter(({ result }) => result !== true)
  return [
    [...refusedColumns, ...own],
    ...refused.map((row) => {
      const cells = lines.get(Number(row.line)) ?? {}
      return [Number(row.line), problemsOf(row).join(' '), ...own.map((name) => cells[name])]
    }),
  ]
}

/** The cells of each line of a file that is a table of orders. */
function linesOf(csv: string): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const rows = csvTableIn('csv', csv, { columns: importColumns, least: 0, most: Number.MAX_SAFE_INTEGER })
  return new Map(rows.map(({ line, cells }) => [line, cells]))
}

/** What this browser remembers of the columns that an account has chosen. */
function choicesCookie({ request, isSecure }: Visited, { account }: Visitor) {
  const name = `otep_import_${account.id}`
  const scope = `Path=${importHome}; ${isSecure ? 'Secure; ' : ''}HttpOnly; SameSite=Lax`
  return {
    choices: choicesFrom(getCookie(request, name) ?? ''),
    set: (choices: Choices) => {
      const text = encodeURIComponent(JSON.stringify(choices))
      return text.length > 3_500 ? `${name}=; Max-Age=0; ${scope}` : `${name}=${text}; Max-Age=31536000; ${scope}`
    },
  }
}

function choicesFrom(text: string): Choices {
  try {
    const value: unknown = JSON.parse(text)
    const known = Object.entries(isObject(value) ? value : {}).flatMap(([name, column]) => {
      return typeof column === 'string' && [...importColumns, passedOver].includes(column)
        ? [[name, column] as const]
        : []
    })
    return Object.fromEntries(known)
  } catch {
    return {}
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
  { csv, columns, result, answer, isCheck = false, isAgain = false }: ShownImport,
  visitor: Visitor,
  setting: OrderSetting,
): Html {
  const { orders: texts } = setting
  const { imports: words } = texts
  const [good, bad] = [tallyOf(answer, true), tallyOf(answer, false)]
  const told = answer && (isCheck ? words.checked({ good, bad }) : words.created({ good, bad }))
  const text = isAgain ? `${words.again} ${told}` : told
  const box = text === undefined ? result : ({ kind: good > 0 ? 'good' : 'bad', text } as const)
  const own = columnsFor(visitor.account.role)
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p><div class="head"><div><h1>${words.title}</h1><p class="lead">${words.lead} <a href="${withLanguage(`${importHome}/template.csv`, setting)}" download>${words.template}</a></p></div></div>
${resultBox(box)}
<form class="import" method="post" action="${withLanguage(importHome, setting)}" enctype="multipart/form-data">${formField(visitor.formToken)}
<div class="entry"><label for="file">${words.file}</label><input id="file" name="file" type="file" accept=".csv,text/csv"></div>
<div class="entry"><label for="csv">${words.text}</label><textarea id="csv" name="csv" rows="8" spellcheck="false" dir="ltr" wrap="off">${csv}</textarea></div>
${csv !== '' && columns && columns.names.length > 0 && columnFields(columns, own, words)}
<p class="saving"><button type="submit" name="step" value="check"${isCheck && good > 0 && html` class="plain"`}>${words.check}</button>${isCheck && good > 0 && html` <button type="submit" name="step" value="do">${words.create({ orders: good })}</button>`}${csv !== '' && bad > 0 && html` <button type="submit" name="step" value="refused" class="plain">${words.refused}</button>`}</p></form>
${answer && resultTable(answer, setting, columns && linesOf(columns.csv))}`
  return signedFrame({ title: words.title, content, kind: 'list', visitor }, setting)
}

/** What a line is recognised by. */
const shownCells = [
  ...['type', 'delivery.name', 'delivery.address.street', 'delivery.address.locality'],
  ...['pickup.name', 'pickup.address.street', 'pickup.address.locality', 'schedule_date', 'items'],
]

function rowsIn({ orders }: Answer) {
  return Array.isArray(orders) ? orders.filter(isObject) : []
}

function tallyOf(answer: Answer | undefined, isGood: boolean): number {
  return answer === undefined ? 0 : rowsIn(answer).filter(({ result }) => (result === true) === isGood).length
}

/** The result of each line, or of each order of a batch by its place in the file. */
function resultTable(
  answer: Answer,
  setting: OrderSetting,
  lines: ReturnType<typeof linesOf> = new Map(),
): Html | undefined {
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
    const cells = lines.get(Number(line)) ?? {}
    const what = shownCells.flatMap((column) => cells[column]?.trim() || [])
    return html`<tr><th scope="row">${isByLine ? line : Number(index) + 1}</th><td><bdi>${visible(String(reference ?? ''))}</bdi></td>
${lines.size > 0 && html`<td class="wrap">${what.map((text, at) => html`${at > 0 && ' · '}<bdi>${visible(text.slice(0, 80))}</bdi>`)}</td>`}
<td class="wrap">${row.result === true ? good : problemsOf(row).map((text) => html`<p class="wrong">${text}</p>`)}</td></tr>`
  })
  return html`<div class="wide-table" role="region" aria-label="${words.table}" tabindex="0"><table class="dense results"><thead><tr><th scope="col">${isByLine ? words.line : words.row}</th><th scope="col">${words.reference}</th>${lines.size > 0 && html`<th scope="col">${words.order}</th>`}<th scope="col">${words.result}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function problemsOf({ message, errors }: Readonly<Record<string, unknown>>): readonly string[] {
  const found = Array.isArray(errors) ? errors.filter(isObject) : []
  // Messages mark the directions of what they quote themselves.
  const told = found.map(({ path, message: words }) => `${visible(String(path))}: ${words}`)
  return told.length > 0 ? told : [visible(String(message ?? ''))]
}
