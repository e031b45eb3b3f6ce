import {
  type Code,
  excerptOf,
  type Finding,
  isObject,
  type Members,
  type Params,
  pathTo,
  within,
} from '../../../engine/index.ts'
import { timeProblem } from './clock.ts'
import { isAbsolute, isEventId, prefixOf, uriProblem } from './uris.ts'
import { isGs1Word, isWord, type WordKind } from './words.ts'

/** The state of the check of a document. */
export interface Scope {
  /** Namespaces of the declared prefixes. */
  readonly prefixes: ReadonlyMap<string, string>
  /** Whether URIs may have any scheme, because they cannot be compact; true for documents of this server. */
  readonly anyScheme: boolean
  /** Names of other namespaces that are valid with these prefixes. */
  readonly names: Set<string>
  /** URIs that are valid with these prefixes, because documents repeat them. */
  readonly uris: string[]
}

/** The state for these prefixes. */
export function scopeOf(prefixes: ReadonlyMap<string, string>, anyScheme = false): Scope {
  return { prefixes, anyScheme, names: new Set(), uris: new Array(rememberedUris).fill('') }
}

/** The number of remembered URIs; each slot keeps the latest one. */
const rememberedUris = 32

/** The findings for a value, with paths relative to it. */
export type Findings = readonly Finding[]

/** Checks a value. For a valid value it returns the constant `good`, which avoids an allocation. */
export type Check = (value: unknown, scope: Scope) => Findings

/** No findings. */
export const good: Findings = []

/** The most findings that are reported for one event. */
const maxFindings = 100

/** The maximum depth of extensions. */
const maxDepth = 32

/** One finding, for a value itself or a member of it. */
export function found(code: Code, params?: Params, path = ''): Findings {
  return [params === undefined ? { path, code } : { path, code, params }]
}

/** The finding that a value has the wrong type. */
export function wrongType(expected: string, value: unknown): Findings {
  const received = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return found('wrong_type', { expected, received })
}

/** Joins two lists of findings, up to the maximum. */
export function both(some: Findings, more: Findings): Findings {
  if (more.length === 0 || some.length >= maxFindings) return some
  return some.length === 0 ? more : [...some, ...more].slice(0, maxFindings)
}

/** The findings of a member, with paths relative to its object. */
export function below(path: string, findings: Findings): Findings {
  return findings.length === 0 ? findings : findings.map((finding) => within(path, finding))
}

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

/** An absolute URI, or a compact one whose prefix is declared. */
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
  if (problem !== undefined) return found(problem)
  const prefix = anyScheme ? undefined : prefixOf(uri)
  if (prefix === undefined || prefixes.has(prefix)) return good
  return found('undeclared_prefix', { received: excerptOf(prefix) })
}

/** An absolute URI in a member that is not used, whatever its prefix and target. */
export const reference: Check = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  return isAbsolute(value) ? good : found('not_a_uri')
}

/** The identifier of an event. */
export const eventId: Check = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  return isEventId(value) ? good : found('not_an_event_id')
}

/** A date-time with offset (EPCIS 2.0, section 7.3.1; no leap seconds), in the member with this name. */
export function time(field: string): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    const problem = timeProblem(value)
    return problem === undefined ? good : found(problem, { field })
  }
}

/** Members that are date-times. */
export function times(...names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, time(name)]))
}

/** A bare word of CBV, or a URI outside of GS1's vocabularies. */
export function word(kind: WordKind): Check {
  return (value, scope) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (isWord(kind, value)) return good
    if (value.includes(':') && !isGs1Word(value)) return uri(value, scope)
    return found('unknown_cbv_word', { received: excerptOf(value), field: kind })
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

/** A list; with `unique`, without equal texts. */
export function list(item: Check, { min = 0, unique = false } = {}): Check {
  return (value, scope) => {
    if (!Array.isArray(value)) return wrongType('array', value)
    const seen = unique && repeatsIn(value) ? new Set<unknown>() : undefined
    let all = value.length < min ? found('too_short', { limit: min }) : good
    for (let index = 0; index < value.length; index++) {
      if (seen?.has(value[index])) all = both(all, found('not_unique', undefined, pathTo('', index)))
      seen?.add(value[index])
      const findings = item(value[index], scope)
      if (findings !== good) all = both(all, below(pathTo('', index), findings))
    }
    return all
  }
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
  /** The additional members that are allowed: none, members of other namespaces, or any. */
  readonly open?: keyof typeof others
}

/** The checks of additional members, by what is allowed. */
const others = { nothing: unknownMember, extensions: extension, all: () => good }

/** An object with these members. */
export function object({ members, required = [], open = 'nothing' }: Shape): Check {
  const known = new Map(
    Object.entries(members).map(([name, check]) => [name, { check, isRequired: required.includes(name) }]),
  )
  const other: (name: string, value: unknown, scope: Scope, depth: number) => Findings = others[open]
  return (value, scope) => {
    if (!isObject(value)) return wrongType('object', value)
    let all = good
    let missing = required.length
    for (const name in value) {
      const member = known.get(name)
      if (member?.isRequired === true) missing--
      const findings = member === undefined ? other(name, value[name], scope, 0) : member.check(value[name], scope)
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

function unknownMember(name: string): Findings {
  return found('unknown_field', { field: excerptOf(name) })
}

/**
 * A member of another namespace: its name is a URI or has a declared prefix, and so do all names below it (EPCIS 2.0,
 * section 9.1).
 */
function extension(name: string, value: unknown, scope: Scope, depth: number): Findings {
  if (!scope.names.has(name)) {
    const findings = nameFindings(name, scope)
    if (findings !== good) return findings
    scope.names.add(name)
  }
  return extensionValue(value, scope, depth)
}

function nameFindings(name: string, { prefixes }: Scope): Findings {
  if (!name.includes(':')) return unknownMember(name)
  const prefix = prefixOf(name)
  const isGood = prefix === undefined ? uriProblem(name) === undefined : prefixes.has(prefix)
  return isGood ? good : found('undeclared_prefix', { received: excerptOf(prefix ?? name) })
}

/** Members of JSON-LD itself that are allowed in an extension. */
const keywords = new Set(['@id', '@type', '@value', '@language', '@list', '@set', 'id', 'type'])

function extensionValue(value: unknown, scope: Scope, depth: number): Findings {
  if (depth > maxDepth) return found('too_deep', { limit: maxDepth })
  if (value === null) return wrongType('string, number, boolean, object', value)
  if (typeof value !== 'object') return good
  return Array.isArray(value)
    ? extensionList(value, scope, depth + 1)
    : extensionObject(value as Members, scope, depth + 1)
}

function extensionList(list: readonly unknown[], scope: Scope, depth: number): Findings {
  let all = good
  for (let index = 0; index < list.length; index++) {
    const findings = extensionValue(list[index], scope, depth)
    if (findings !== good) all = both(all, below(pathTo('', index), findings))
  }
  return all
}

function extensionObject(members: Members, scope: Scope, depth: number): Findings {
  let all = good
  for (const name in members) {
    const value = members[name]
    const findings = keywords.has(name) ? extensionValue(value, scope, depth) : extension(name, value, scope, depth)
    if (findings !== good) all = both(all, below(excerptOf(name), findings))
  }
  return all
}
