import { instantIn, isObject, isoOf } from '../../../engine/index.ts'
import type { Member, Members } from './schema.ts'

type Values = Readonly<Record<string, unknown>>

/** What was entered in a form, by path, and the time zone of who did. */
export interface Entered {
  readonly texts: ReadonlyMap<string, string>
  readonly timeZone: string
}

/** What a form has sent, by path: each line of a member that it has several times is one of its values. */
export function entriesOf(form: Iterable<readonly [string, string]>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [name, sent] of form) {
    const text = sent.replaceAll('\r\n', '\n')
    const before = texts.get(name)
    texts.set(name, before === undefined ? text : `${before}\n${text}`)
  }
  return texts
}

/** The values that a form gives for the members of an input; what is empty is left out, unless the member is required. */
export function valuesIn(entered: Entered, members: Members, within = ''): Values {
  const values = Object.entries(members).map(
    ([name, member]) => [name, valueAt(`${within}${name}`, member, entered)] as const,
  )
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function valueAt(path: string, member: Member, entered: Entered): unknown {
  const { items, members, isRequired } = member
  if (Object.keys(members).length > 0) {
    const given = valuesIn(entered, members, `${path}.`)
    return isRequired || isGiven(given) ? given : undefined
  }
  if (items !== undefined && Object.keys(items.members).length > 0) {
    const rows = rowsIn(path, items.members, entered)
    return isRequired || rows.length > 0 ? rows : undefined
  }
  const text = textAt(entered.texts, path)
  const { timeZone } = entered
  if (items !== undefined) {
    const lines = text.split(items.isNumber ? /[\s,;]+/ : '\n').map((line) => line.trim())
    const given = lines.filter((line) => line !== '').map((line) => written(line, items, timeZone))
    return isRequired || given.length > 0 ? given : undefined
  }
  return text === '' && !isRequired ? undefined : written(text, member, timeZone)
}

function rowsIn(path: string, members: Members, entered: Entered): readonly Values[] {
  const places = new Set([...entered.texts.keys()].map((name) => placeIn(name, path)).filter((place) => place >= 0))
  const rows = [...places].sort((one, other) => one - other)
  return rows.map((place) => valuesIn(entered, members, `${path}.${place}.`)).filter(isGiven)
}

/** The place of the row of a list that the path of a field is in; -1 if it is in none. */
export function placeIn(name: string, path: string): number {
  const [, place] = name.startsWith(`${path}.`) ? (/^(\d{1,4})\./.exec(name.slice(path.length + 1)) ?? []) : []
  return place === undefined ? -1 : Number(place)
}

/** Whether there is anything but what is empty: a required text alone does not make an object. */
function isGiven(values: Values): boolean {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
  return Object.values(values).some((value) => !isEmpty(value) && !(isObject(value) && !isGiven(value)))
}

function textAt(texts: ReadonlyMap<string, string>, path: string): string {
  return (texts.get(path) ?? '').replaceAll('\r\n', '\n').trim()
}

/** A text in the type of its member. What is no number stays as it is, and is refused as such. */
function written(text: string, { isNumber, isSwitch, isInstant, isEntries }: Member, timeZone: string): unknown {
  if (isSwitch) return text === 'true'
  if (isInstant && localTime.test(text)) return isoOf(instantIn(text, timeZone))
  if (isEntries) return pairsIn(text)
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** A time as browsers give it, which is that of the business. */
const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/

/** Names and values, a line each: `name: value`. A line without a colon is a name without a value. */
function pairsIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line) => line.trim())
  const pairs = lines.filter((line) => line !== '').map((line) => /^([^:]*):?(.*)$/.exec(line) ?? [])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.trim(), value.trim()]))
}

/**
 * What differs from the values with which a form began. What was emptied is null or an empty text where the member may be. An
 * object that has required members is given whole.
 */
export function changesIn(now: Values, before: Values, members: Members): Values {
  const changes = Object.entries(members).flatMap(([name, member]) => {
    const change = changeOf(now[name], before[name], member)
    return change === undefined ? [] : [[name, change] as const]
  })
  return Object.fromEntries(changes)
}

function changeOf(now: unknown, before: unknown, member: Member): unknown {
  const { isRequired, isNullable, mayBeEmpty, members } = member
  const parts = Object.values(members)
  if (parts.length > 0 && !parts.some((part) => part.isRequired)) {
    const changed = changesIn(isObject(now) ? now : {}, isObject(before) ? before : {}, members)
    return Object.keys(changed).length > 0 ? changed : undefined
  }
  if (isRequired) return now
  if (JSON.stringify(now) === JSON.stringify(before)) return undefined
  if (now !== undefined) return now
  return isNullable ? null : mayBeEmpty ? '' : undefined
}
