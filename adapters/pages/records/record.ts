import { html } from 'hono/html'
import { call, isEngineError, type Operation, type Part } from '../../../engine/index.ts'
import { showTask, takeTask } from '../signed-in/act.ts'
import type { Task } from '../signed-in/action-page.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { formOf, type Kind, openActions, secretsOf, type Values } from '../signed-in/kinds.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { actionName, fieldTitle, thingName, thingTitle } from '../signed-in/operation-words.ts'
import { isThere } from '../signed-in/parts.ts'
import type { Visitor } from '../signed-in/session.ts'
import { valueTexts } from '../signed-in/value-texts.ts'
import { argumentTable } from '../signed-in/values.ts'
import { idIn, message } from '../signed-in/visit.ts'
import { formTexts } from '../texts/forms.ts'
import type { Html } from '../words.ts'
import { withKind } from './list.ts'
import { home, type RecordSetting, type Visited } from './setting.ts'
import { fieldIn, shownAs, shownField, statusBadge } from './values.ts'

interface Found {
  readonly kind: Kind
  readonly id: number
  readonly record: Values
}

/** The thing in the path; answers that there is none, or that the visitor may not see it. */
function withRecord(visit: Visited, visitor: Visitor, serve: (found: Found) => Promise<Response>): Promise<Response> {
  return withKind(visit, visitor, async (kind) => {
    const { entity, get } = kind
    const id = idIn(visit.request.req.param('id')) ?? 0
    const missing = () => message(visit, 404, visit.setting.records.missing, visitor)
    try {
      const answer: Values = await call(get, visitor.context, { [entity.id]: id })
      return await serve({ kind, id, record: recordIn(kind, answer) })
    } catch (error) {
      if (isEngineError(error, entity.refusals.missing) || isEngineError(error, 'invalid_input')) return missing()
      throw error
    }
  })
}

/** The record in the answer of a read, and what is beside it. */
function recordIn({ entity: { api } }: Kind, { result: _, ...answer }: Values): Values {
  if (api.one === undefined) return answer
  const { [api.one]: record, ...beside } = answer
  return { ...(record as Values), ...beside }
}

/** Shows one thing: what its table says of it, and what the visitor can do with it. */
export function showRecord(visit: Visited, visitor: Visitor): Promise<Response> {
  return withRecord(visit, visitor, async (found) => {
    const said = confirmedIn(visit, visitor)
    return visit.answering.page(200, recordPage(found, said, visitor, visit.setting))
  })
}

/** What a heading calls a thing. */
function titleOfRecord({ kind, id }: Found, lang: string): string {
  return `${thingTitle(kind.entity.noun, lang)} ${id}`
}

function recordPage(found: Found, said: Result | undefined, visitor: Visitor, setting: RecordSetting): Html {
  const { kind, record } = found
  const { records: texts } = setting
  const { lang } = setting.texts
  const title = titleOfRecord(found, lang)
  const content = html`<p class="back"><a href="${withLanguage(`${home}/${kind.name}`, setting)}">${texts.toList}</a></p>
${resultBox(said)}
<div class="order"><div class="head"><h1 class="number">${thingName(kind.entity.noun, lang)} ${found.id}</h1><p>${statusBadge(kind, String(record.status), lang)}</p></div>
<div class="columns"><section aria-labelledby="facts"><h2 id="facts">${texts.facts}</h2>${facts(found, visitor, setting)}</section>
${actionList(found, visitor, setting)}</div></div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}

/** All fields of the table that the record has, each with its name, and then what else the record says. */
function facts({ kind, record }: Found, visitor: Visitor, setting: RecordSetting): Html {
  const { entity } = kind
  const { parts = {} } = entity
  const { lang } = setting.texts
  const names = Object.keys(entity.fields).filter((name) => name !== 'status' && isThere(fieldIn(kind, name, record)))
  const rows = names.map((name) => {
    const value = shownField(kind, name, record, visitor, setting)
    return html`<div><dt>${fieldTitle(name, lang)}</dt><dd>${value}</dd></div>`
  })
  const told = new Set([
    ...['id', 'status', ...Object.keys(parts)],
    ...Object.entries(entity.fields).map(([name, { shownAs = name }]) => shownAs.split('.')[0]),
  ])
  const rest = Object.fromEntries(Object.entries(record).filter(([name, value]) => !told.has(name) && isThere(value)))
  const lists = Object.entries(parts).map(([name, part]) => {
    const { [name]: all } = record
    const isGiven = Array.isArray(all) && all.length > 0
    return isGiven && html`<h3>${fieldTitle(name, lang)}</h3>${all.map((one) => partOf(part, one, visitor, setting))}`
  })
  const isMore = Object.keys(rest).length > 0
  return html`<dl class="meta">${rows}</dl>${lists}
${isMore && html`<details open><summary>${setting.records.more}</summary>${argumentTable(rest, valueTexts(lang))}</details>`}`
}

/** What a record says of one of its parts, such as an exception of a device order. */
function partOf({ fields }: Part, one: Values, visitor: Visitor, setting: RecordSetting): Html {
  const given = Object.entries(one).filter(([, value]) => isThere(value))
  const rows = given.map(
    ([name, value]) =>
      html`<div><dt>${name === 'id' ? setting.records.id : fieldTitle(name, setting.texts.lang)}</dt><dd>${shownAs(fields[name], name, value, visitor, setting)}</dd></div>`,
  )
  return html`<dl class="meta">${rows}</dl>`
}

function actionList({ kind, id, record }: Found, visitor: Visitor, setting: RecordSetting): Html {
  const { lang } = setting.texts
  const words = formTexts(lang)
  const open = openActions(kind, visitor, { status: String(record.status) })
  // What cannot be undone comes last.
  const sorted = [...open].sort((one, other) => Number(one.risk === 'high') - Number(other.risk === 'high'))
  const links = sorted.map(
    (operation) =>
      html`<li><a href="${withLanguage(`${home}/${kind.name}/${id}/do/${operation.name}`, setting)}"${operation.risk === 'high' && html` class="grave"`}>${actionName(operation, lang)}</a></li>`,
  )
  const list = open.length === 0 ? html`<p class="hint">${words.none}</p>` : html`<ul role="list">${links}</ul>`
  return html`<section class="actions" aria-labelledby="actions"><h2 id="actions">${words.title}</h2>${list}</section>`
}

/** Shows the form of an action on a thing that its status allows, or of one that begins a new one. */
export function showAction(visit: Visited, visitor: Visitor): Promise<Response> {
  const serve = (task: Task) => showTask(visit, visitor, task)
  return withTask(visit, visitor, ({ status }) => ({ status: String(status) }), serve)
}

/**
 * Previews an action, or takes it. Whether the status allows it is said by the operation: a form that is sent twice is answered as it
 * was, and one that is late is refused with what was entered.
 */
export function takeAction(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const serve = (task: Task) => takeTask(visit, visitor, task, form)
  return withTask(visit, visitor, () => 'any', serve)
}

function withTask(
  visit: Visited,
  visitor: Visitor,
  allowed: (record: Values) => Parameters<typeof openActions>[2],
  serve: (task: Task) => Promise<Response>,
): Promise<Response> {
  const { operation: name, begin } = visit.request.req.param()
  const missing = () => message(visit, 404, visit.setting.records.missing, visitor)
  const chosen = (open: readonly Operation[]) => open.find((operation) => operation.name === (name ?? begin))
  if (begin !== undefined)
    return withKind(visit, visitor, async (kind) => {
      const operation = chosen(openActions(kind, visitor, 'nothing'))
      return operation === undefined ? missing() : serve(taskOf(visit, kind, operation))
    })
  return withRecord(visit, visitor, async (found) => {
    const operation = chosen(openActions(found.kind, visitor, allowed(found.record)))
    return operation === undefined ? missing() : serve(taskOf(visit, found.kind, operation, found))
  })
}

function taskOf({ setting }: Visited, kind: Kind, operation: Operation, found?: Found): Task {
  const { entity, name } = kind
  const { records: texts } = setting
  const members = formOf(entity, operation)
  const list = `${home}/${name}`
  const own = found === undefined ? undefined : `${list}/${found.id}`
  const title = found === undefined ? '' : titleOfRecord(found, setting.texts.lang)
  return {
    ...{ operation, members, title, begun: new Map(), choices: new Map() },
    fixed: found === undefined ? {} : { [entity.id]: found.id },
    subject:
      found === undefined
        ? html``
        : html`<b>${title}</b> ${statusBadge(kind, String(found.record.status), setting.texts.lang)}`,
    back: own === undefined ? { path: list, text: texts.toList } : { path: own, text: texts.toRecord },
    address: own === undefined ? `${list}/new/${operation.name}` : `${own}/do/${operation.name}`,
    ...{ table: entity, reveals: secretsOf(kind, operation) },
    done: (answer) => own ?? `${list}/${String(answer[entity.id])}`,
  }
}
