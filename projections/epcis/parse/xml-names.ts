import { eventBounds } from '../../../engine/index.ts'
import { mostNames, readXml, type XmlAttributes } from '../../shared/xml-form.ts'
import { malformed } from '../../shared/xml-text.ts'
import { gs1Prefixes } from './context.ts'
import { type Findings, maxFindings } from './findings.ts'
import { eventTooLarge } from './size.ts'

/** The name of an element: `key` is its name in JSON, `prefix:local`, or the local name without a namespace. */
interface Name {
  readonly key: string
  readonly namespace: string
}

/** An element with a resolved name: its child elements, and its text unchanged. */
export interface Node extends Name {
  /** By name as in JSON, without declarations of namespaces; those of XML Schema itself begin with `xsi:`. */
  readonly attributes: XmlAttributes
  readonly elements: readonly Node[]
  /** Without white space between elements. */
  readonly text: string
}

/** A document with its names resolved (Namespaces in XML 1.0). */
interface Resolved {
  readonly root: Node
  readonly findings: Findings
}

/** Namespaces by prefix, with the default one under the empty prefix. Those of an inner scope inherit from the outer ones. */
type Bindings = Readonly<Record<string, string>>

/** The namespaces in scope at an element, and the names seen there. */
interface Scope {
  readonly bindings: Bindings
  readonly names: Map<string, Name>
  /** The latest scope within this one, by its declarations: elements beside each other repeat them. */
  latest?: { readonly declared: string; readonly scope: Scope }
}

/** An element that is being read. */
interface Open extends Node {
  readonly scope: Scope
  elements: Node[]
  text: string
  /** The elements and attributes that were held when it began. */
  readonly before: number
}

/** Shared until the first child, because most elements contain only text. */
const noElements: Node[] = []

/** An element as it is written, and the namespaces in scope around it by their prefixes. */
export interface Written {
  readonly text: string
  readonly namespaces: Readonly<Record<string, string>>
}

/** What receives the elements of a document. */
interface NodeReader {
  /**
   * Takes an element at its end, which is then not stored; `outer` are its ancestors, from the root, and `written` returns
   * it as text.
   */
  take(node: Node, outer: readonly Node[], written: () => Written): boolean
  /** Where a document is that holds too much, by the elements that are open: the path of an event, or an empty one. */
  placeOf(open: readonly Node[]): string
}

/**
 * Reads a document in steps and resolves its names; an undeclared prefix is a finding. `prefixes` gets one prefix for each
 * namespace of the document, and all that it declares, in addition to those of GS1's context. Throws `malformed_xml`,
 * `too_many_values`, and `event_too_large` for more elements and attributes that are not taken than one event may have.
 */
export function* readNodes(
  text: string,
  prefixes: Map<string, string>,
  { take, placeOf }: NodeReader,
): Generator<void, Resolved> {
  const { prefixFor, declare } = fillPrefixes(prefixes, text)
  const findings: Findings[number][] = []
  const open: Open[] = []
  const document = opened({ key: '', namespace: '' }, {}, outermost(), 0)
  let inner = document
  let held = 0
  yield* readXml(text, {
    start: (written, attributes) => {
      const before = held
      held += 1 + countOf(attributes)
      if (held > eventBounds.values) throw eventTooLarge(placeOf(open))
      const scope = scopeWithin(inner.scope, attributes, declare)
      const name = nameIn(scope, written, prefixFor, findings)
      inner = opened(name, attributesIn(scope, attributes, prefixFor, findings), scope, before)
      open.push(inner)
    },
    text: (part) => {
      if (inner.elements === noElements || !isBlank(part)) inner.text += part
    },
    end: (whole, from, to) => {
      const node = inner
      open.pop()
      inner = open.at(-1) ?? document
      const written = () => ({ text: whole.slice(from, to), namespaces: allOf(inner.scope.bindings) })
      if (take(node, open, written)) held = node.before
      else keep(inner, node)
    },
  })
  return { root: document.elements[0] ?? document, findings }
}

function countOf(attributes: XmlAttributes): number {
  let count = 0
  for (const _ in attributes) count++
  return count
}

function opened({ key, namespace }: Name, attributes: XmlAttributes, scope: Scope, before: number): Open {
  return { key, namespace, attributes, elements: noElements, text: '', scope, before }
}

function keep(outer: Open, node: Node): void {
  if (outer.elements === noElements) outer.elements = [node]
  else outer.elements.push(node)
}

/**
 * The prefixes of GS1's context, and the prefix chosen for any other namespace: its own if it is free. Throws `malformed_xml`
 * for too many of them.
 */
function fillPrefixes(prefixes: Map<string, string>, text: string) {
  for (const [prefix, uri] of gs1Prefixes) prefixes.set(prefix, uri)
  const known = new Map([...prefixes].map(([prefix, uri]) => [uri, prefix]))
  const add = (prefix: string, uri: string) => {
    if (prefixes.size >= maxNamespaces) throw malformed(text, 0, `more than ${maxNamespaces} namespaces`)
    prefixes.set(prefix, uri)
  }
  const prefixFor = (uri: string, wanted: string): string => {
    const before = known.get(uri)
    if (before !== undefined) return before
    let prefix = wanted || 'ns'
    for (let count = 1; prefixes.has(prefix); count++) prefix = `${wanted || 'ns'}${count}`
    add(prefix, uri)
    known.set(uri, prefix)
    return prefix
  }
  const declare = (prefix: string, uri: string) => {
    if (prefixes.has(prefix)) return
    add(prefix, uri)
    if (!known.has(uri)) known.set(uri, prefix)
  }
  return { prefixFor, declare }
}

/** The most prefixes and namespaces of a document. */
const maxNamespaces = 1_000

function outermost(): Scope {
  const bindings: Record<string, string> = Object.create(null)
  bindings.xml = 'http://www.w3.org/XML/1998/namespace'
  return { bindings, names: new Map() }
}

/** All namespaces in scope, in a separate object. */
function allOf(bindings: Bindings): Bindings {
  const all: Record<string, string> = {}
  for (const prefix in bindings) all[prefix] = bindings[prefix] as string
  return all
}

/** The scope at an element. A prefix that it declares also means its namespace in values (`example:box`). */
function scopeWithin(outer: Scope, attributes: XmlAttributes, declare: (prefix: string, uri: string) => void): Scope {
  let declared = ''
  for (const name in attributes) if (isDeclaration(name)) declared += `${name}="${attributes[name]}"`
  if (declared === '') return outer
  if (outer.latest?.declared === declared) return outer.latest.scope
  const bindings = Object.create(outer.bindings) as Record<string, string>
  for (const name in attributes) {
    if (!isDeclaration(name)) continue
    const [prefix, uri] = [name.slice('xmlns:'.length), attributes[name] ?? '']
    bindings[prefix] = uri
    if (prefix !== '' && uri !== '') declare(prefix, uri)
  }
  const scope = { bindings, names: new Map() }
  outer.latest = { declared, scope }
  return scope
}

function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

const instances = 'http://www.w3.org/2001/XMLSchema-instance'
const noAttributes: XmlAttributes = {}

function attributesIn(
  scope: Scope,
  written: XmlAttributes,
  prefixFor: (uri: string, wanted: string) => string,
  findings: Findings[number][],
): XmlAttributes {
  let resolved: Record<string, string> | undefined
  for (const name in written) {
    if (isDeclaration(name)) continue
    resolved ??= {}
    const value = written[name] ?? ''
    if (!name.includes(':')) resolved[name] = value
    else {
      const { key, namespace } = nameIn(scope, name, prefixFor, findings)
      resolved[namespace === instances ? `xsi:${key.slice(key.indexOf(':') + 1)}` : key] = value
    }
  }
  return resolved ?? noAttributes
}

function nameIn(
  { bindings, names }: Scope,
  written: string,
  prefixFor: (uri: string, wanted: string) => string,
  findings: Findings[number][],
): Name {
  const before = names.get(written)
  if (before !== undefined) return before
  const [prefix, local] = split(written)
  const namespace = bindings[prefix]
  const name = { key: namespace ? `${prefixFor(namespace, prefix)}:${local}` : local, namespace: namespace ?? '' }
  // Reported for every element with that name, so it is not cached.
  if (namespace === undefined && prefix !== '') {
    if (findings.length < maxFindings)
      findings.push({ path: '', code: 'undeclared_prefix', params: { received: prefix } })
  } else if (names.size < mostNames) names.set(written, name)
  return name
}

function split(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/** The text of an element, unchanged; undefined if it contains elements. */
export function rawText({ elements, text }: Node): string | undefined {
  return elements.length === 0 ? text : undefined
}

/** Whether an element has text other than white space. */
export function hasText({ text }: Node): boolean {
  return !isBlank(text)
}

/** The text of an element without surrounding white space; undefined if it contains elements. */
export function trimmedText({ elements, text }: Node): string | undefined {
  if (elements.length > 0) return undefined
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1)) ? text : text.trim()
}

/** Whether a text is only white space; only non-ASCII characters need the slow check. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x20) return !isVisible(code) && text.trim() === ''
  }
  return true
}

/** Visible ASCII characters: a text that begins and ends with one, as most do, needs no trimming. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f
}
