import { excerptOf, isObject, pathTo } from '../../../engine/index.ts'
import { below, both, type Findings, found, good, wrongType } from './check.ts'
import { isContextTerm } from './terms.ts'
import { uriProblem } from './uris.ts'

/** The contexts that GS1 publishes for EPCIS 2.0. They are built in and never fetched. */
export const gs1Contexts: readonly string[] = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
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

/** The prefixes that a `@context` declares, and its findings, with paths from the root of the document. */
export interface Declared {
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: Findings
}

/**
 * Reads a `@context`, in addition to the prefixes of `known`: GS1's context by its URL, which a document needs, and
 * objects of prefixes (EPCIS 2.0, section 9.1).
 */
export function contextOf(context: unknown, known: ReadonlyMap<string, string>): Declared {
  const prefixes = new Map(known)
  const items = Array.isArray(context) ? context : [context]
  // A URL and an object of prefixes are never equal, so two such items need no comparison.
  const seen = items.length > 2 || typeof items[0] === typeof items[1] ? new Set<string>() : undefined
  let findings = good
  for (const [index, item] of items.entries()) {
    const wrong = both(seen === undefined ? good : repeated(item, seen), itemFindings(item, prefixes))
    const path = Array.isArray(context) ? pathTo('@context', index) : '@context'
    if (wrong !== good) findings = both(findings, below(path, wrong))
  }
  if (!prefixes.has('epcis') && findings === good) findings = below('@context', unknownContext(flat(context) ?? ''))
  return { prefixes, findings }
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
  const isFlat =
    typeof value === 'string' || (isObject(value) && Object.values(value).every((one) => typeof one === 'string'))
  return isFlat ? JSON.stringify(value) : undefined
}

function itemFindings(item: unknown, prefixes: Map<string, string>): Findings {
  if (isObject(item)) return declare(item, prefixes)
  if (typeof item !== 'string') return wrongType('string, object', item)
  if (!gs1Contexts.includes(item)) return unknownContext(item)
  for (const [prefix, uri] of gs1Prefixes) prefixes.set(prefix, uri)
  return good
}

function unknownContext(received: string): Findings {
  return found('unknown_context', { received: excerptOf(received), expected: gs1Contexts.join(', ') })
}

/** An object of prefixes; the terms of GS1's context are protected. */
function declare(item: object, prefixes: Map<string, string>): Findings {
  let findings = good
  for (const [prefix, value] of Object.entries(item)) {
    const uri = isObject(value) ? value['@id'] : value
    const wrong = termFindings(prefix, uri)
    if (wrong === good) prefixes.set(prefix, String(uri))
    findings = both(findings, below(excerptOf(prefix), wrong))
  }
  return findings
}

function termFindings(prefix: string, uri: unknown): Findings {
  if (prefix.startsWith('@') || prefix.includes(':')) return found('unknown_field', { field: excerptOf(prefix) })
  if (typeof uri !== 'string') return wrongType('string', uri)
  if (uriProblem(uri) !== undefined) return found('not_a_uri')
  const isTaken = isContextTerm(prefix) && gs1Prefixes.get(prefix) !== uri
  return isTaken ? found('reserved_term', { received: excerptOf(prefix) }) : good
}
