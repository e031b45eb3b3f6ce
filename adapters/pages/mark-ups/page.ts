import { html } from 'hono/html'
import {
  type EngineError,
  getMarkUps,
  importMarkUps,
  markUpColumns,
  publishMarkUps,
  remark,
} from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { outputOf } from '../signed-in/output.ts'
import { refusalOf } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import { cellOf, emptyRows, type Row } from './rows.ts'
import { home, importHome, type MarkUpSetting } from './setting.ts'

/** What the page shows. */
export interface Shown {
  readonly version: number
  readonly currency: string
  readonly rows: readonly Row[]
  readonly result?: Result | undefined
  /** What was wrong with what was sent. */
  readonly refusal?: EngineError
  /** The lines that were to be imported. */
  readonly csv?: string
}

/** The mark-ups that hold. */
export function published(visitor: Visitor) {
  return outputOf(getMarkUps, visitor, {})
}

/** The page of mark-ups: a table that an admin edits, and a form for a file. */
export function markUpPage(shown: Shown, visitor: Visitor, setting: MarkUpSetting): Html {
  const { markUps: texts } = setting
  const { version, currency, rows, result } = shown
  const isWriter = may(visitor, publishMarkUps)
  const content = html`<div class="head"><div><h1>${texts.title}</h1><p class="lead">${texts.lead}</p></div></div>
${resultBox(result)}
<p>${texts.version({ version, currency })} <a href="${withLanguage(`${home}/export.csv`, setting)}">${texts.exports}</a></p>
${rows.length === 0 && html`<p>${texts.none}</p>`}
${
  isWriter
    ? editor(shown, visitor, setting)
    : rows.length > 0 &&
      table(
        rows.map((row) => plainRow(row, texts)),
        texts,
      )
}
${may(visitor, importMarkUps) && importForm(shown, visitor, setting)}`
  return signedFrame({ title: texts.title, content, kind: 'list', visitor }, setting)
}

function editor({ version, rows, refusal }: Shown, visitor: Visitor, setting: MarkUpSetting): Html {
  const { markUps: texts } = setting
  const all = [...rows, ...emptyRows(rows.length === 0 ? 3 : 1, rows.length)]
  const wrong = (refusal?.findings ?? []).map((finding) => {
    const { message } = remark(finding, visitor.context.messages)
    return { ...cellOf(finding), message }
  })
  const drawn = all.map((row, at) =>
    editedRow(
      row,
      wrong.filter((one) => one.row === at),
      texts,
    ),
  )
  return html`<form method="post" action="${withLanguage(home, setting)}">${formField(visitor.formToken)}<input type="hidden" name="version" value="${version}">
<p id="cells">${texts.hint}</p>
${table(drawn, texts)}
<p class="saving"><button type="submit" name="step" value="publish">${texts.publish}</button> <button type="submit" name="step" value="more" class="plain">${texts.more}</button></p></form>`
}

type Texts = MarkUpSetting['markUps']

function table(rows: readonly Html[], texts: Texts): Html {
  const heads = markUpColumns.map((column) => html`<th scope="col">${texts.columns[column]}</th>`)
  return html`<div class="wide-table" role="region" aria-label="${texts.table}" tabindex="0"><table class="dense"><thead><tr><th scope="col">${texts.order}</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function plainRow({ order, cells }: Row, texts: Texts): Html {
  const drawn = markUpColumns.map((column) => {
    const text = cells[column] ?? ''
    return html`<td><bdi>${column === 'is_sold' ? soldText(text, texts) : visible(text)}</bdi></td>`
  })
  return html`<tr><th scope="row">${order}</th>${drawn}</tr>`
}

function soldText(text: string, { sold }: Texts): string {
  return text === 'no' ? sold.no : sold.yes
}

/** A finding about a row, or about a cell of it. */
interface WrongCell {
  readonly column?: string
  readonly message: string
}

function editedRow({ order, cells }: Row, wrong: readonly WrongCell[], texts: Texts): Html {
  const name = (column: string) => texts.cell({ column, row: order })
  const drawn = markUpColumns.map((column) => {
    const label = name(texts.columns[column])
    const found = wrong.filter((one) => one.column === column)
    const invalid = found.length > 0 && html` aria-invalid="true"`
    const value = cells[column] ?? ''
    const options = ['', 'yes', 'no'].map(
      (one) =>
        html`<option value="${one}"${one === value && html` selected`}>${one === '' ? '' : soldText(one, texts)}</option>`,
    )
    const entry =
      column === 'is_sold'
        ? html`<select name="${column}" aria-label="${label}"${invalid}>${options}</select>`
        : html`<input class="${column}" name="${column}" value="${value}" aria-label="${label}" dir="ltr" autocomplete="off"${invalid}>`
    return html`<td>${entry}${messagesOf(found)}</td>`
  })
  const ofRow = wrong.filter(({ column }) => column === undefined)
  const first = html`<input class="order" name="order" value="${order}" inputmode="decimal" aria-label="${name(texts.order)}" dir="ltr" autocomplete="off">`
  return html`<tr><th scope="row">${first}${messagesOf(ofRow)}</th>${drawn}</tr>`
}

function messagesOf(found: readonly WrongCell[]): readonly Html[] {
  return found.map(({ message }) => html`<p class="wrong">${visible(message)}</p>`)
}

function importForm({ csv = '' }: Shown, { formToken }: Visitor, setting: MarkUpSetting): Html {
  const { imports: words } = setting.markUps
  return html`<h2>${words.title}</h2><p>${words.lead}</p>
<form class="import" method="post" action="${withLanguage(importHome, setting)}" enctype="multipart/form-data">${formField(formToken)}
<div class="entry"><label for="file">${words.file}</label><input id="file" name="file" type="file" accept=".csv,text/csv"></div>
<div class="entry"><label for="csv">${words.text}</label><textarea id="csv" name="csv" rows="6" spellcheck="false" dir="ltr" wrap="off">${csv}</textarea></div>
<p class="saving"><button type="submit">${words.button}</button></p></form>`
}

/** What was wrong, above the page: with the place of each finding. */
export function resultOf(refusal: EngineError, visitor: Visitor, { markUps: texts }: MarkUpSetting): Result {
  if (refusal.findings.length === 0) return refusalOf(refusal, visitor)
  const told = refusal.findings.slice(0, 20).map((finding) => {
    const { message, path } = remark(finding, visitor.context.messages)
    const { row, column } = cellOf(finding)
    const title = Object.entries(texts.columns).find(([name]) => name === column)?.[1] ?? texts.order
    return html`<span class="told">${visible(row === undefined ? path : texts.cell({ column: title, row: row + 1 }))}: ${visible(message)}</span> `
  })
  return { kind: 'bad', text: html`${told}` }
}
