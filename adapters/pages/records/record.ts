import { html } from 'hono/html'
import { call, deriveId, isEngineError, isObject, kinds, type Operation, type Part } from '../../../engine/index.ts'
import { showTask, takeTask } from '../signed-in/act.ts'
import type { Task } from '../signed-in/action-page.ts'
import { withLanguage } from '../signed-in/area.ts'
import { choicesFor } from '../signed-in/choices.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { textsOf } from '../signed-in/input-fields.ts'
import {
  fieldsOf,
  filtersOf,
  formOf,
  isGrave,
  type Kind,
  openActions,
  rangeOf,
  secretsOf,
  statusIn,
  type Values,
} from '../signed-in/kinds.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { actionName, fieldTitle, thingName, thingTitle } from '../signed-in/operation-words.ts'
import { isThere } from '../signed-in/parts.ts'
import { type Members, membersOfInput } from '../signed-in/schema.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
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
  readonly id: string | number
  readonly record: Values
}

/** The thing in the path; answers that there is none, or that the visitor may not see it. */
export function withRecord(
  visit: Visited,
  visitor: Visitor,
  serve: (found: Found) => Promise<Response>,
): Promise<Response> {
  return withKind(visit, visitor, async (kind) => {
    const text = visit.request.req.param('id') ?? ''
    const id = isNamedByText(kind) ? text : (idIn(text) ?? text)
    const missing = () => message(visit, 404, visit.setting.records.missing, visitor)
    try {
      const record = kind.get === undefined ? await listed(kind, id, visitor) : await read(kind, id, visitor)
      return record === undefined ? missing() : await serve({ kind, id, record })
    } catch (error) {
      if (isEngineError(error) && (kinds[error.code] === 'not_found' || error.code === 'invalid_input'))
        return missing()
      throw error
    }
  })
}

/** Whether what reads a thing takes a text, so that one of digits is no number. */
function isNamedByText({ get, param }: Kind): boolean {
  return get !== undefined && membersOfInput(get)[param]?.isNumber === false
}

/** The record in the answer of a read, and what is beside it. */
async function read(
  { get, param: name, one }: Kind,
  id: string | number,
  visitor: Visitor,
): Promise<Values | undefined> {
  if (get === undefined) return undefined
  const { result: _, ...answer }: Values = await call(get, visitor.context, { [name]: id })
  if (one === undefined) return answer
  const { [one]: record, ...beside } = answer
  return { ...(record as Values), ...beside }
}

/** Pages of a list in which a thing that nothing else finds is looked for. */
const mostPages = 10

/** A thing in the list of its kind: by its id, where the list can be filtered by that, and else page by page. */
async function listed(kind: Kind, id: string | number, visitor: Visitor): Promise<Values | undefined> {
  const { list, many, id: name, param } = kind
  const only = Object.hasOwn(filtersOf(list), param) ? { [param]: id } : {}
  for (let page = 1; page <= mostPages; page++) {
    const range = rangeOf(list, page, 100)
    const things = (await call(list, visitor.context, { ...only, ...range }))[many] as readonly Values[]
    const found = things.find((thing) => String(thing[name]) === String(id))
    if (found !== undefined || things.length === 0 || range.page === undefined) return found
  }
  return undefined
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
  return `${thingTitle(kind.noun, lang)} ${id}`
}

function recordPage(found: Found, said: Result | undefined, visitor: Visitor, setting: RecordSetting): Html {
  const { kind, record } = found
  const { records: texts } = setting
  const { lang } = setting.texts
  const title = titleOfRecord(found, lang)
  const content = html`<p class="back"><a href="${withLanguage(`${home}/${kind.name}`, setting)}">${texts.toList}</a></p>
${resultBox(said)}
<div class="order"><div class="head"><h1 class="number">${thingName(kind.noun, lang)} ${found.id}</h1><p>${statusBadge(kind, record, lang)}</p></div>
<div class="columns"><section aria-labelledby="facts"><h2 id="facts">${texts.facts}</h2>${facts(found, visitor, setting)}</section>
${actionList(found, visitor, setting)}</div></div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}

/** All fields that the record has, each with its name, and then what else it says. */
function facts({ kind, record }: Found, visitor: Visitor, setting: RecordSetting): Html {
  const { fields, table, status, id } = kind
  const { parts = {} }: Pick<Part, 'parts'> = table ?? {}
  const { lang } = setting.texts
  const names = Object.keys(fields).filter(
    (name) => ![id, status?.member].includes(name) && isThere(fieldIn(kind, name, record)),
  )
  const rows = names.map((name) => {
    const value = shownField(kind, name, record, visitor, setting)
    return html`<div><dt>${fieldTitle(name, lang)}</dt><dd>${value}</dd></div>`
  })
  const told = new Set([
    ...['id', status?.member, ...Object.keys(parts)],
    ...Object.values(fields).map(({ shownAs }) => shownAs.split('.')[0]),
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
function partOf(part: Part, one: Values, visitor: Visitor, setting: RecordSetting): Html {
  const fields = fieldsOf(part)
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
  const open = openActions(kind, visitor, { status: statusIn(kind, record) ?? '' })
  // What cannot be undone comes last.
  const sorted = [...open].sort((one, other) => Number(isGrave(one)) - Number(isGrave(other)))
  const links = sorted.map(
    (operation) =>
      html`<li><a href="${withLanguage(`${home}/${kind.name}/${id}/do/${operation.name}`, setting)}"${isGrave(operation) && html` class="grave"`}>${actionName(operation, lang)}</a></li>`,
  )
  const files = kind.files.filter((operation) => mayNow(visitor, operation))
  const documents = files.map(
    (operation) =>
      html`<li><a href="${withLanguage(`${home}/${kind.name}/${id}/file/${operation.name}`, setting)}">${actionName(operation, lang)}</a></li>`,
  )
  const all = [...documents, ...links]
  const list = all.length === 0 ? html`<p class="hint">${words.none}</p>` : html`<ul role="list">${all}</ul>`
  return html`<section class="actions" aria-labelledby="actions"><h2 id="actions">${words.title}</h2>${list}</section>`
}

/** Shows the form of an action on a thing that its status allows, or of one that begins a new one. */
export function showAction(visit: Visited, visitor: Visitor): Promise<Response> {
  const serve = (task: Task) => showTask(visit, visitor, task)
  return withTask(visit, visitor, ({ kind, record }) => ({ status: statusIn(kind, record) ?? '' }), serve)
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
  allowed: (found: Found) => Parameters<typeof openActions>[2],
  serve: (task: Task) => Promise<Response>,
): Promise<Response> {
  const { operation: name, begin } = visit.request.req.param()
  const missing = () => message(visit, 404, visit.setting.records.missing, visitor)
  const chosen = (open: readonly Operation[]) => open.find((operation) => operation.name === (name ?? begin))
  if (begin !== undefined)
    return withKind(visit, visitor, async (kind) => {
      const operation = chosen(openActions(kind, visitor, 'nothing'))
      return operation === undefined ? missing() : serve(await taskOf(visit, visitor, kind, operation))
    })
  return withRecord(visit, visitor, async (found) => {
    const operation = chosen(openActions(found.kind, visitor, allowed(found)))
    return operation === undefined ? missing() : serve(await taskOf(visit, visitor, found.kind, operation, found))
  })
}

async function taskOf(
  { setting, gateway }: Visited,
  visitor: Visitor,
  kind: Kind,
  operation: Operation,
  found?: Found,
): Promise<Task> {
  const { param, name } = kind
  const { records: texts } = setting
  const members = formOf(kind, operation)
  const list = `${home}/${name}`
  const own = found === undefined ? undefined : `${list}/${found.id}`
  const title = found === undefined ? '' : titleOfRecord(found, setting.texts.lang)
  return {
    ...{ operation, members, title, ...beginningOf(operation, members, found) },
    choices: await choicesFor(visitor, operation, Object.keys(members), gateway.operations),
    fixed: found === undefined ? {} : { [param]: found.id },
    subject:
      found === undefined ? html`` : html`<b>${title}</b> ${statusBadge(kind, found.record, setting.texts.lang)}`,
    back: own === undefined ? { path: list, text: texts.toList } : { path: own, text: texts.toRecord },
    address: own === undefined ? `${list}/new/${operation.name}` : `${own}/do/${operation.name}`,
    ...{ table: kind.table ?? { fields: {} }, reveals: secretsOf(kind, operation) },
    done: (answer) => (isGone(kind, operation) ? list : (own ?? pageOfMade(kind, answer) ?? list)),
  }
}

/** Whether a thing may have no page any more once something was done to it. */
function isGone({ get, actions }: Kind, operation: Operation): boolean {
  const begins = actions.some((one) => one.operation === operation && one.begins)
  return operation.rest?.method === 'DELETE' || (get === undefined && !begins)
}

/** The page of what was just begun, if its answer says which it is. */
function pageOfMade({ name, id, param, one = '' }: Kind, answer: Values): string | undefined {
  const inside = answer[one]
  const made = answer[param] ?? answer[id] ?? (isObject(inside) ? inside[id] : undefined)
  return made === undefined ? undefined : `${home}/${name}/${String(made)}`
}

/** What the form of a change begins with: what is there. One that changes single members sends those alone that differ. */
function beginningOf({ rest }: Operation, members: Members, found?: Found): Pick<Task, 'begun' | 'correction'> {
  if (found === undefined || (rest?.method !== 'PUT' && rest?.method !== 'PATCH')) return { begun: new Map() }
  const { record } = found
  const begun = textsOf(Object.fromEntries(Object.keys(members).map((name) => [name, record[name]])))
  return { begun, ...(rest.method === 'PATCH' && { correction: { seen: deriveId(JSON.stringify(record)) } }) }
}
