import { type Finding, pathTo } from '../../../engine/index.ts'
import type { XmlElement } from '../../shared/xml.ts'
import { eventMembers, refuseText } from './xml-forms.ts'
import { elementsOf, type Node, rawText, resolveNames } from './xml-names.ts'

/** An XML document in the form of a JSON one, its namespaces as prefixes, and what is wrong with it as XML. */
export interface Converted {
  readonly value: unknown
  readonly prefixes: ReadonlyMap<string, string>
  /** By the path of the event; under the empty path what concerns the whole. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
}

/** The namespaces of the schemas, with the version of each. */
const schemas: Readonly<Record<string, '1' | '2'>> = {
  'urn:epcglobal:epcis:xsd:1': '1',
  'urn:epcglobal:epcis:xsd:2': '2',
  'urn:epcglobal:epcis-query:xsd:1': '1',
  'urn:epcglobal:epcis-query:xsd:2': '2',
}

/** Turns an XML document (EPCIS 2.0 or 1.2) into the form of a JSON one; anything else has no `type`. */
export function jsonOf(element: XmlElement): Converted {
  const { root, prefixes, findings: unresolved } = resolveNames(element)
  const findings = [...unresolved]
  const version = Object.hasOwn(schemas, root.namespace) ? schemas[root.namespace] : undefined
  const type = root.key.slice(root.key.indexOf(':') + 1)
  const whole = new Map<string, readonly Finding[]>(findings.length === 0 ? [] : [['', findings]])
  const query = type === 'EPCISQueryDocument'
  if (version === undefined || query !== root.namespace.includes('query'))
    return { value: {}, prefixes, findings: whole }
  checkEnvelope(root, query, findings)
  if (findings.length > 0) whole.set('', findings)
  const events = eventsOf(query ? resultsOf(root) : only(root, 'EPCISBody'))
  const listPath = listPathOf(query)
  const eventList = events?.map((node, index) => {
    const path = pathTo(listPath, index)
    const found: Finding[] = []
    const name = node.key
    const event = { type: name, ...eventMembers(name, node, { path, version, findings: found }) }
    if (found.length > 0) whole.set(path, found)
    return event
  })
  return { value: { type, ...around(root, version), ...body(root, query, eventList) }, prefixes, findings: whole }
}

/** What stands around the events: nothing twice, nothing that is not known, and no text. */
function checkEnvelope(root: Node, query: boolean, findings: Finding[]): void {
  const holder = query ? queryResults(root) : only(root, 'EPCISBody')
  checkChildren(root, '', ['EPCISHeader', 'EPCISBody', 'extension'], findings)
  checkChildren(only(root, 'EPCISBody'), 'epcisBody', query ? [] : ['EventList', 'extension'], findings)
  if (query) {
    const results = 'epcisBody.queryResults'
    checkChildren(holder, results, ['queryName', 'subscriptionID', 'resultsBody', 'extension'], findings)
    checkChildren(resultsOf(root), `${results}.resultsBody`, ['EventList', 'VocabularyList'], findings)
  }
  const list = only(query ? resultsOf(root) : holder, 'EventList')
  if (list !== undefined) refuseText(list, { path: listPathOf(query), findings })
}

function listPathOf(query: boolean): string {
  return query ? 'epcisBody.queryResults.resultsBody.eventList' : 'epcisBody.eventList'
}

function checkChildren(node: Node | undefined, path: string, known: readonly string[], findings: Finding[]): void {
  if (node === undefined) return
  refuseText(node, { path, findings })
  const seen = new Set<string>()
  for (const { key } of elementsOf(node)) {
    const at = pathTo(path, key)
    if (!key.includes(':') && !known.includes(key))
      findings.push({ path: at, code: 'unknown_field', params: { field: key } })
    else if (seen.has(key)) findings.push({ path: at, code: 'not_unique' })
    seen.add(key)
  }
}

function body(root: Node, query: boolean, eventList: readonly unknown[] | undefined): object {
  if (only(root, 'EPCISBody') === undefined) return {}
  if (!query) return { epcisBody: { eventList: eventList ?? [] } }
  const results = queryResults(root)
  if (results === undefined) return { epcisBody: {} }
  const queryName = only(results, 'queryName')
  const resultsBody = eventList === undefined ? {} : { eventList }
  return {
    epcisBody: { queryResults: { ...(queryName && { queryName: rawText(queryName)?.trim() ?? {} }), resultsBody } },
  }
}

/** What the root says of the document: 1.2 and 2.0 number their schemas, JSON only knows the second. */
function around(root: Node, version: '1' | '2'): object {
  const { schemaVersion, creationDate } = root.attributes
  const isFirst = version === '1' && schemaVersion !== undefined && /^1(?:\.[0-2])?$/.test(schemaVersion)
  const left = elementsOf(root).filter(({ key }) => key.includes(':') || key === 'EPCISHeader')
  return {
    // The namespaces stand for it; it is never looked at.
    '@context': 'namespaces',
    ...(schemaVersion !== undefined && { schemaVersion: isFirst ? '2.0' : schemaVersion }),
    ...(creationDate !== undefined && { creationDate }),
    ...Object.fromEntries(left.map(({ key }) => (key === 'EPCISHeader' ? ['epcisHeader', {}] : [key, '']))),
  }
}

function only(node: Node | undefined, key: string): Node | undefined {
  return node && elementsOf(node).find((child) => child.key === key)
}

function queryResults(root: Node): Node | undefined {
  const content = only(root, 'EPCISBody')
  return (
    content &&
    elementsOf(content).find(({ key, namespace }) => namespace === root.namespace && key.endsWith(':QueryResults'))
  )
}

function resultsOf(root: Node): Node | undefined {
  return only(queryResults(root), 'resultsBody')
}

/** The events of a list, those of 1.2 that stand in an extension among them. */
function eventsOf(holder: Node | undefined): readonly Node[] | undefined {
  const list = only(holder, 'EventList')
  return list && unwrapped(list)
}

function unwrapped(node: Node): readonly Node[] {
  return elementsOf(node).flatMap((child) => (child.key === 'extension' ? unwrapped(child) : [child]))
}
