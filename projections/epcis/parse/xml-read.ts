import { EngineError, eventBounds, type Members, maxEvents, pathTo, unknownAmong } from '../../../engine/index.ts'
import { isXsdDateTime } from './clock.ts'
import { type Names, noNames } from './context.ts'
import type { Fault, Findings } from './findings.ts'
import { eventTooLarge } from './size.ts'
import { hasText, type Node, readNodes, trimmedText, type Written } from './xml-names.ts'
import { eventOf } from './xml-schema.ts'
import { lossesIn } from './xml-whole.ts'

/** An XML document in the form of a JSON one, its namespaces as prefixes, and its findings as XML. */
export interface Converted {
  readonly value: unknown
  readonly names: Names
  /** Findings by the path of the event; those for the whole document have the empty path. */
  readonly findings: ReadonlyMap<string, Findings>
  /** The events as they are written, in order. */
  readonly sources: readonly WrittenEvent[]
  /** The header of the document. */
  readonly header?: Written
}

/** An event as it is written, its form in JSON, and the version of its schema. */
interface WrittenEvent extends Written {
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
  'urn:epcglobal:epcis-masterdata:xsd:1': '1',
  'urn:epcglobal:epcis-masterdata:xsd:2': '2',
}

/** The part of a namespace that goes with each root element. */
const roots: Readonly<Record<string, string>> = {
  EPCISDocument: ':epcis:',
  EPCISQueryDocument: ':epcis-query:',
  EPCISMasterDataDocument: ':epcis-masterdata:',
}

const unwritten: Written = { text: '', namespaces: {} }

/** What the root element says about a document. */
interface Kind {
  readonly type: string
  readonly version: '1' | '2'
  readonly namespace: string
  /** Whether it is the response to a query. */
  readonly query: boolean
  /** Whether it is one event without a document around it. */
  readonly alone: boolean
}

/** The events that may stand alone. */
const lone = /^(?:\w+:)?((?:Object|Aggregation|Transaction|Transformation|Association)Event)$/

function kindOf({ key, namespace }: Node): Kind | undefined {
  const type = key.slice(key.indexOf(':') + 1)
  const version = Object.hasOwn(schemas, namespace) ? schemas[namespace] : undefined
  const isEvent = lone.test(key) && (namespace === '' || namespace.includes(':epcis:xsd:'))
  if (isEvent) return { type, version: version ?? '2', namespace, query: false, alone: true }
  const part = Object.hasOwn(roots, type) ? roots[type] : undefined
  if (version === undefined || part === undefined || !namespace.includes(part)) return undefined
  return { type, version, namespace, query: type === 'EPCISQueryDocument', alone: false }
}

/** The namespace of the events of a document. */
function eventNamespaceOf({ version }: Kind): string {
  return `urn:epcglobal:epcis:xsd:${version}`
}

/**
 * Reads an XML document (EPCIS 2.0 or 1.2) in steps, in the form of a JSON one; any other document has no `type`. Throws
 * `malformed_xml`, `too_many_values`, `too_many_events`, and `event_too_large`.
 */
export function* readEpcisXml(text: string): Generator<void, Converted> {
  const events: Members[] = []
  const sources: WrittenEvent[] = []
  let header: Written | undefined
  let whole: Written | undefined
  const found = new Map<string, Findings>()
  const prefixes = new Map<string, string>()
  const placeOf = (outer: readonly Node[]) => placeIn(outer, events.length)
  const take = (node: Node, kind: Kind, path: string, wrapped: number, written: Written) => {
    if (events.length >= maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
    if (written.text.length > eventBounds.characters) throw eventTooLarge(path)
    const findings: Fault[] = []
    const state = { version: kind.version, namespace: eventNamespaceOf(kind), prefixes, findings }
    const event = eventOf(node, { member: path, event: state }, wrapped)
    if (findings.length > 0) found.set(path, findings)
    const { text, namespaces } = written
    sources.push({
      text,
      namespaces,
      form: event,
      losses: lossesIn(node),
      version: kind.version === '1' ? '1.2' : '2.0',
    })
    return event
  }
  // An event is converted at its end, so that its elements are not kept in memory.
  const taken = (node: Node, outer: readonly Node[], written: () => Written) => {
    if (node.key === 'EPCISHeader' && outer.length === 1) header = headerIn(written())
    if (outer.length === 0) whole = written()
    const list = listIn(outer)
    if (list === undefined || node.key === 'extension') return false
    events.push(take(node, list.kind, pathTo(listPathOf(list.kind), events.length), list.wrapped, written()))
    return true
  }
  const resolved = yield* readNodes(text, prefixes, { take: taken, placeOf })
  const { root, findings } = resolved
  const names: Names = { ...noNames, prefixes }
  const kind = kindOf(root)
  if (kind?.alone) {
    if (findings.length > 0) found.set('', findings)
    const plain = { ...root, key: kind.type, namespace: '' }
    return {
      value: take(
        plain,
        kind,
        '',
        kind.type === 'TransformationEvent' && kind.version === '1' ? 1 : 0,
        whole ?? unwritten,
      ),
      names,
      findings: found,
      sources,
    }
  }
  const around = kind === undefined ? findings : [...findings, ...envelopeFindings(root, kind)]
  if (around.length > 0) found.set('', around)
  const value = kind === undefined ? {} : { ...envelopeOf(root, kind), ...bodyOf(root, kind, events) }
  return { value, names, findings: found, sources, ...(header && { header }) }
}

/** The path of the next event, within whose elements these are; empty if they are around the events. */
function placeIn(outer: readonly Node[], index: number): string {
  const list = outer.map((_, depth) => listIn(outer.slice(0, depth + 1))).find((one) => one !== undefined)
  return list === undefined ? '' : pathTo(listPathOf(list.kind), index)
}

/** The header, which is kept with the events. */
function headerIn(written: Written): Written {
  if (written.text.length > eventBounds.characters) throw eventTooLarge('epcisHeader')
  return written
}

/** The list of events that elements lead to. */
interface EventList {
  readonly kind: Kind
  /** How many extensions are between the list and the event. */
  readonly wrapped: number
}

/** The list of events if these elements, from the root, lead to it. */
function listIn(outer: readonly Node[]): EventList | undefined {
  let depth = outer.length
  while (outer[depth - 1]?.key === 'extension') depth--
  const [root, body, results, holder] = outer
  if (outer[depth - 1]?.key !== 'EventList' || root === undefined || body?.key !== 'EPCISBody') return undefined
  const kind = kindOf(root)
  if (kind === undefined) return undefined
  const list = { kind, wrapped: outer.length - depth }
  if (!kind.query) return depth === 3 ? list : undefined
  return depth === 5 && isResults(results, root) && holder?.key === 'resultsBody' ? list : undefined
}

/** The findings around the events: order, repeated elements, unknown elements, text, and attributes of the root. */
function envelopeFindings(root: Node, { type, query }: Kind): Findings {
  const findings: Fault[] = [...attributeFindings(root)]
  if (type === 'EPCISMasterDataDocument') return findings
  const body = only(root, 'EPCISBody')
  checkChildren(root, '', ['EPCISHeader', 'EPCISBody', 'extension'], findings)
  if (body === undefined) findings.push({ path: 'epcisBody', code: 'required', params: { field: 'epcisBody' } })
  checkChildren(body, 'epcisBody', query ? [] : ['EventList', 'extension'], findings)
  const results = query ? queryResults(root) : undefined
  if (results !== undefined) {
    const path = 'epcisBody.queryResults'
    checkChildren(results, path, ['queryName', 'subscriptionID', 'resultsBody', 'extension'], findings)
    for (const field of ['queryName', 'resultsBody'])
      if (only(results, field) === undefined)
        findings.push({ path: pathTo(path, field), code: 'required', params: { field } })
    checkChildren(only(results, 'resultsBody'), `${path}.resultsBody`, ['EventList', 'VocabularyList'], findings)
  }
  const list = query ? only(only(results, 'resultsBody'), 'EventList') : only(body, 'EventList')
  if (list !== undefined) refuseText(list, listPathOf({ query }), findings)
  return findings
}

/** Decimal numbers as XML Schema has them, and the versions by which the releases of 2.0 are called. */
const schemaVersions = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)|2\.0\.[01])$/

function attributeFindings({ attributes }: Node): Findings {
  const findings: Fault[] = []
  for (const name of ['schemaVersion', 'creationDate'] as const) {
    const written = attributes[name]?.trim()
    if (written === undefined) findings.push({ path: name, code: 'required', params: { field: name } })
    else if (name === 'schemaVersion' && !schemaVersions.test(written))
      findings.push({ path: name, code: 'bad_pattern', params: { expected: '2.0' } })
    else if (name === 'creationDate' && !isXsdDateTime(written))
      findings.push({ path: name, code: 'not_a_date_time', params: { field: name } })
  }
  return findings
}

function refuseText(node: Node, path: string, findings: Fault[]): void {
  if (hasText(node)) findings.push({ path, code: 'wrong_type', params: { expected: 'object', received: 'string' } })
}

function listPathOf({ query }: Pick<Kind, 'query'>): string {
  return query ? 'epcisBody.queryResults.resultsBody.eventList' : 'epcisBody.eventList'
}

/** Checks elements against a sequence; elements of other namespaces are at its end. */
function checkChildren(node: Node | undefined, path: string, known: readonly string[], findings: Fault[]): void {
  if (node === undefined) return
  refuseText(node, path, findings)
  const seen = new Set<string>()
  let last = -1
  for (const { key } of node.elements) {
    const at = pathTo(path, key)
    const rank = key.includes(':') ? known.length : known.indexOf(key)
    if (rank === -1) findings.push({ path: at, ...unknownAmong(key, known) })
    else if (rank < last) findings.push({ path: at, code: 'element_order', params: { field: key } })
    else if (seen.has(key) && rank < known.length) findings.push({ path: at, code: 'not_unique' })
    last = Math.max(last, rank)
    seen.add(key)
  }
}

function bodyOf(root: Node, kind: Kind, eventList: readonly unknown[]): object {
  if (only(root, 'EPCISBody') === undefined && kind.type !== 'EPCISMasterDataDocument') return {}
  if (kind.query && queryResults(root) === undefined) return { epcisBody: { queryResults: {} } }
  const results = kind.query ? queryResults(root) : undefined
  const isListed = only(results === undefined ? only(root, 'EPCISBody') : only(results, 'resultsBody'), 'EventList')
  if (results === undefined) return { epcisBody: isListed === undefined ? {} : { eventList } }
  const queryName = only(results, 'queryName')
  const resultsBody = isListed === undefined ? {} : { eventList }
  return {
    epcisBody: { queryResults: { ...(queryName && { queryName: trimmedText(queryName) ?? {} }), resultsBody } },
  }
}

/** Reads the root element: 1.2 and 2.0 number their schemas, JSON only knows the second. */
function envelopeOf(root: Node, { type, version, query }: Kind): object {
  const { schemaVersion, creationDate } = root.attributes
  const written = schemaVersion?.trim()
  const isFirst = version === '1' && written !== undefined && /^1(?:\.[0-2])?$/.test(written)
  const left = [...root.elements, ...bodiesLeft(root, query)].filter(
    ({ key }) => key.includes(':') || key === 'EPCISHeader',
  )
  return {
    type,
    // The namespaces replace it; it is never read.
    '@context': 'namespaces',
    ...(written !== undefined && { schemaVersion: isFirst ? '2.0' : written }),
    ...(creationDate !== undefined && { creationDate: creationDate.trim() }),
    ...Object.fromEntries(
      left.map((node) => (node.key === 'EPCISHeader' ? ['epcisHeader', headOf(node)] : [node.key, ''])),
    ),
  }
}

/** What matters of a header: whether it has master data. */
function headOf(header: Node): object {
  return only(only(header, 'extension'), 'EPCISMasterData') === undefined ? {} : { epcisMasterData: {} }
}

/** What a query document has instead of events: a command of the query interface, its response, or master data. */
function bodiesLeft(root: Node, query: boolean): readonly Node[] {
  if (!query) return []
  const isLeft = (node: Node) => !isResults(node, root)
  return only(root, 'EPCISBody')?.elements.filter(isLeft) ?? []
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
