import { type Code, type Finding, instantProblem, isObject, type Params, pathTo, shown } from '../../../engine/index.ts'
import { isEventId, prefixOf, uriProblem } from './uris.ts'
import { isGs1Word, isWord, type WordKind } from './words.ts'

/** What is known while a document is checked, and what was found. */
export interface Scope {
  /** Namespaces of the declared prefixes. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: Finding[]
  /** Whether a URI may have any scheme, because no prefix can be meant: in documents of this project's own making. */
  readonly anyScheme: boolean
}

/** Looks at a value and adds what is wrong with it to the findings of the scope. */
export type Check = (value: unknown, path: string, scope: Scope) => void

/** So many findings are told of one event. */
const maxFindings = 100

/** Extensions may be so deep. */
const maxDepth = 32

/** Adds a finding. */
export function found({ findings }: Scope, path: string, code: Code, params?: Params): void {
  if (findings.length < maxFindings) findings.push(params === undefined ? { path, code } : { path, code, params })
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

/** Adds that a value is of another type than it should be. */
export function foundType(scope: Scope, path: string, expected: string, value: unknown): void {
  found(scope, path, 'wrong_type', { expected, received: typeOf(value) })
}

function ofText(check: (text: string, path: string, scope: Scope) => void): Check {
  return (value, path, scope) => {
    if (typeof value === 'string') check(value, path, scope)
    else foundType(scope, path, 'string', value)
  }
}

/** Any text. */
export const text: Check = ofText(() => {})

/** A number. */
export const number: Check = (value, path, scope) => {
  if (typeof value !== 'number') foundType(scope, path, 'number', value)
}

/** True or false. */
export const boolean: Check = (value, path, scope) => {
  if (typeof value !== 'boolean') foundType(scope, path, 'boolean', value)
}

/** A text of this form. */
export function matching(form: RegExp, code: Code, params?: Params): Check {
  return ofText((value, path, scope) => {
    if (!form.test(value)) found(scope, path, code, params)
  })
}

/** An absolute URI, or a compact one whose prefix is declared. */
export const uri: Check = ofText((value, path, scope) => {
  const problem = uriProblem(value)
  const prefix = problem === undefined ? prefixOf(value) : undefined
  if (problem !== undefined) found(scope, path, problem)
  else if (prefix !== undefined && !scope.anyScheme && !scope.prefixes.has(prefix)) {
    found(scope, path, 'undeclared_prefix', { received: shown(prefix) })
  }
})

/** The identifier of an event. */
export const eventId: Check = ofText((value, path, scope) => {
  if (!isEventId(value)) found(scope, path, 'not_an_event_id')
})

/** A date-time with offset (EPCIS 2.0, section 7.3.1; no leap seconds). */
export const time: Check = ofText((value, path, scope) => {
  const problem = instantProblem(value)
  if (problem !== undefined) found(scope, path, problem, { field: path.slice(path.lastIndexOf('.') + 1) })
})

/** A bare word of CBV, or a URI outside of GS1's vocabularies. */
export function word(kind: WordKind): Check {
  return ofText((value, path, scope) => {
    if (isWord(kind, value)) return
    if (!value.includes(':') || isGs1Word(value)) {
      found(scope, path, 'unknown_cbv_word', { received: shown(value), field: kind })
    } else uri(value, path, scope)
  })
}

/** One of these words. */
export function oneOf(...words: readonly string[]): Check {
  return ofText((value, path, scope) => {
    if (!words.includes(value))
      found(scope, path, 'unknown_value', { received: shown(value), expected: words.join(', ') })
  })
}

/** A list; `unique` where no text may stand in it twice. */
export function list(item: Check, { min = 0, unique = false } = {}): Check {
  return (value, path, scope) => {
    if (!Array.isArray(value)) {
      foundType(scope, path, 'array', value)
      return
    }
    if (value.length < min) found(scope, path, 'too_short', { limit: min })
    const seen = new Set<unknown>()
    value.forEach((member, index) => {
      if (unique && seen.has(member)) found(scope, pathTo(path, index), 'not_unique')
      seen.add(member)
      item(member, pathTo(path, index), scope)
    })
  }
}

/** What an object may hold. */
export interface Members {
  readonly members: Readonly<Record<string, Check>>
  readonly required?: readonly string[]
  /** Whether members of other namespaces may stand beside them. */
  readonly open?: boolean
}

/** An object with these members. */
export function object({ members, required = [], open = false }: Members): Check {
  return (value, path, scope) => {
    if (!isObject(value)) {
      foundType(scope, path, 'object', value)
      return
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) found(scope, pathTo(path, name), 'required', { field: name })
    }
    for (const [name, member] of Object.entries(value)) {
      const at = pathTo(path, shown(name))
      const check = Object.hasOwn(members, name) ? members[name] : undefined
      if (check !== undefined) check(member, at, scope)
      else if (open) extension(name, member, at, scope, 0)
      else found(scope, at, 'unknown_field', { field: shown(name) })
    }
  }
}

/** A member of another namespace: its name is a URI or has a declared prefix, and so have all below it (EPCIS 2.0, section 9.1). */
function extension(name: string, value: unknown, path: string, scope: Scope, depth: number): void {
  const prefix = prefixOf(name)
  if (!name.includes(':')) found(scope, path, 'unknown_field', { field: shown(name) })
  else if (prefix === undefined ? uriProblem(name) !== undefined : !scope.prefixes.has(prefix)) {
    found(scope, path, 'undeclared_prefix', { received: shown(prefix ?? name) })
  } else extensionValue(value, path, scope, depth)
}

/** Members of JSON-LD itself that may stand in an extension. */
const keywords = new Set(['@id', '@type', '@value', '@language', '@list', '@set', 'id', 'type'])

function extensionValue(value: unknown, path: string, scope: Scope, depth: number): void {
  if (depth > maxDepth) found(scope, path, 'too_deep', { limit: maxDepth })
  else if (value === null) foundType(scope, path, 'string, number, boolean, object', value)
  else if (Array.isArray(value)) {
    value.forEach((member, index) => {
      extensionValue(member, pathTo(path, index), scope, depth + 1)
    })
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const at = pathTo(path, shown(name))
      if (keywords.has(name)) extensionValue(member, at, scope, depth + 1)
      else extension(name, member, at, scope, depth + 1)
    }
  }
}
