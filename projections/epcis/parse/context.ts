import { isObject, pathTo, shown } from '../../../engine/index.ts'
import { found, foundType, type Scope } from './check.ts'
import { isContextTerm } from './terms.ts'
import { uriProblem } from './uris.ts'

/** The contexts that GS1 publishes for EPCIS 2.0; they are known here and never fetched. */
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

/**
 * The prefixes that a `@context` declares, beside those of `known`: GS1's context by its URL, which a document needs,
 * and objects of prefixes (EPCIS 2.0, section 9.1).
 */
export function contextOf(
  context: unknown,
  path: string,
  scope: Scope,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const prefixes = new Map(known)
  const items = Array.isArray(context) ? context : [context]
  const at = (index: number) => (Array.isArray(context) ? pathTo(path, index) : path)
  const seen = new Set<string>()
  items.forEach((item, index) => {
    const written = flat(item)
    if (written !== undefined && seen.has(written)) found(scope, at(index), 'not_unique')
    if (written !== undefined) seen.add(written)
    if (typeof item === 'string') {
      if (gs1Contexts.includes(item)) for (const [prefix, uri] of gs1Prefixes) prefixes.set(prefix, uri)
      else foundUnknown(scope, at(index), item)
    } else if (isObject(item)) declare(item, at(index), scope, prefixes)
    else foundType(scope, at(index), 'string, object', item)
  })
  if (!prefixes.has('epcis') && scope.findings.length === 0) foundUnknown(scope, path, flat(context) ?? '')
  return prefixes
}

/** A text, or an object of texts, as JSON; nothing for whatever is deeper, which may be as deep as it likes. */
function flat(value: unknown): string | undefined {
  const isFlat =
    typeof value === 'string' || (isObject(value) && Object.values(value).every((one) => typeof one === 'string'))
  return isFlat ? JSON.stringify(value) : undefined
}

function foundUnknown(scope: Scope, path: string, received: string): void {
  found(scope, path, 'unknown_context', { received: shown(received), expected: gs1Contexts.join(', ') })
}

/** An object of prefixes; what GS1's context defines is protected there. */
function declare(item: object, path: string, scope: Scope, prefixes: Map<string, string>): void {
  for (const [prefix, value] of Object.entries(item)) {
    const at = pathTo(path, shown(prefix))
    const uri = isObject(value) ? value['@id'] : value
    if (prefix.startsWith('@') || prefix.includes(':')) found(scope, at, 'unknown_field', { field: shown(prefix) })
    else if (typeof uri !== 'string') foundType(scope, at, 'string', uri)
    else if (uriProblem(uri) !== undefined) found(scope, at, 'not_a_uri')
    else if (isContextTerm(prefix) && gs1Prefixes.get(prefix) !== uri) {
      found(scope, at, 'reserved_term', { received: shown(prefix) })
    } else prefixes.set(prefix, uri)
  }
}
