import {
  type Code,
  excerptOf,
  hasWrongCheckDigit,
  isObject,
  type Params,
  pathTo,
  unknownAmong,
} from '../../../engine/index.ts'
import { isTimeOfJudges, timeProblem } from './clock.ts'
import { extensionIn } from './extension-check.ts'
import { below, both, type Findings, found, good, ifStrict, ifStrictAlone, wrongType } from './findings.ts'
import { type Check, rememberedUris, type Scope } from './scope.ts'
import { isAbsolute, isEventId, isUriOfJudges, prefixOf, uriProblem } from './uris.ts'
import { bareWord, isBarred, isGs1Word, isWord, type WordKind } from './words.ts'

/** Any value. */
export const anything: Check = () => good

/** Any text. */
export const text: Check = (value) => (typeof value === 'string' ? good : wrongType('string', value))

/** A number. */
export const number: Check = (value) => (typeof value === 'number' ? good : wrongType('number', value))

/** True or false. */
export const boolean: Check = (value) => (typeof value === 'boolean' ? good : wrongType('boolean', value))

/** A text of this form. */
export function matching(form: RegExp, code: Code, params?: Params): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    return form.test(value) ? good : found(code, params)
  }
}

/** An absolute URI. An undeclared prefix is read as a scheme, as the judges do, but mentioned. */
export const uri: Check = (value, scope) => {
  if (typeof value !== 'string') return wrongType('string', value)
  const place = (value.length * 7 + value.charCodeAt(value.length - 1)) % rememberedUris
  if (value === scope.uris[place]) return good
  const findings = uriFindings(value, scope)
  if (findings === good) scope.uris[place] = value
  return findings
}

function uriFindings(uri: string, { prefixes, anyScheme }: Scope): Findings {
  const problem = uriProblem(uri)
  if (problem !== undefined) return isUriOfJudges(uri) ? ifStrict(found(problem)) : found(problem)
  if (hasWrongCheckDigit(uri)) return ifStrict(found('check_digit'))
  const prefix = anyScheme ? undefined : prefixOf(uri)
  if (prefix === undefined || prefixes.has(prefix)) return good
  return ifStrict(found('undeclared_prefix', { received: excerptOf(prefix) }))
}

/** An absolute URI in a member that is not used, whatever its prefix and target. */
export const reference: Check = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  if (isAbsolute(value)) return good
  return isUriOfJudges(value) ? ifStrictAlone(found('not_a_uri')) : found('not_a_uri')
}

/** The identifier of an event (SHACL of EPCIS 2.0: a UUID, or a hash). */
export const eventId: Check = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  if (isEventId(value)) return good
  const isJudged = /^(?:urn:uuid:|ni:\/\/\/)./.test(value) && isUriOfJudges(value)
  return isJudged ? ifStrict(found('not_an_event_id')) : found('not_an_event_id')
}

/** The identifier of another event, which is not used. */
export const otherEventId: Check = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  if (isEventId(value)) return good
  return isUriOfJudges(value) ? ifStrictAlone(found('not_an_event_id')) : found('not_an_event_id')
}

/** A date-time with offset (EPCIS 2.0, section 7.3.1), in the member with this name. */
function time(field: string): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    const problem = timeProblem(value)
    if (problem === undefined) return good
    return isTimeOfJudges(value) ? ifStrictAlone(found(problem, { field })) : found(problem, { field })
  }
}

/** Members that are date-times. */
export function times(...names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, time(name)]))
}

/** A bare word of CBV, or a URI. Words of GS1 as URIs are read like the bare words. */
export function word(kind: WordKind): Check {
  return (value, scope) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (isWord(kind, value)) return good
    const isUri = value.includes(':')
    if (isUri && !isGs1Word(value)) return uri(value, scope)
    const unknown = found('unknown_cbv_word', { received: excerptOf(value), field: kind })
    if (!isUri || isBarred(kind, value)) return unknown
    const rest = bareWord(kind, value) === undefined ? ifStrict(unknown) : ifStrictAlone(unknown)
    return both(uri(value, scope), rest)
  }
}

/** One of these words. */
export function oneOf(...words: readonly string[]): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (words.includes(value)) return good
    return found('unknown_value', { received: excerptOf(value), expected: words.join(', ') })
  }
}

/** A list; with `unique`, without equal texts; `seldom` if only a strict reading refuses these. */
export function list(item: Check, { min = 0, unique = false, seldom = false } = {}): Check {
  return (value, scope) => {
    if (!Array.isArray(value)) return wrongType('array', value)
    const seen = unique && repeatsIn(value) ? new Set<unknown>() : undefined
    let all = value.length < min ? found('too_short', { limit: min }) : good
    for (let index = 0; index < value.length; index++) {
      if (seen?.has(value[index])) all = both(all, repeated(index, seldom))
      seen?.add(value[index])
      const findings = item(value[index], scope)
      if (findings !== good) all = both(all, below(pathTo('', index), findings))
    }
    return all
  }
}

function repeated(index: number, seldom: boolean): Findings {
  const findings = found('not_unique', undefined, pathTo('', index))
  return seldom ? ifStrictAlone(findings) : findings
}

/** Whether a list contains a value twice. */
function repeatsIn(list: readonly unknown[]): boolean {
  if (list.length <= 2) return list.length === 2 && list[0] === list[1]
  return new Set(list).size < list.length
}

/** The members of an object. */
export interface Shape {
  readonly members: Readonly<Record<string, Check>>
  readonly required?: readonly string[]
  /** The additional members that are allowed: none, members of other namespaces, also terms of the context, or any. */
  readonly open?: keyof typeof others
}

/** A member that is known. */
interface Member {
  readonly name: string
  readonly check: Check
  /** 1 if it must be there. */
  readonly required: 0 | 1
  /** The member that came after it last time: objects of a document have their members in the same order. */
  next: Member | undefined
}

/** The checks of additional members, by what is allowed. */
const others = {
  nothing: unknownMember,
  extensions: extensionIn(),
  terms: extensionIn({ bare: true }),
  sensors: extensionIn({ sensors: true }),
  all: () => good,
}

/** An object with these members. */
export function object({ members, required = [], open = 'nothing' }: Shape): Check {
  const known = new Map(
    Object.entries(members).map(([name, check]): [string, Member] => [
      name,
      { name, check, required: required.includes(name) ? 1 : 0, next: undefined },
    ]),
  )
  const names = [...known.keys()]
  const first: Member = { name: '', check: anything, required: 0, next: undefined }
  const other: (name: string, value: unknown, scope: Scope) => Findings = others[open]
  return (value, scope) => {
    if (!isObject(value)) return wrongType('object', value)
    let all = good
    let missing = required.length
    let before = first
    for (const name in value) {
      const member = before.next?.name === name ? before.next : known.get(name)
      let findings: Findings
      if (member === undefined) findings = naming(names, name, other(name, value[name], scope))
      else {
        missing -= member.required
        before.next = member
        before = member
        findings = member.check(value[name], scope)
      }
      if (findings !== good) all = both(all, below(excerptOf(name), findings))
    }
    return missing === 0 ? all : both(missingOf(value, required), all)
  }
}

function missingOf(value: object, required: readonly string[]): Findings {
  return required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: name, code: 'required', params: { field: name } }))
}

/** The findings of a member; one that says that it is unknown names the member that was probably meant. */
function naming(names: readonly string[], name: string, findings: Findings): Findings {
  return findings.map((finding) =>
    finding.code === 'unknown_field' && finding.path === '' ? { ...finding, ...unknownAmong(name, names) } : finding,
  )
}

function unknownMember(name: string): Findings {
  return found('unknown_field', { field: excerptOf(name) })
}
