import type { Hono } from 'hono'
import {
  csvLine,
  exportMarkUps,
  getMarkUps,
  importMarkUps,
  markUpColumns,
  publishMarkUps,
  rowOfMarkUp,
} from '../../../engine/index.ts'
import { addAccount } from '../signed-in/account.ts'
import { attachment } from '../signed-in/attachment.ts'
import { outputOf } from '../signed-in/output.ts'
import { refusalIn, statusFor } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { message, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { markUpPage, published, resultOf, type Shown } from './page.ts'
import { emptyRows, filledRows, type Row, rowsIn, rulesOf } from './rows.ts'
import { home, importHome, type MarkUpSetting, type Visited } from './setting.ts'

/** The page on which an admin says what customers pay for the rates of carriers: `/mark-ups`. */
export function addMarkUps(app: Hono, served: Served<MarkUpSetting>): void {
  addAccount(app, served)
  route(app, 'get', `${home}/export.csv`, signedIn(download))(served)
  route(app, 'get', home, signedIn(show))(served)
  route(app, 'get', importHome, signedIn(show))(served)
  route(app, 'post', home, signedForm(take))(served)
  route(app, 'post', importHome, signedForm(takeImport))(served)
}

async function show(visit: Visited, visitor: Visitor): Promise<Response> {
  if (!may(visitor, getMarkUps)) return message(visit, 403, { ...visit.setting.markUps.forbidden, more: '' }, visitor)
  return answer(visit, visitor, 200, await current(visitor))
}

/** The mark-ups that hold, as rows. */
async function current(visitor: Visitor): Promise<Shown> {
  const { version, currency, rules } = await published(visitor)
  const rows = rules.map((rule, at): Row => ({ cells: rowOfMarkUp(rule), order: String(at + 1) }))
  return { version, currency, rows }
}

function answer({ answering, setting }: Visited, visitor: Visitor, status: number, shown: Shown) {
  return answering.page(status, markUpPage(shown, visitor, setting))
}

/** Publishes the table, or shows more rows of it. */
async function take(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { setting } = visit
  if (!may(visitor, publishMarkUps)) return message(visit, 403, { ...setting.markUps.forbidden, more: '' }, visitor)
  const version = Number(form.get('version'))
  const rows = filledRows(rowsIn(form))
  const { currency } = visitor.account.business
  if (form.get('step') === 'more')
    return answer(visit, visitor, 200, { version, currency, rows: [...rows, ...emptyRows(5, rows.length)] })
  try {
    await outputOf(publishMarkUps, visitor, { rules: rulesOf(rows), version })
    return await done(visit, visitor)
  } catch (error) {
    const refusal = refusalIn(error)
    const result = resultOf(refusal, visitor, setting)
    return answer(visit, visitor, statusFor(refusal), { version, currency, rows, refusal, result })
  }
}

/** Publishes the lines of a file, or of the text. */
async function takeImport(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { setting } = visit
  if (!may(visitor, importMarkUps)) return message(visit, 403, { ...setting.markUps.forbidden, more: '' }, visitor)
  const file = form.get('file') ?? ''
  const csv = file.trim() === '' ? (form.get('csv') ?? '') : file
  try {
    await outputOf(importMarkUps, visitor, { csv })
    return await done(visit, visitor)
  } catch (error) {
    const refusal = refusalIn(error)
    const shown = { ...(await current(visitor)), csv, result: resultOf(refusal, visitor, setting) }
    return answer(visit, visitor, statusFor(refusal), shown)
  }
}

async function done(visit: Visited, visitor: Visitor): Promise<Response> {
  const shown = await current(visitor)
  const text = visit.setting.markUps.published({ version: shown.version })
  return answer(visit, visitor, 200, { ...shown, result: { kind: 'good', text } })
}

async function download(visit: Visited, visitor: Visitor): Promise<Response> {
  if (!may(visitor, exportMarkUps))
    return message(visit, 403, { ...visit.setting.markUps.forbidden, more: '' }, visitor)
  const { rules } = await outputOf(exportMarkUps, visitor, {})
  const lines = rules.map((row) => csvLine(markUpColumns.map((column) => row[column] as string | undefined)))
  const base64 = Buffer.from([csvLine(markUpColumns), ...lines].join('')).toString('base64')
  return attachment(visit.answering, { type: 'text/csv; charset=utf-8', base64, name: 'mark-ups.csv' })
}
