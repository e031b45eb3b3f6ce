import { html } from 'hono/html'
import { instantOf, instantProblem, isObject, zonedIso } from '../../../engine/index.ts'
import { formTexts, yesOrNo } from '../texts/forms.ts'
import type { Html } from '../words.ts'
import { placeIn } from './input-values.ts'
import { options, tick, wrongAt } from './parts.ts'
import type { Wrong } from './refusals.ts'
import { limitsOf, type Member, type Members } from './schema.ts'

/** What the fields of a form are drawn from, beside the members of the input of an operation. */
interface Drawn {
  /** What was entered, by path, or else what is there now. */
  readonly texts: ReadonlyMap<string, string>
  readonly wrong: Wrong
  /** What can be chosen for a member, by its name: values and words. */
  readonly choices: ReadonlyMap<string, readonly (readonly [value: string, words: string])[]>
  /** What is said of members that need not be given; nothing if it is empty. */
  readonly optional: string
  readonly names: MemberNames
  /** The language of the page. */
  readonly page: string
  /** The time zone of the business: IANA name. */
  readonly timeZone: string
}

/** How a form names the members of an input and the values to choose from, and says what members are. */
export interface MemberNames {
  member(name: string): string
  /** A list whose rows have members: `items` may be goods there, and a number of parcels elsewhere. */
  rows(name: string): string
  value(value: string, name?: string): string
  hint(about: string): string | Html
}

/** A text that is longer than this is written in several lines. */
const longText = 300

/** Empty rows that a list of objects offers at most. */
const spareRows = 2

/** The fields of a form for the input of an operation: their limits, choices and hints are those of its schema. */
export function inputFields(members: Members, drawn: Drawn, within = ''): readonly Html[] {
  return Object.entries(members).map(([name, member]) => fieldOf(`${within}${name}`, name, member, drawn))
}

function fieldOf(path: string, name: string, member: Member, drawn: Drawn): Html {
  const { items, members } = member
  if (Object.keys(members).length > 0)
    return group(
      drawn.names.member(name),
      inputFields(member.isRequired ? members : spared(members), drawn, `${path}.`),
    )
  if (items !== undefined && Object.keys(items.members).length > 0)
    return group(drawn.names.rows(name), [
      ...rowsOf(path, items.members, member.maxItems, drawn),
      html`${wrongAt(`${path}-wrong`, drawn.wrong.get(path))}`,
    ])
  const label = html`${drawn.names.member(name)}${!member.isRequired && drawn.optional !== '' && html` <span class="label">${drawn.optional}</span>`}`
  if (member.isSwitch && member.isRequired)
    return html`<div class="entry">${tick(path, 'true', label, drawn.texts.get(path) === 'true')}</div>`
  if (items !== undefined && items.choices.length > 0) return ticks(path, name, label, member, drawn)
  const hint = member.about !== '' && html`<p class="hint" id="${path}-hint">${drawn.names.hint(member.about)}</p>`
  return html`<div class="entry"><label for="${path}">${label}</label>${control(path, name, member, drawn)}
${hint}${wrongAt(`${path}-wrong`, wrongOf(path, member, drawn.wrong))}</div>`
}

/** A list whose elements are chosen: a box for each. */
function ticks(
  path: string,
  name: string,
  label: Html,
  { items, about }: Member,
  { texts, wrong, names }: Drawn,
): Html {
  const ticked = (texts.get(path) ?? '').split('\n')
  const boxes = items?.choices.map((choice) => tick(path, choice, names.value(choice, name), ticked.includes(choice)))
  return html`<fieldset class="group"><legend>${label}</legend>${about !== '' && html`<p class="hint">${names.hint(about)}</p>`}
<div class="ticks">${boxes}</div>${wrongAt(`${path}-wrong`, wrong.get(path))}</fieldset>`
}

/** What is wrong with a member, or with the first wrong element of a list that is entered as one text. */
function wrongOf(path: string, { items }: Member, wrong: Wrong): ReturnType<Wrong['get']> {
  const element = items && [...wrong.keys()].find((name) => name.startsWith(`${path}.`))
  return wrong.get(path) ?? (element === undefined ? undefined : wrong.get(element))
}

function group(title: string, fields: readonly Html[]): Html {
  return html`<fieldset class="group"><legend>${title}</legend><div class="fields">${fields}</div></fieldset>`
}

/** Whether a form has a list of objects, which may need more rows than it shows. */
export function hasRows(members: Members): boolean {
  return Object.values(members).some(
    ({ items, members }) => hasRows(members) || (items !== undefined && Object.keys(items.members).length > 0),
  )
}

function rowsOf(path: string, members: Members, most = spareRows, drawn: Drawn): readonly Html[] {
  const last = Math.max(-1, ...[...drawn.texts.keys()].map((name) => placeIn(name, path)))
  const length = Math.min(most, last + 1 + spareRows)
  return Array.from({ length }, (_, place) =>
    group(`${place + 1}.`, inputFields(spared(members), drawn, `${path}.${place}.`)),
  )
}

/** What may be left empty as a whole: a browser must not ask for its parts. */
function spared(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { ...member, isRequired: false }]))
}

function control(path: string, name: string, member: Member, drawn: Drawn): Html {
  const { texts, wrong, choices, names, page, timeZone } = drawn
  const value = texts.get(path) ?? ''
  const isWrong = wrongOf(path, member, wrong) !== undefined
  const ids = [member.about !== '' && `${path}-hint`, isWrong && `${path}-wrong`].filter(Boolean).join(' ')
  const described = html`${ids !== '' && html` aria-describedby="${ids}"`}${isWrong && html` aria-invalid="true"`}`
  const begun = html`id="${path}" name="${path}"`
  const chosen = member.isSwitch
    ? yesOrNo(page)
    : (choices.get(name) ?? member.choices.map((choice) => [choice, names.value(choice, name)] as const))
  if (chosen.length > 0 && member.items === undefined) {
    const blank = member.isRequired && value !== '' ? [] : [['', ''] as const]
    const isKnown = value === '' || chosen.some(([one]) => one === value)
    const all = isKnown ? [...blank, ...chosen] : [...blank, ...chosen, [value, value] as const]
    return html`<select ${begun}${member.isRequired && html` required`}${described}>${options(all, value)}</select>`
  }
  if (member.items !== undefined || member.isEntries) {
    const words = member.isEntries && html` placeholder="${formTexts(page).entries}"`
    return html`<textarea ${begun} rows="3" dir="ltr"${words}${described}>${value}</textarea>`
  }
  if ((member.maxLength ?? 0) > longText && !member.isNumber)
    return html`<textarea ${begun} rows="2"${limitsOf({ ...member, isRequired: false })} dir="auto"${described}>${value}</textarea>`
  const kind = member.isDay
    ? html`type="date"`
    : member.isInstant
      ? html`type="datetime-local"`
      : member.isSecret
        ? html`type="password"`
        : member.isNumber
          ? html`type="text" inputmode="decimal"`
          : html`type="text" dir="auto"`
  const isWritten = !(member.isNumber || member.isDay || member.isInstant)
  const limits = limitsOf(isWritten ? member : { isRequired: member.isRequired })
  return html`<input ${begun} ${kind}${limits} value="${member.isInstant ? localTimeOf(value, timeZone) : value}" autocomplete="${member.isSecret ? 'new-password' : 'off'}"${described}>`
}

/** An instant as a browser lets choose it: in the time zone of the business, to the minute. */
function localTimeOf(text: string, timeZone: string): string {
  return instantProblem(text) === undefined ? zonedIso(instantOf(text), timeZone).slice(0, 16) : text
}

/** The texts with which a form begins: the values that are there, by path. */
export function textsOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  const add = (name: string | number, member: unknown) => {
    for (const [place, text] of textsOf(member, below(name))) texts.set(place, text)
  }
  if (Array.isArray(value) && value.every((item) => !isObject(item))) texts.set(path, value.join('\n'))
  else if (Array.isArray(value)) for (const [place, item] of value.entries()) add(place, item)
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) add(name, member)
  else if (value !== undefined && value !== null) texts.set(path, String(value))
  return texts
}
