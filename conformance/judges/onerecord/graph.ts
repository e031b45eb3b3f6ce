import jsonld, { type JsonLdDocument } from 'jsonld'
import type { Judged } from '../judge.ts'

/** A value of a statement: an IRI, a blank node or a literal with its type. */
export interface Term {
  readonly termType: string
  readonly value: string
  readonly datatype?: { readonly value: string }
}

/** All statements about one subject. */
export interface Node {
  readonly id: string
  readonly types: readonly string[]
  /** The values by the IRI of the property, types left out. */
  readonly values: ReadonlyMap<string, readonly Term[]>
}

/** A document as JSON, and as the statements that it makes. */
export interface Graph {
  readonly json: unknown
  readonly nodes: ReadonlyMap<string, Node>
}

interface Statement {
  readonly subject: Term
  readonly predicate: Term
  readonly object: Term
}

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

const read = new WeakMap<Judged, Promise<Graph>>()

/** The statements of a document; cached. Throws if it is not JSON-LD, or refers to an external context. */
export function graphOf(document: Judged): Promise<Graph> {
  const known = read.get(document)
  if (known !== undefined) return known
  const graph = readGraph(document.text)
  read.set(document, graph)
  return graph
}

async function readGraph(text: string): Promise<Graph> {
  const json: unknown = JSON.parse(text)
  const statements = (await jsonld.toRDF(json as JsonLdDocument, {
    documentLoader: (url: string) => Promise.reject(new Error(`a context elsewhere: ${url}`)),
  })) as readonly Statement[]
  const nodes = new Map<string, { id: string; types: string[]; values: Map<string, Term[]> }>()
  for (const { subject, predicate, object } of statements) {
    const node = nodes.get(subject.value) ?? { id: subject.value, types: [], values: new Map<string, Term[]>() }
    nodes.set(subject.value, node)
    if (predicate.value === rdfType) node.types.push(object.value)
    else listed(node.values, predicate.value).push(object)
  }
  return { json, nodes }
}

function listed(values: Map<string, Term[]>, name: string): Term[] {
  const list = values.get(name) ?? []
  values.set(name, list)
  return list
}
