import jsonld, { type JsonLdDocument } from 'jsonld'
import type { Pause } from '../../engine/index.ts'

/** Documents hold their own contexts, so the library never fetches anything. */
const options = {
  documentLoader: (url: string) => Promise.reject(new Error(`A document of ours may not refer to ${url}.`)),
}

/** Values of a list that are expanded at a time. */
const atATime = 50

/**
 * The expanded form: absolute IRIs, every value in an array, no context (JSON-LD 1.1 API, section 5.1). Its lists are
 * expanded in parts, with a pause after each.
 */
export async function expanded(document: object, pause: Pause = async () => {}): Promise<object> {
  const { '@context': context, '@id': id, ...members } = document as Readonly<Record<string, unknown>>
  const lists = Object.entries(members).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const partAt = (from: number) =>
    Object.fromEntries(lists.map(([name, values]) => [name, values.slice(from, from + atATime)]))
  const longest = Math.max(0, ...lists.map(([, values]) => values.length))
  const [whole = {}] = await expand({ ...document, ...partAt(0) })
  for (let from = atATime; from < longest; from += atATime) {
    await pause()
    const [part = {}] = await expand({ '@context': context, '@id': id, ...partAt(from) })
    for (const [name, values] of Object.entries(part)) if (Array.isArray(values)) listIn(whole, name).push(...values)
  }
  return [whole]
}

/** The statements of a document in Turtle, one on each line. */
export async function turtleOf(document: object): Promise<string> {
  // A list of statements without names of graphs is also Turtle (RDF 1.1 N-Triples, section 2).
  return String(await jsonld.toRDF(document as JsonLdDocument, { ...options, format: 'application/n-quads' }))
}

async function expand(document: object): Promise<Record<string, unknown>[]> {
  return (await jsonld.expand(document as JsonLdDocument, options)) as Record<string, unknown>[]
}

function listIn(node: Record<string, unknown>, name: string): unknown[] {
  const list = (node[name] ?? []) as unknown[]
  node[name] = list
  return list
}
