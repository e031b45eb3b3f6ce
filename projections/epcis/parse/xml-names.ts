import type { Finding } from '../../../engine/index.ts'
import type { XmlElement } from '../../shared/xml.ts'
import { otepNamespace } from '../extension.ts'
import { gs1Prefixes } from './context.ts'

/** An element whose name is resolved: `key` is what JSON calls it, `prefix:local` or the local name where it has no namespace. */
export interface Node {
  readonly key: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Node | string)[]
}

/** A document with its names resolved (Namespaces in XML 1.0). */
export interface Resolved {
  readonly root: Node
  /** One prefix for each namespace of the document, beside those of GS1's context. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

/** The namespaces in force at an element, by prefix; the default one under the empty prefix. */
type Bindings = Readonly<Record<string, string>>

/** Resolves the names of a document; a prefix that is not declared is a finding. */
export function resolveNames(element: XmlElement): Resolved {
  const prefixes = new Map([...gs1Prefixes, ['otep', otepNamespace] as const])
  const known = new Map([...prefixes].map(([prefix, uri]) => [uri, prefix]))
  const findings: Finding[] = []
  const prefixFor = (uri: string, wanted: string): string => {
    const before = known.get(uri)
    if (before !== undefined) return before
    let prefix = wanted || 'ns'
    for (let count = 1; prefixes.has(prefix); count++) prefix = `${wanted || 'ns'}${count}`
    prefixes.set(prefix, uri)
    known.set(uri, prefix)
    return prefix
  }
  const resolve = ({ name, attributes = {}, children }: XmlElement, outer: Bindings): Node => {
    const bindings = bound(attributes, outer)
    const [prefix, local] = split(name)
    const namespace = Object.hasOwn(bindings, prefix) ? bindings[prefix] : undefined
    if (namespace === undefined && prefix !== '') {
      findings.push({ path: '', code: 'undeclared_prefix', params: { received: prefix } })
    }
    return {
      key: namespace ? `${prefixFor(namespace, prefix)}:${local}` : local,
      namespace: namespace ?? '',
      attributes,
      children: children.map((child) => (typeof child === 'string' ? child : resolve(child, bindings))),
    }
  }
  const root = resolve(element, { xml: 'http://www.w3.org/XML/1998/namespace' })
  return { root, prefixes, findings }
}

function bound(attributes: Readonly<Record<string, string>>, outer: Bindings): Bindings {
  const declared = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  return { ...outer, ...Object.fromEntries(declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri])) }
}

function split(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/** The elements within an element. */
export function elementsOf({ children }: Node): readonly Node[] {
  return children.filter((child): child is Node => typeof child !== 'string')
}

/** The text of an element as it is written; nothing where elements stand in it. */
export function rawText({ children }: Node): string | undefined {
  return children.every((child) => typeof child === 'string') ? children.join('') : undefined
}
