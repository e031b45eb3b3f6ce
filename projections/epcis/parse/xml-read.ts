import { type Finding, type Members, pathTo } from '../../../engine/index.ts'
import { eventOf } from './xml-forms.ts'
import { hasText, type Node, readNodes, trimmedText, type Written } from './xml-names.ts'
import { hasNested, lossesIn } from './xml-whole.ts'

/** An XML document in the form of a JSON one, its namespaces as prefixes, and its findings as XML. */
export interface Converted {
  readonly value: unknown
  readonly prefixes: ReadonlyMap<string, string>
  /** Findings by the path of the event; those for the whole document have the empty path. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
  /** The events as they are written, in order. */
  readonly sources: readonly WrittenEvent[]
  /** The header of the document. */
  readonly header?: Written
}

/** An event as it is written, its form in JSON with its extensions whole, and the version of its schema. */
export interface WrittenEvent extends Written {
  readonly form: Members
  readonly version: '1.2' | '2.0'
  /** What its form in JSON does not carry. */
  readonly losses: readonly string[]
}

/** The namespaces of the schemas, with the version of each. */
const schemas: Readonly<Record<string, '1' | '2'>> = {
  'urn:epcglobal:epcis:xsd:1': '1',
  'urn:epcglobal:epcis:xsd:2': '2',
  'urn:epcglobal:epcis-query:xsd:1': '1',
  'urn:epcglobal:epcis-query:xsd:2': '2',
}

/** What the root element says about a document. */
interface Kind {
  readonly type: string
  readonly version: '1' | '2'
  /** Whether it is the response to a query. */
  readonly query: boolean
}

function kindOf({ key, namespace }: Node): Kind | undefined {
  const type = key.slice(key.indexOf(':') + 1)
  const query = type === 'EPCISQueryDocument'
  const version = Object.hasOwn(schemas, namespace) ? schemas[namespace] : undefined
  return version === undefined || query !== namespace.includes('query') ? undefined : { type, version, query }
}

/**
 * Reads an XML document (EPCIS 2.0 or 1.2) in steps, in the form of a JSON one; any other document has no `type`. Throws
 * `malformed_xml`.
 */
export function* readEpcisXml(text: string): Generator<void, Converted> {
  const events: Members[] = []
  const sources: WrittenEvent[] = []
  let header: Written | undefined
  const found = new Map<string, readonly Finding[]>()
  // An event is converted at its end, so that its elements are not kept in memory.
  const { root, prefixes, findings } = yield* readNodes(text, (node, outer, written) => {
    if (node.key === 'EPCISHeader' && outer.length === 1) header = written()
    const kind = listKindOf(outer)
    if (kind === undefined || node.key === 'extension') return false
    const place = { member: pathTo(listPathOf(kind), events.length), version: kind.version, findings: [] }
    const event = eventOf(node, place)
    events.push(event)
    const form = hasNested(node) ? eventOf(node, { ...place, findings: [], whole: true }) : event
    sources.push({ ...written(), form, losses: lossesIn(node), version: kind.version === '1' ? '1.2' : '2.0' })
    if (place.findings.length > 0) found.set(place.member, place.findings)
    return true
  })
  const kind = kindOf(root)
  const around = kind === undefined ? findings : [...findings, ...envelopeFindings(root, kind)]
  if (around.length > 0) found.set('', around)
  const value = kind === undefined ? {} : { type: kind.type, ...envelopeOf(root, kind), ...bodyOf(root, kind, events) }
  return { value, prefixes, findings: found, sources, ...(header && { header }) }
}

/** The kind of the document if these elements, from the root, lead to its list of events; 1.2 wraps some of those. */
function listKindOf(outer: readonly Node[]): Kind | undefined {
  let depth = outer.length
  while (outer[depth - 1]?.key === 'extension') depth--
  const [root, body, results, holder] = outer
  if (outer[depth - 1]?.key !== 'EventList' || root === undefined || body?.key !== 'EPCISBody') return undefined
  const kind = kindOf(root)
  if (kind?.query !== true) return depth === 3 ? kind : undefined
  return depth === 5 && isResults(results, root) && holder?.key === 'resultsBody' ? kind : undefined
}

/** The findings around the events: repeated elements, unknown elements, and text. */
function envelopeFindings(root: Node, kind: Kind): readonly Finding[] {
  const findings: Finding[] = []
  const { query } = kind
  const holder = query ? queryResults(root) : only(root, 'EPCISBody')
  checkChildren(root, '', ['EPCISHeader', 'EPCISBody', 'extension'], findings)
  checkChildren(only(root, 'EPCISBody'), 'epcisBody', query ? [] : ['EventList', 'extension'], findings)
  if (query) {
    const results = 'epcisBody.queryResults'
    checkChildren(holder, results, ['queryName', 'subscriptionID', 'resultsBody', 'extension'], findings)
    checkChildren(resultsOf(root), `${results}.resultsBody`, ['EventList', 'VocabularyList'], findings)
  }
  const list = listOf(root, kind)
  if (list !== undefined) refuseText(list, listPathOf(kind), findings)
  return findings
}

function refuseText(node: Node, path: string, findings: Finding[]): void {
  if (hasText(node)) findings.push({ path, code: 'wrong_type', params: { expected: 'object', received: 'string' } })
}

function listPathOf({ query }: Kind): string {
  return query ? 'epcisBody.queryResults.resultsBody.eventList' : 'epcisBody.eventList'
}

function checkChildren(node: Node | undefined, path: string, known: readonly string[], findings: Finding[]): void {
  if (node === undefined) return
  refuseText(node, path, findings)
  const seen = new Set<string>()
  for (const { key } of node.elements) {
    const at = pathTo(path, key)
    if (!key.includes(':') && !known.includes(key))
      findings.push({ path: at, code: 'unknown_field', params: { field: key } })
    else if (seen.has(key)) findings.push({ path: at, code: 'not_unique' })
    seen.add(key)
  }
}

function bodyOf(root: Node, kind: Kind, eventList: readonly unknown[]): object {
  if (only(root, 'EPCISBody') === undefined) return {}
  if (!kind.query) return { epcisBody: { eventList } }
  const results = queryResults(root)
  if (results === undefined) return { epcisBody: {} }
  const queryName = only(results, 'queryName')
  const resultsBody = listOf(root, kind) === undefined ? {} : { eventList }
  return {
    epcisBody: { queryResults: { ...(queryName && { queryName: trimmedText(queryName) ?? {} }), resultsBody } },
  }
}

/** Reads the root element: 1.2 and 2.0 number their schemas, JSON only knows the second. */
function envelopeOf(root: Node, { version }: Kind): object {
  const { schemaVersion, creationDate } = root.attributes
  const isFirst = version === '1' && schemaVersion !== undefined && /^1(?:\.[0-2])?$/.test(schemaVersion)
  const left = root.elements.filter(({ key }) => key.includes(':') || key === 'EPCISHeader')
  return {
    // The namespaces replace it; it is never read.
    '@context': 'namespaces',
    ...(schemaVersion !== undefined && { schemaVersion: isFirst ? '2.0' : schemaVersion }),
    ...(creationDate !== undefined && { creationDate }),
    ...Object.fromEntries(left.map(({ key }) => (key === 'EPCISHeader' ? ['epcisHeader', {}] : [key, '']))),
  }
}

function only(node: Node | undefined, key: string): Node | undefined {
  return node?.elements.find((child) => child.key === key)
}

function isResults(node: Node | undefined, root: Node): boolean {
  return node?.namespace === root.namespace && node.key.endsWith(':QueryResults')
}

function queryResults(root: Node): Node | undefined {
  return only(root, 'EPCISBody')?.elements.find((node) => isResults(node, root))
}

function resultsOf(root: Node): Node | undefined {
  return only(queryResults(root), 'resultsBody')
}

function listOf(root: Node, { query }: Kind): Node | undefined {
  return only(query ? resultsOf(root) : only(root, 'EPCISBody'), 'EventList')
}
