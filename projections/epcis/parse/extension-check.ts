import { excerptOf, type Members, pathTo } from '../../../engine/index.ts'
import { contextOf } from './context.ts'
import { below, both, type Findings, found, good, ifStrict, ifStrictAlone, wrongType } from './findings.ts'
import { remember, type Scope, scopeOf } from './scope.ts'
import { isContextTerm } from './terms.ts'
import { isUriOfJudges, prefixOf, uriProblem } from './uris.ts'

/** The maximum depth of extensions. */
const maxDepth = 32

/** What the names of an extension may be, besides names with a prefix. */
interface Place {
  /** Terms of the context, at once; below another member they always may. */
  readonly bare?: true
  /** The terms that GS1's context has for sensors. */
  readonly sensors?: true
}

/**
 * The check of a member of another namespace: its name is a URI or has a prefix, and so have all names below it, if they
 * are not terms of the context (EPCIS 2.0, section 9.1).
 */
export function extensionIn(place: Place = {}): (name: string, value: unknown, scope: Scope) => Findings {
  const inside: Place = { ...place, bare: true }
  return (name, value, scope) => member(name, value, { scope, place, inside }, 0)
}

interface Walk {
  readonly scope: Scope
  readonly place: Place
  readonly inside: Place
}

function member(name: string, value: unknown, walk: Walk, depth: number): Findings {
  const { scope } = walk
  let named = good
  if (!scope.names.has(name)) {
    named = nameFindings(name, scope, depth === 0 ? walk.place : walk.inside)
    if (named.some(({ level }) => level === undefined)) return named
    if (named === good && name.includes(':')) remember(name, scope)
  }
  return both(named, valueFindings(value, walk, depth))
}

function nameFindings(name: string, { prefixes, terms, anyTerm }: Scope, { bare, sensors }: Place): Findings {
  if (!name.includes(':')) {
    const unknown = found('unknown_field', { field: excerptOf(name) })
    const isTerm = bare === true && (anyTerm || terms.has(name) || isContextTerm(name, sensors))
    return isTerm ? ifStrictAlone(unknown) : unknown
  }
  const prefix = prefixOf(name)
  const isGood = prefix === undefined ? uriProblem(name) === undefined : prefixes.has(prefix)
  if (isGood) return good
  const undeclared = found('undeclared_prefix', { received: excerptOf(prefix ?? name) })
  return isUriOfJudges(name) ? ifStrict(undeclared) : undeclared
}

function valueFindings(value: unknown, walk: Walk, depth: number): Findings {
  if (depth > maxDepth) return found('too_deep', { limit: maxDepth }).map((one) => ({ ...one, level: 'always' }))
  if (value === null) return ifStrictAlone(wrongType('string, number, boolean, object', value))
  if (typeof value !== 'object') return good
  return Array.isArray(value) ? listed(value, walk, depth + 1) : members(value as Members, walk, depth + 1)
}

function listed(list: readonly unknown[], walk: Walk, depth: number): Findings {
  let all = good
  for (let index = 0; index < list.length; index++) {
    const findings = valueFindings(list[index], walk, depth)
    if (findings !== good) all = both(all, below(pathTo('', index), findings))
  }
  return all
}

function members(object: Members, outer: Walk, depth: number): Findings {
  const { walk, findings: declared } = withContext(object, outer)
  let all = declared
  for (const name in object) {
    if (name === '@context') continue
    const value = object[name]
    const isKnown = walk.scope.names.has(name)
    const keyword = isKnown ? valueFindings : keywords.get(name)
    const findings = keyword === undefined ? member(name, value, walk, depth) : keyword(value, walk, depth)
    if (findings !== good) all = both(all, below(excerptOf(name), findings))
  }
  return all
}

/** The walk below an object, which may have its own context. */
function withContext(object: Members, walk: Walk): { readonly walk: Walk; readonly findings: Findings } {
  if (!Object.hasOwn(object, '@context')) return { walk, findings: good }
  const { findings, ...names } = contextOf(object['@context'], walk.scope)
  return { walk: { ...walk, scope: scopeOf(names, walk.scope) }, findings }
}

type Keyword = (value: unknown, walk: Walk, depth: number) => Findings

const identifier: Keyword = (value) => {
  if (typeof value !== 'string') return wrongType('string', value)
  return isUriOfJudges(value) ? good : found('not_a_uri')
}

const type: Keyword = (value, { scope, inside }) => {
  const isNamed = (one: unknown) =>
    typeof one === 'string' && nameFindings(one, scope, inside).every(({ level }) => level !== undefined)
  return (Array.isArray(value) ? value : [value]).every(isNamed) ? good : found('not_a_uri')
}

const scalar: Keyword = (value) => (typeof value === 'object' && value !== null ? wrongType('string', value) : good)

/** Keywords that a strict reading does not know. */
const unusual = (name: string): Keyword => {
  const unknown = ifStrictAlone(found('unknown_field', { field: name }))
  return (value, walk, depth) => both(unknown, valueFindings(value, walk, depth))
}

/** Members of JSON-LD itself that are allowed in an extension. */
const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...(['@id', 'id'] as const).map((name) => [name, identifier] as const),
  ...(['@type', 'type'] as const).map((name) => [name, type] as const),
  ...(['@value', '@language'] as const).map((name) => [name, scalar] as const),
  ...(['@list', '@set'] as const).map((name) => [name, valueFindings] as const),
  ...(['@graph', '@reverse', '@index', '@nest', '@included', '@direction'] as const).map(
    (name) => [name, unusual(name)] as const,
  ),
])
