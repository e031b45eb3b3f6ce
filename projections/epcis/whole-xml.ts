import { isObject, type Members } from '../../engine/index.ts'
import type { XmlElement } from '../shared/xml.ts'
import { eventElements } from './parse/xml-schema.ts'
import { createNames, type Names } from './whole-names.ts'

type Child = XmlElement | string

/** An event in XML, and what XML cannot carry. */
interface InXml {
  readonly element: XmlElement
  readonly losses: readonly string[]
}

/** An event in the XML binding (EPCIS 2.0), with its elements in the order of the schema. */
export function inXml(event: Members, prefixes: ReadonlyMap<string, string>): InXml {
  const names = createNames(event, prefixes)
  const type = String(event.type)
  const order = eventElements(type)
  const { '@context': _, type: __, ...members } = event
  const known = order.filter((name) => Object.hasOwn(members, name))
  const others = Object.entries(members).filter(([name]) => !order.includes(name))
  const children = [
    ...known.flatMap((name) => elementsOf(name, members[name], names)),
    ...extensions(Object.fromEntries(others), names),
  ]
  const name = names.element(type) ?? 'ObjectEvent'
  return { element: { name, attributes: names.declarations(), children }, losses: names.losses }
}

/** Writes the value of a member of the standard. */
type Write = (name: string, value: unknown, names: Names) => readonly XmlElement[]

const plain: Write = (name, value) => [element(name, [String(value)])]

/** The schema has room for one. */
const single: Write = (name, value, names) => {
  const [first, ...more] = [value].flat()
  for (const one of more) names.lose(`${name} ${one}`)
  return first === undefined ? [] : plain(name, first, names)
}

function words(kind: string): Write {
  return (name, value) => [value].flat().map((one) => element(name, [word(kind, String(one))]))
}

/** A word of CBV as a URN; a URI is unchanged. */
function word(kind: string, text: string): string {
  return text.includes(':') ? text : `urn:epcglobal:cbv:${kind}:${text}`
}

function listOf(item: string, write: Write = plain): Write {
  return (name, value, names) => [
    element(
      name,
      [value].flat().flatMap((one) => write(item, one, names)),
    ),
  ]
}

/** An object whose members are elements in this order; extensions follow. */
function sequence(members: Readonly<Record<string, Write>>): Write {
  return (name, value, names) => {
    if (!isObject(value)) return plain(name, value, names)
    const known = Object.entries(members).flatMap(([member, write]) =>
      value[member] === undefined ? [] : write(member, value[member], names),
    )
    const others = Object.entries(value).filter(([member]) => !Object.hasOwn(members, member))
    return [element(name, [...known, ...extensions(Object.fromEntries(others), names)])]
  }
}

function typed(kind: string): Write {
  return (name, value, names) => {
    if (!isObject(value)) return plain(name, value, names)
    const { type, [name]: target, ...others } = value
    for (const other of Object.keys(others)) names.lose(`${other} of ${name}`)
    const attributes: Record<string, string> = type === undefined ? {} : { type: word(kind, String(type)) }
    return [{ name, attributes, children: [String(target)] }]
  }
}

/** Sensor values are attributes; their words are in GS1's own vocabularies. */
const attributes: Write = (name, value, names) => {
  const written: Record<string, string> = {}
  for (const [member, one] of Object.entries(isObject(value) ? value : {})) {
    const attribute = names.attribute(member)
    if (attribute === undefined || typeof one === 'object') names.lose(`${member} of ${name}`)
    else written[attribute] = sensorWord(member, String(one), names)
  }
  return [{ name, attributes: written, children: [] }]
}

function sensorWord(member: string, text: string, names: Names): string {
  if (text.includes(':')) return text
  if (member === 'component') return `https://ref.gs1.org/cbv/Comp-${text}`
  return member === 'type' || member === 'exception' ? names.gs1(text) : text
}

const quantity = sequence({ epcClass: plain, quantity: plain, uom: plain })
const place = sequence({ id: plain })
const epcs = listOf('epc')
const quantities = listOf('quantityElement', quantity)
const several =
  (write: Write): Write =>
  (name, value, names) =>
    [value].flat().flatMap((one) => write(name, one, names))

const writers: Readonly<Record<string, Write>> = {
  errorDeclaration: sequence({
    declarationTime: plain,
    reason: words('er'),
    correctiveEventIDs: listOf('correctiveEventID'),
  }),
  certificationInfo: single,
  ...{ epcList: epcs, childEPCs: epcs, inputEPCList: epcs, outputEPCList: epcs },
  ...{ quantityList: quantities, childQuantityList: quantities },
  ...{ inputQuantityList: quantities, outputQuantityList: quantities },
  ...{ bizStep: words('bizstep'), disposition: words('disp'), readPoint: place, bizLocation: place },
  bizTransactionList: listOf('bizTransaction', typed('btt')),
  sourceList: listOf('source', typed('sdt')),
  destinationList: listOf('destination', typed('sdt')),
  sensorElementList: listOf(
    'sensorElement',
    sequence({ sensorMetadata: attributes, sensorReport: several(attributes) }),
  ),
  persistentDisposition: sequence({ unset: words('disp'), set: words('disp') }),
  ilmd: sequence({}),
}

function elementsOf(name: string, value: unknown, names: Names): readonly XmlElement[] {
  return (writers[name] ?? plain)(name, value, names)
}

/** Members of other namespaces; a list becomes repeated elements. */
function extensions(members: Members, names: Names): readonly XmlElement[] {
  return Object.entries(members).flatMap(([name, value]) => extension(name, value, names))
}

function extension(name: string, value: unknown, names: Names): readonly XmlElement[] {
  if (Array.isArray(value)) {
    if (value.length === 0 || value.some(Array.isArray)) names.lose(name)
    return value.flat(32).flatMap((one) => extension(name, one, names))
  }
  const written = names.element(name)
  if (written === undefined || value === null || value === undefined) {
    names.lose(name)
    return []
  }
  return [element(written, isObject(value) ? extensions(value, names) : [String(value)])]
}

function element(name: string, children: readonly Child[]): XmlElement {
  return { name, children: children.filter((child) => child !== '') }
}
