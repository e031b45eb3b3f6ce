import { type Finding, isObject, pathTo } from '../../../engine/index.ts'
import { expandedName, type Names, namesIn, noNames, typeOfTexts } from './context.ts'

/** A value of a node: a text, number or flag, or the id of another node. */
export interface Value {
  readonly path: string
  readonly literal?: string | number | boolean
  readonly id?: string
}

/** A node of a document, with all that the document says of it in different places. */
export interface Node {
  readonly id: string
  /** Where it is first described. */
  readonly path: string
  readonly types: readonly string[]
  readonly values: ReadonlyMap<string, readonly Value[]>
}

/** The nodes of a document by their ids, and what is wrong with it. */
export interface Nodes {
  readonly byId: ReadonlyMap<string, Node>
  readonly findings: readonly Finding[]
}

interface OpenNode extends Node {
  path: string
  readonly types: string[]
  readonly values: Map<string, Value[]>
}

/** The most levels of nodes in one another. */
const maxLevels = 32

/** The most nodes, and the most contexts, of a document. */
const most = { nodes: 100_000, contexts: 1_000 }

/** The most findings of a document. */
const maxFindings = 100

/** What is known while a document is read. */
interface Reader {
  readonly byId: Map<string, OpenNode>
  readonly findings: Finding[]
  blanks: number
  contexts: number
  report(finding: Finding): void
}

/**
 * The nodes of a JSON-LD document, compacted, expanded or flattened. It is read as data with the contexts that it has in
 * itself; keywords that no ONE Record document needs (`@reverse`, `@nest`) are refused.
 */
export function nodesIn(document: unknown): Nodes {
  const findings: Finding[] = []
  const report = (finding: Finding) => {
    if (findings.length < maxFindings) findings.push(finding)
  }
  const reader: Reader = { byId: new Map(), findings, blanks: 0, contexts: 0, report }
  if (isObject(document) || Array.isArray(document)) readAll(document, { names: noNames, path: '', level: 0 }, reader)
  else report({ path: '', code: 'wrong_type', params: { expected: 'object', received: typeof document } })
  return reader
}

/** Where a value is, and what names mean there. */
interface Place {
  readonly names: Names
  readonly path: string
  readonly level: number
}

/** Reads a node, and returns its id. */
function readNode(members: Readonly<Record<string, unknown>>, place: Place, reader: Reader): string {
  const { path, level } = place
  const { '@context': context } = members
  if (isBeyond(context !== undefined, place, reader)) return ''
  const names =
    context === undefined ? place.names : namesIn(context, place.names, pathTo(path, '@context'), reader.report)
  const entries = Object.entries(members).map(([name, value]) => [name, expandedName(name, names), value] as const)
  const given = entries.find(([, iri]) => iri === '@id')?.[2]
  const id = typeof given === 'string' ? absolute(given, names) : `_: ${reader.blanks++}`
  const known = reader.byId.get(id) ?? { id, path, types: [], values: new Map<string, Value[]>() }
  const isReference = entries.every(([, iri]) => iri === '@id' || iri === '@type' || iri === '@context')
  if (!isReference && known.values.size === 0) known.path = path
  reader.byId.set(id, known)
  for (const [name, iri, value] of entries)
    readMember(known, { name, iri, value }, { names, path: pathTo(path, name), level }, reader)
  return id
}

/** Whether a node is one too many; reports it. */
function isBeyond(hasContext: boolean, { path, level }: Place, reader: Reader): boolean {
  if (hasContext) reader.contexts++
  const isTooDeep = level > maxLevels
  const limit = reader.contexts > most.contexts ? most.contexts : most.nodes
  const isTooLong = reader.byId.size >= most.nodes || reader.contexts > most.contexts
  if (isTooDeep) reader.report({ path, code: 'too_deep', params: { limit: maxLevels } })
  else if (isTooLong) reader.report({ path, code: 'too_long', params: { limit } })
  return isTooDeep || isTooLong
}

/** A member of a node, by its name and the IRI of that. */
interface Member {
  readonly name: string
  readonly iri: string
  readonly value: unknown
}

/** The most types of a node that are read. */
const maxTypes = 100

function readMember(node: OpenNode, { name, iri, value }: Member, place: Place, reader: Reader): void {
  if (iri === '@type') {
    const types = [value]
      .flat()
      .slice(0, maxTypes)
      .filter((one) => typeof one === 'string')
    for (const type of types.map((one) => expandedName(one, place.names)))
      if (!node.types.includes(type) && node.types.length < maxTypes) node.types.push(type)
  } else if (iri === '@graph' || iri === '@included') readAll(value, place, reader)
  else if (iri.startsWith('@')) {
    if (!['@id', '@context', '@index'].includes(iri))
      reader.report({ path: place.path, code: 'unknown_field', params: { field: name } })
  } else if (iri.includes(':')) {
    const values = node.values.get(iri) ?? []
    node.values.set(iri, values)
    readValues(value, { ...place, name }, reader, values)
  }
}

function readAll(value: unknown, { names, path, level }: Place, reader: Reader): void {
  const isList = Array.isArray(value)
  for (const [index, one] of (isList ? value : [value]).entries())
    if (isObject(one)) readNode(one, { names, path: isList ? pathTo(path, index) : path, level: level + 1 }, reader)
}

function readValues(value: unknown, place: Place & { readonly name: string }, reader: Reader, found: Value[]): void {
  const { names, name, path, level } = place
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) readValues(one, { ...place, path: pathTo(path, index) }, reader, found)
  } else if (typeof value === 'string' && /^@(?:id|vocab)$/.test(typeOfTexts(name, names) ?? '')) {
    found.push({ path, id: absolute(value, names) })
  } else if (isLiteral(value)) {
    found.push({ path, literal: value })
  } else if (isObject(value)) {
    const keys = new Map(Object.keys(value).map((one) => [expandedName(one, names), one]))
    const of = (keyword: string) => value[keys.get(keyword) ?? '']
    const literal = of('@value')
    const list = of('@list') ?? of('@set')
    if (isLiteral(literal)) found.push({ path, literal })
    else if (list !== undefined && level < maxLevels) readValues(list, { ...place, level: level + 1 }, reader, found)
    else if (!keys.has('@value')) found.push({ path, id: readNode(value, { names, path, level: level + 1 }, reader) })
  }
}

function isLiteral(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** An id in full. Names without a prefix are no ids, so a vocabulary is not put before them. */
function absolute(id: string, names: Names): string {
  return id.includes(':') ? expandedName(id, { terms: names.terms }) : (names.terms.get(id)?.iri ?? id)
}
