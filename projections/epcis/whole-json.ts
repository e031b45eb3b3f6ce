import { atOnce, isObject, type KeptSource, type Members } from '../../engine/index.ts'
import { contextOf, gs1Contexts, gs1Prefixes, noNames } from './parse/context.ts'
import { readEpcisXml } from './parse/xml-read.ts'

/** A kept event in JSON: with the context that its names need, and what JSON cannot carry. */
interface InJson {
  readonly event: Members
  readonly context: unknown
  readonly losses: readonly string[]
}

/**
 * A kept event in JSON: unchanged if it came so, or the form that EPCIS 2.0 maps an element to. Its `recordTime` is ours:
 * the standard ignores one that comes with an event.
 */
export function inJson(kept: KeptSource): InJson {
  const { event, ...rest } = asCame(kept)
  return kept.recordedAt === undefined
    ? { event, ...rest }
    : { event: { ...event, recordTime: kept.recordedAt }, ...rest }
}

function asCame({ binding, version, context, body }: KeptSource): InJson {
  if (binding === 'json') return { event: isObject(body) ? body : {}, context, losses: [] }
  const { sources, names } = atOnce(readEpcisXml(documentAround(String(body), version, context)))
  const { form = {}, losses = [] } = sources[0] ?? {}
  return { event: form, context: contextFor(form, names.prefixes), losses }
}

/** A kept event in the form of JSON, with the prefixes in its scope, and what JSON cannot carry. */
export function formOf(kept: KeptSource): Omit<InJson, 'context'> & { readonly prefixes: ReadonlyMap<string, string> } {
  const { event, context, losses } = inJson(kept)
  const { prefixes } = contextOf(event['@context'] ?? context, contextOf(context, noNames))
  return { event, prefixes, losses }
}

/** The element as the only event of a document, with its namespaces in scope. */
function documentAround(element: string, version: string, context: unknown): string {
  const namespaces = isObject(context) ? context : {}
  let prefix = 'root'
  while (Object.hasOwn(namespaces, prefix)) prefix += '1'
  const declared = Object.entries(namespaces).map(([name, uri]) => ` ${nameOf(name)}="${quoted(String(uri))}"`)
  const root = `${prefix}:EPCISDocument`
  const schema = `xmlns:${prefix}="urn:epcglobal:epcis:xsd:${version === '1.2' ? 1 : 2}"`
  const [, name = ''] = /^<([^\s/>]+)/.exec(element) ?? []
  const listed = wrappedIn(levelsOf(name, version === '1.2'), element)
  return `<${root} ${schema}${declared.join('')}><EPCISBody><EventList>${listed}</EventList></EPCISBody></${root}>`
}

/** How many extensions are around an event in the list: what a version of the schema does not have is one. */
export function levelsOf(name: string, isFirst: boolean): number {
  if (!isFirst) return name.includes(':') ? 1 : 0
  return firstTypes.includes(name) ? 0 : name === 'TransformationEvent' ? 1 : 2
}

/** The events in the list of version 1.2. */
const firstTypes = ['ObjectEvent', 'AggregationEvent', 'QuantityEvent', 'TransactionEvent']

/** An element in so many extensions. */
export function wrappedIn(levels: number, element: string): string {
  return `${'<extension>'.repeat(levels)}${element}${'</extension>'.repeat(levels)}`
}

/** The attribute that declares a prefix; the empty one is the default. */
export function nameOf(prefix: string): string {
  return prefix === '' ? 'xmlns' : `xmlns:${prefix}`
}

/** A text in an attribute. */
export function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The context with the prefixes that the event uses. */
function contextFor(event: Members, prefixes: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(event)
  const used = [...prefixes].filter(([prefix]) => !gs1Prefixes.has(prefix) && text.includes(`"${prefix}:`))
  return used.length === 0 ? gs1Contexts[0] : [gs1Contexts[0], Object.fromEntries(used)]
}

/**
 * The context of a document with events of these contexts, and which events keep their own because a name in it means
 * something else.
 */
export function joinedContext(contexts: readonly unknown[]): {
  readonly context: unknown
  readonly apart: Set<number>
} {
  const links = new Set<unknown>([gs1Contexts[0]])
  const terms = new Map<string, unknown>()
  const apart = new Set<number>()
  for (const [index, context] of contexts.entries()) {
    const items = [context].flat()
    // The prefixes of GS1's context need no definition, and must not have another one.
    const defined = items
      .filter(isObject)
      .flatMap((item) => Object.entries(item))
      .filter(([name]) => !gs1Prefixes.has(name))
    const isOther = ([name, value]: readonly [string, unknown]) =>
      terms.has(name) && JSON.stringify(terms.get(name)) !== JSON.stringify(value)
    if (defined.some(isOther)) apart.add(index)
    else {
      for (const item of items) if (typeof item === 'string' && !gs1Contexts.includes(item)) links.add(item)
      for (const [name, value] of defined) terms.set(name, value)
    }
  }
  return { context: terms.size === 0 ? [...links] : [...links, Object.fromEntries(terms)], apart }
}
