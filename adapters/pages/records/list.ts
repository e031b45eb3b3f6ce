import { html } from 'hono/html'
import { call, isEngineError } from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { valuesIn } from '../signed-in/input-values.ts'
import { filtersOf, isShown, type Kind, kindsIn, openActions, rangeOf, type Values } from '../signed-in/kinds.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { actionName, fieldTitle, thingName, thingTitle, valueTitle } from '../signed-in/operation-words.ts'
import { isThere, options } from '../signed-in/parts.ts'
import { refusalIn, refusalOf } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { message, pageIn } from '../signed-in/visit.ts'
import { yesOrNo } from '../texts/forms.ts'
import type { Html } from '../words.ts'
import { home, type RecordSetting, type Visited } from './setting.ts'
import { fieldIn, shownField, statusBadge, statusWords } from './values.ts'

const perPage = 50

/** The most columns of a list beside the id and the status. */
const mostColumns = 8

/** The kinds of things that a visitor may see. */
export async function showKinds(visit: Visited, visitor: Visitor): Promise<Response> {
  const { records: texts } = visit.setting
  const kinds = kindsIn(visit.gateway.operations).filter((kind) => isShown(kind, visitor))
  const links = kinds.map(
    ({ name, plural }) =>
      html`<li><a href="${withLanguage(`${home}/${name}`, visit.setting)}">${thingName(plural, visit.setting.texts.lang)}</a></li>`,
  )
  const list = kinds.length === 0 ? html`<p class="none">${texts.none}</p>` : html`<ul>${links}</ul>`
  const content = html`<div class="card"><h1>${texts.title}</h1><p class="lead">${texts.lead}</p>${list}</div>`
  return visit.answering.page(200, signedFrame({ title: texts.title, content, kind: 'list', visitor }, visit.setting))
}

/** The kind in the path; answers that there is none, or that the visitor may not see it. */
export function withKind(
  visit: Visited,
  visitor: Visitor,
  serve: (kind: Kind) => Promise<Response>,
): Promise<Response> {
  const name = visit.request.req.param('kind')
  const kind = kindsIn(visit.gateway.operations).find((one) => one.name === name)
  if (kind === undefined || !isShown(kind, visitor)) return message(visit, 404, visit.setting.records.missing, visitor)
  return serve(kind)
}

/** Shows the things of a kind that fit, newest first. */
export function showList(visit: Visited, visitor: Visitor): Promise<Response> {
  return withKind(visit, visitor, async (kind) => {
    const { list, many } = kind
    const { searchParams } = new URL(visit.request.req.url)
    const members = filtersOf(kind.list)
    const given = Object.keys(members).map((name) => [name, searchParams.get(name)?.trim() ?? ''] as const)
    const filter = Object.fromEntries(given.filter(([, text]) => text !== ''))
    const shown = { kind, filter, said: confirmedIn(visit, visitor), things: [], paging: undefined }
    try {
      const page = pageIn(visit.request)
      const asked = valuesIn(
        { texts: new Map(Object.entries(filter)), timeZone: visitor.account.business.timeZone },
        members,
      )
      const answer: Values = await call(list, visitor.context, { ...asked, ...rangeOf(list, page, perPage) })
      const things = answer[many] as readonly Values[]
      const paging = answer.total === undefined ? undefined : { page, per_page: perPage, total: Number(answer.total) }
      return visit.answering.page(200, listPage({ ...shown, things, paging }, visitor, visit.setting))
    } catch (error) {
      if (!isEngineError(error, 'invalid_input')) throw error
      const said = refusalOf(refusalIn(error), visitor)
      return visit.answering.page(422, listPage({ ...shown, said }, visitor, visit.setting))
    }
  })
}

interface ShownList {
  readonly kind: Kind
  /** What was entered, by the name of the filter. */
  readonly filter: Readonly<Record<string, string>>
  readonly things: readonly Values[]
  readonly paging: Parameters<typeof pager>[0] | undefined
  readonly said: Result | undefined
}

function listPage(shown: ShownList, visitor: Visitor, setting: RecordSetting): Html {
  const { kind, filter, things, paging, said } = shown
  const { records: texts, signed } = setting
  const { lang } = setting.texts
  const title = thingName(kind.plural, lang)
  const query = (page: number) => String(new URLSearchParams({ ...filter, ...(page > 1 && { page: String(page) }) }))
  const begin = openActions(kind, visitor, 'nothing').map(
    (operation) =>
      html`<a href="${withLanguage(`${home}/${kind.name}/new/${operation.name}`, setting)}">${actionName(operation, lang)}</a> `,
  )
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p>
<div class="head"><h1>${title}</h1><p class="beside">${begin}</p></div>
${resultBox(said)}
${filterForm(shown, setting)}
${things.length === 0 ? said?.kind !== 'bad' && html`<p class="none">${texts.nothing}</p>` : rows(kind, things, visitor, setting)}
${paging && pager(paging, (page) => withLanguage(`${home}/${kind.name}?${query(page)}`, setting), signed)}`
  const kept = query(paging?.page ?? 1)
  return signedFrame({ title: thingTitle(kind.plural, lang), content, kind: 'list', visitor, kept }, setting)
}

function filterForm({ kind, filter }: ShownList, setting: RecordSetting): Html {
  const { records: texts } = setting
  const { lang } = setting.texts
  const fields = Object.entries(filtersOf(kind.list)).map(([name, { choices, isSwitch, isDay }]) => {
    const value = filter[name] ?? ''
    const title = (choice: string) =>
      name === kind.status?.member ? statusWords(kind, choice, lang) : valueTitle(choice, lang, name)
    const chosen = [...choices.map((choice) => [choice, title(choice)] as const), ...(isSwitch ? yesOrNo(lang) : [])]
    const control =
      chosen.length > 0
        ? html`<select id="${name}" name="${name}">${options([['', texts.any], ...chosen], value)}</select>`
        : html`<input id="${name}" name="${name}" type="${isDay ? 'date' : 'text'}" value="${value}" autocomplete="off" dir="auto">`
    return html`<div class="entry"><label for="${name}">${fieldTitle(name, lang)}</label>${control}</div>`
  })
  if (fields.length === 0) return html``
  const path = `${home}/${kind.name}`
  return html`<details class="filters"${Object.keys(filter).length > 0 && html` open`}><summary>${texts.filter}</summary>
<form class="filter" method="get" action="${path}">${languageField(setting)}<div class="fields">${fields}</div>
<p class="saving"><button type="submit">${texts.show}</button> <a href="${withLanguage(path, setting)}">${texts.clear}</a></p></form></details>`
}

/** A row for each thing: its id, its status and what its list shows. */
function rows(kind: Kind, things: readonly Values[], visitor: Visitor, setting: RecordSetting): Html {
  const { id, name, fields, status } = kind
  const { records: texts } = setting
  const { lang } = setting.texts
  const listed = Object.keys(fields)
    .filter((field) => fields[field]?.isListed && ![id, 'id', status?.member].includes(field))
    .filter((field) => things.some((thing) => isThere(fieldIn(kind, field, thing))))
    .slice(0, mostColumns)
  const head = listed.map(
    (field, place) => html`<th scope="col"${place > 1 && html` class="wide"`}>${fieldTitle(field, lang)}</th>`,
  )
  const body = things.map((thing) => {
    const cells = listed.map((field, place) => {
      const isGiven = isThere(fieldIn(kind, field, thing))
      return html`<td${place > 1 && html` class="wide"`}>${isGiven && shownField(kind, field, thing, visitor, setting)}</td>`
    })
    const key = fieldIn(kind, id, thing)
    const badge = status && html`<td>${statusBadge(kind, thing, lang)}</td>`
    return html`<tr><th scope="row"><a href="${withLanguage(`${home}/${name}/${key}`, setting)}">${key}</a></th>${badge}${cells}</tr>`
  })
  return html`<div class="wide-table" role="region" aria-label="${thingTitle(kind.plural, lang)}" tabindex="0"><table class="dense orders">
<thead><tr><th scope="col">${texts.id}</th>${status && html`<th scope="col">${texts.status}</th>`}${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
