import { html } from 'hono/html'
import type { Answer, Change, Operation, Table } from '../../../engine/index.ts'
import { formTexts } from '../texts/forms.ts'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { hasRows, inputFields } from './input-fields.ts'
import { isGrave } from './kinds.ts'
import { formField, type Result, resultBox, signedFrame } from './layout.ts'
import { actionLead, actionName, actionTitle, changeNames, fieldTitle, memberNames } from './operation-words.ts'
import { nothingWrong, type Wrong } from './refusals.ts'
import type { Members } from './schema.ts'
import type { Visitor } from './session.ts'
import { valueTexts } from './value-texts.ts'
import { argumentTable, changeList } from './values.ts'

/** Something that a visitor does with a form: an operation, and the thing that it is done with. */
export interface Task {
  readonly operation: Operation
  /** The members of its input that the visitor gives. */
  readonly members: Members
  /** Those that the page gives, such as the id of the thing. */
  readonly fixed: Readonly<Record<string, unknown>>
  /** What the form begins with, by path. */
  readonly begun: ReadonlyMap<string, string>
  /** If it corrects what is there: how that was when the form was begun. */
  readonly correction?: { readonly seen: string } | undefined
  /** The thing, as a heading has it, and in full. */
  readonly title: string
  readonly subject: Html
  readonly back: { readonly path: string; readonly text: string }
  /** The path of the form. */
  readonly address: string
  /** What can be chosen for a member, by its name: values and words. */
  readonly choices: ReadonlyMap<string, readonly (readonly [value: string, words: string])[]>
  /** The table of the thing: a preview leaves out what nobody reads. */
  readonly table: Pick<Table, 'fields'>
  /** The secrets that its answer has and no other one, by name: the page shows them once. */
  readonly reveals: readonly string[]
  /** The page on which it is said to be done. */
  done(answer: Answer): string
}

/** What the page of a task shows beside it. */
export interface Shown {
  readonly texts: ReadonlyMap<string, string>
  /** The idempotency key of the call. */
  readonly key: string
  readonly result?: Result | undefined
  readonly wrong?: Wrong
  /** What would be recorded, with the values that it was asked with. */
  readonly previewed?: { readonly changes: readonly Change[]; readonly values: Readonly<Record<string, unknown>> }
}

/** The page of a task: its form, or what it would do. */
export function actionPage(task: Task, shown: Shown, visitor: Visitor, setting: SignedSetting): Html {
  const { operation, back, subject } = task
  const { lang } = setting.texts
  const name = actionTitle(operation, lang)
  const content = html`<p class="back"><a href="${withLanguage(back.path, setting)}">${back.text}</a></p>
${resultBox(shown.result)}
<section class="card act" aria-labelledby="act"><h1 id="act">${actionName(operation, lang)}</h1>
<p class="subject">${subject}</p>
<p class="lead">${actionLead(operation, lang)}</p>
${shown.previewed === undefined ? entryForm(task, shown, visitor, setting) : previewPart(task, shown, visitor, setting)}</section>`
  const title = task.title === '' ? name : `${name} · ${task.title}`
  return signedFrame({ title, content, kind: 'proposal', visitor, kept: idsOf(task, shown) }, setting)
}

/** The page of a task that is done, with the secrets that nothing shows again. */
export function secretPage(task: Task, answer: Answer, visitor: Visitor, setting: SignedSetting): Html {
  const { operation, title, subject, reveals } = task
  const { lang } = setting.texts
  const words = formTexts(lang)
  const name = actionTitle(operation, lang)
  const rows = reveals.map(
    (member) => html`<div><dt>${fieldTitle(member, lang)}</dt><dd><code>${String(answer[member])}</code></dd></div>`,
  )
  const content = html`${resultBox({ kind: 'good', text: words.done({ action: name }) })}
<section class="card act" aria-labelledby="act"><h1 id="act">${actionName(operation, lang)}</h1>
<p class="subject">${subject}</p>
<p class="lead">${words.once}</p><dl class="meta">${rows}</dl>
<p class="back"><a href="${withLanguage(task.done(answer), setting)}">${task.back.text}</a></p></section>`
  return signedFrame({ title: title === '' ? name : `${name} · ${title}`, content, kind: 'proposal', visitor }, setting)
}

/** The ids that were linked or entered, as a query: of what a form has, only these may be in an address. */
function idsOf({ operation: { ids = {} }, fixed }: Task, { texts }: Shown): string {
  const isId = (name: string) => !Object.hasOwn(fixed, name) && Object.hasOwn(ids, name)
  return String(new URLSearchParams([...texts].filter(([name, text]) => isId(name) && text !== '')))
}

function form(
  task: Task,
  { key, texts, result }: Shown,
  { formToken }: Visitor,
  setting: SignedSetting,
  content: Html,
) {
  const { correction, address } = task
  // What has changed meanwhile is shown by now.
  const seen =
    result?.text === formTexts(setting.texts.lang).changed ? correction?.seen : (texts.get('seen') ?? correction?.seen)
  return html`<form method="post" action="${withLanguage(address, setting)}">${formField(formToken)}
<input type="hidden" name="key" value="${key}">${seen !== undefined && html`<input type="hidden" name="seen" value="${seen}">`}
${content}</form>`
}

function entryForm(task: Task, shown: Shown, visitor: Visitor, setting: SignedSetting): Html {
  const { members, choices, operation, correction } = task
  const { texts, wrong = nothingWrong } = shown
  const { lang } = setting.texts
  const words = formTexts(lang)
  const optional = correction === undefined ? words.optional : ''
  const { timeZone } = visitor.account.business
  const drawn = { texts, wrong, choices, optional, names: memberNames(lang), page: lang, timeZone }
  const fields = inputFields(members, drawn)
  const grave = isGrave(operation)
  return form(
    task,
    shown,
    visitor,
    setting,
    html`<div class="fields">${fields}</div>
${grave && html`<p class="hint">${words.high}</p>`}
<p class="saving">${!grave && html`<button type="submit" name="step" value="do">${actionName(operation, lang)}</button> `}<button type="submit" name="step" value="preview"${!grave && html` class="plain"`}>${words.preview}</button>${hasRows(members) && html` <button type="submit" name="step" value="change" class="plain" formnovalidate>${words.rows}</button>`}</p>`,
  )
}

function previewPart(task: Task, shown: Shown, visitor: Visitor, setting: SignedSetting): Html {
  const { lang } = setting.texts
  const [words, values] = [formTexts(lang), valueTexts(lang)]
  const { members, operation } = task
  const { texts, previewed = { changes: [], values: {} } } = shown
  const entered = [...texts].filter(([name]) => Object.hasOwn(members, name.split('.')[0] ?? ''))
  const hidden = entered.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const grave = isGrave(operation)
  const confirm = html`<input type="hidden" name="confirm" value="1">${hidden}
<p class="saving"><button type="submit" name="step" value="do"${grave && html` class="refuse"`} autofocus>${words.named({ name: words.confirm })} ${actionName(operation, lang)}</button> <button type="submit" name="step" value="change" class="plain">${words.again}</button></p>`
  return html`<h2>${values.changes.title}</h2><p role="status" class="hint">${words.previewed}</p>
${changeList(previewed.changes, values, changeNames(lang))}
<details><summary>${words.withValues}</summary>${argumentTable(withoutSecrets(previewed.values, members), values)}</details>
${form(task, shown, visitor, setting, confirm)}`
}

/** Values without what nobody is to read on a screen. */
function withoutSecrets(values: Readonly<Record<string, unknown>>, members: Members): unknown {
  return Object.fromEntries(Object.entries(values).filter(([name]) => members[name]?.isSecret !== true))
}
