import { nameOf } from './whole-json.ts'

/** The names of one event in XML: the prefixes that it uses, and what has no name there. */
export interface Names {
  readonly losses: string[]
  /** Notes that something cannot be carried. */
  lose(what: string): void
  /** The name of an element for a member; undefined for a keyword of JSON-LD, and for what is no name in XML. */
  element(member: string): string | undefined
  /** The name of an attribute for a member. */
  attribute(member: string): string | undefined
  /** A word of GS1's vocabulary as a compact URI. */
  gs1(word: string): string
  /** The declarations of all prefixes, as attributes. */
  declarations(): Readonly<Record<string, string>>
}

const gs1Namespace = 'https://gs1.org/voc/'

/** A name without a prefix (Namespaces in XML 1.0). */
const local = /^[\p{L}_][\p{L}\p{N}_.\-\u00b7]*$/u

/** Creates the names of an event with the prefixes in its scope; those that its names or values use are declared. */
export function createNames(event: object, prefixes: ReadonlyMap<string, string>): Names {
  const text = JSON.stringify(event)
  const used = new Map([...prefixes].filter(([prefix]) => text.includes(`"${prefix}:`)))
  const losses: string[] = []

  function prefixFor(namespace: string, wanted: string): string {
    for (const [prefix, uri] of used) if (uri === namespace) return prefix
    let prefix = wanted
    for (let count = 1; used.has(prefix); count++) prefix = `${wanted}${count}`
    used.set(prefix, namespace)
    return prefix
  }

  function nameFor(member: string): string | undefined {
    if (local.test(member)) return member
    const colon = member.indexOf(':')
    const [prefix, rest] = [member.slice(0, colon), member.slice(colon + 1)]
    if (used.has(prefix) && local.test(prefix) && local.test(rest)) return member
    const [, namespace = '', name = ''] = /^(.+[/#:])([^/#:]+)$/.exec(member) ?? []
    return colon > 0 && local.test(name) ? `${prefixFor(namespace, 'ns')}:${name}` : undefined
  }

  return {
    losses,
    lose: (what) => void losses.push(what),
    element: nameFor,
    attribute: nameFor,
    gs1: (word) => `${prefixFor(gs1Namespace, 'gs1')}:${word}`,
    declarations: () =>
      Object.fromEntries(
        [...used].filter(([prefix]) => local.test(prefix)).map(([prefix, uri]) => [nameOf(prefix), uri]),
      ),
  }
}
