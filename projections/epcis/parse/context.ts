import { excerptOf, isObject, type Members, pathTo } from '../../../engine/index.ts'
import { otepContext, otepVocabulary } from '../extension.ts'
import { below, both, type Findings, found, good, ifStrict, ifStrictAlone, wrongType } from './findings.ts'
import { isContextTerm, isReserved } from './terms.ts'
import { isIri, uriProblem } from './uris.ts'

/** The contexts that GS1 publishes for EPCIS 2.0. They are built in and never fetched. */
export const gs1Contexts: readonly string[] = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/2.0.1/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/epcis-context.jsonld',
]

/** The prefixes that GS1's context declares. */
export const gs1Prefixes: ReadonlyMap<string, string> = new Map([
  ['epcis', 'https://ref.gs1.org/epcis/'],
  ['cbv', 'https://ref.gs1.org/cbv/'],
  ['cbvmda', 'urn:epcglobal:cbv:mda:'],
  ['gs1', 'https://gs1.org/voc/'],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
  ['dcterms', 'http://purl.org/dc/terms/'],
])

/** The names that a document gives a meaning, in addition to those of EPCIS. */
export interface Names {
  readonly prefixes: ReadonlyMap<string, string>
  /** Names without a prefix. */
  readonly terms: ReadonlySet<string>
  /** Whether every name without a prefix has a meaning (`@vocab`). */
  readonly anyTerm: boolean
}

/** No names. */
export const noNames: Names = { prefixes: new Map(), terms: new Set(), anyTerm: false }

/** The names that a `@context` declares, and its findings, with paths from its object. */
export interface Declared extends Names {
  readonly findings: Findings
}

interface Declaring extends Declared {
  readonly prefixes: Map<string, string>
  readonly terms: Set<string>
  anyTerm: boolean
  findings: Findings
}

/**
 * Reads a `@context`, in addition to the names of `known`: GS1's context by its URL, which a document needs, and
 * objects of prefixes and terms (EPCIS 2.0, section 9.1; JSON-LD 1.1, section 9.15).
 */
export function contextOf(context: unknown, known: Names): Declared {
  const written = known === noNames ? flatTexts(context) : undefined
  if (written === undefined || written.length > longestRemembered) return declaredBy(context, known)
  const found = remembered.get(written)
  if (found !== undefined) return found
  if (remembered.size >= mostRemembered) remembered.clear()
  const declared = declaredBy(context, known)
  remembered.set(written, declared)
  return declared
}

/** Contexts that were read before, by their text: most documents have one of a few. */
const remembered = new Map<string, Declared>()
const [mostRemembered, longestRemembered] = [64, 1_000]

/** A list of URLs and objects of texts as JSON; undefined for any other context. */
function flatTexts(context: unknown): string | undefined {
  if (!Array.isArray(context) || context.length > 8) return undefined
  let texts = ''
  for (const item of context) {
    const text = flat(item)
    if (text === undefined) return undefined
    texts += `${text},`
  }
  return texts
}

function declaredBy(context: unknown, known: Names): Declared {
  const { anyTerm } = known
  const declared: Declaring = {
    prefixes: new Map(known.prefixes),
    terms: new Set(known.terms),
    anyTerm,
    findings: good,
  }
  readContext(context, declared, 0)
  if (!declared.prefixes.has('epcis') && declared.findings === good) {
    declared.findings = below('@context', unknownContext(flat(context) ?? ''))
  }
  return declared
}

/** Contexts within terms of a context are read to this depth. */
const maxDepth = 8

function readContext(context: unknown, declared: Declaring, depth: number): void {
  const items = Array.isArray(context) ? context : [context]
  // A URL and an object of prefixes are never equal, so two such items need no comparison.
  const seen = items.length > 2 || typeof items[0] === typeof items[1] ? new Set<string>() : undefined
  for (const [index, item] of items.entries()) {
    const wrong = both(seen === undefined ? good : repeated(item, seen), itemFindings(item, declared, depth))
    const path = Array.isArray(context) ? pathTo('@context', index) : '@context'
    if (wrong !== good) declared.findings = both(declared.findings, below(path, wrong))
  }
}

function repeated(item: unknown, seen: Set<string>): Findings {
  const written = flat(item)
  if (written === undefined) return good
  if (seen.has(written)) return found('not_unique')
  seen.add(written)
  return good
}

/** A text or an object of texts as JSON; undefined for deeper values, which may be of any depth. */
function flat(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  if (!isObject(value)) return undefined
  for (const name in value) if (typeof value[name] !== 'string') return undefined
  return JSON.stringify(value)
}

function itemFindings(item: unknown, declared: Declaring, depth: number): Findings {
  if (isObject(item)) return declare(item, declared, depth)
  if (typeof item !== 'string') return wrongType('string, object', item)
  if (item === otepContext) declared.prefixes.set('otep', otepVocabulary)
  if (item === otepContext) return good
  if (!gs1Contexts.includes(item)) return unknownContext(item)
  for (const [prefix, uri] of gs1Prefixes) declared.prefixes.set(prefix, uri)
  return good
}

function unknownContext(received: string): Findings {
  return found('unknown_context', { received: excerptOf(received), expected: gs1Contexts.join(', ') })
}

/** An object of prefixes and terms; the terms of GS1's context are protected. */
function declare(item: Members, declared: Declaring, depth: number): Findings {
  let findings = good
  for (const [name, value] of Object.entries(item)) {
    const wrong = name.startsWith('@') ? keywordFindings(name, value, declared) : termIn(name, value, declared, depth)
    findings = both(findings, below(excerptOf(name), wrong))
  }
  return findings
}

/** The keywords that a context may have. A language would change the texts of EPCIS itself, so it is refused. */
function keywordFindings(name: string, value: unknown, declared: Declaring): Findings {
  const unusual = () => ifStrictAlone(found('unknown_field', { field: excerptOf(name) }))
  if (name === '@version') return value === 1.1 ? unusual() : found('bad_pattern', { expected: '1.1' })
  if (name === '@protected' || name === '@propagate') {
    return typeof value === 'boolean' ? unusual() : wrongType('boolean', value)
  }
  if (name === '@base') return typeof value === 'string' ? unusual() : wrongType('string', value)
  if (name !== '@vocab') return found('unknown_field', { field: excerptOf(name) })
  if (typeof value !== 'string') return wrongType('string', value)
  if (!isIri(value)) return found('not_a_uri')
  declared.anyTerm = true
  return unusual()
}

/** A prefix of GS1's that published examples of receivers declare again. It keeps the meaning that GS1 gives it. */
const oftenDeclared = 'cbvmda'

function termIn(name: string, value: unknown, declared: Declaring, depth: number): Findings {
  const uri = isObject(value) ? value['@id'] : value
  if (isReserved(name) && gs1Prefixes.get(name) !== uri) {
    const reserved = found('reserved_term', { received: excerptOf(name) })
    return name === oftenDeclared && typeof uri === 'string' ? ifStrict(reserved) : reserved
  }
  const isPlain = typeof uri === 'string' && !name.includes(':') && isIri(uri)
  if (isPlain && (!isObject(value) || Object.keys(value).length === 1)) {
    declared.prefixes.set(name, expandedIn(uri, declared))
    declared.terms.add(name)
    return uriProblem(uri) === undefined ? good : ifStrictAlone(found('not_a_uri'))
  }
  return unusualTerm(name, value, declared, depth)
}

/** A prefix may be declared by another one. */
function expandedIn(uri: string, { prefixes }: Names): string {
  const colon = uri.indexOf(':')
  const namespace = prefixes.get(uri.slice(0, colon))
  return namespace === undefined || uri.startsWith('//', colon + 1) ? uri : namespace + uri.slice(colon + 1)
}

/** The members of a definition (JSON-LD 1.1, section 9.15.1). */
const definition = new Set([
  ...['@id', '@type', '@container', '@context', '@reverse', '@language', '@direction', '@protected', '@prefix'],
  ...['@index', '@nest', '@json'],
])

/** A term with its own type, container or context, and any other definition that JSON-LD has. */
function unusualTerm(name: string, value: unknown, declared: Declaring, depth: number): Findings {
  if (value === null) return ifStrictAlone(wrongType('string', value))
  const { '@id': id, '@reverse': reverse, '@context': context, ...others } = isObject(value) ? value : { '@id': value }
  const unknown = Object.keys(others).find((key) => !definition.has(key))
  if (unknown !== undefined) return below(excerptOf(unknown), found('unknown_field', { field: excerptOf(unknown) }))
  const uri = id ?? reverse ?? (name.includes(':') || declared.anyTerm ? 'urn:x:y' : undefined)
  if (typeof uri !== 'string') return wrongType('string', uri ?? null)
  if (!isMeaning(uri, declared)) return found('not_a_uri')
  // A name that is a URI itself can only mean that URI; one that only begins or ends with a colon is none.
  const own = expandedIn(name, declared)
  if (typeof id === 'string' && /.:./s.test(name) && expandedIn(id, declared) !== own) {
    return found('bad_pattern', { expected: excerptOf(own) })
  }
  if (depth >= maxDepth) return found('too_deep', { limit: maxDepth })
  declared.terms.add(name)
  if (!name.includes(':') && uri.includes(':')) declared.prefixes.set(name, expandedIn(uri, declared))
  if (context !== undefined && context !== null) readContext(context, declared, depth + 1)
  return ifStrictAlone(found('unknown_field', { field: excerptOf(name) }))
}

function isMeaning(uri: string, { terms, anyTerm }: Names): boolean {
  return isIri(uri) || /^@[a-z]+$/.test(uri) || isContextTerm(uri) || terms.has(uri) || anyTerm
}
