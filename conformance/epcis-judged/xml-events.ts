import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { atOnce } from '../../engine/index.ts'
import { writeXml, type XmlElement } from '../../projections/shared/xml.ts'
import { readXml } from '../../projections/shared/xml-form.ts'
import { official } from '../judges/official.ts'

/** The types of event of each version. */
export const eventTypes = {
  '1': ['ObjectEvent', 'AggregationEvent', 'QuantityEvent', 'TransactionEvent', 'TransformationEvent'],
  '2': ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent'],
} as const

interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
}

function treeOf(text: string): Node {
  const top: Node = { name: '', attributes: {}, children: [] }
  const open = [top]
  const reading = readXml(text, {
    start(name, attributes) {
      const node = { name: name.replace('xsd:', ''), attributes, children: [] }
      open.at(-1)?.children.push(node)
      open.push(node)
    },
    text: () => {},
    end: () => void open.pop(),
  })
  atOnce(reading)
  return top.children[0] ?? top
}

const stamps = ['2026-06-10T09:30:00Z', '2026-06-10T09:30:00.1234567890123-04:00', '1999-12-31T23:59:59+14:00']

const uris = [
  ...['urn:epcglobal:cbv:bizstep:departing', 'departing', 'cbv:Disp-damaged', 'https://ref.gs1.org/cbv/Comp-x', ''],
  ...['urn:epc:id:sgln:4012345.00001.0', 'ex:thing', 'a b', 'gs1:Temperature', 'relative/one', 'ü', 'urn:x:1', 'c:AB'],
]

/** Texts for each built-in type. */
const built: Readonly<Record<string, readonly string[]>> = {
  anyURI: uris,
  string: ['+00:00', '-04:00', ' x ', '', 'KGM'],
  decimal: ['1', '-2.50', '.5', '+7.'],
  double: ['26.1', '1e5', '-INF', 'NaN', ' 3 '],
  int: ['7', '-1'],
  boolean: ['true', '0', ' 1 '],
  hexBinary: ['', '0aF1'],
  dateTime: [...stamps, '2026-06-10T09:30:00', '2026-06-10T24:00:00Z'],
}

type Content = Pick<XmlElement, 'attributes' | 'children'>
type Made = fc.Arbitrary<Content>
type Elements = fc.Arbitrary<readonly XmlElement[]>

const added: readonly XmlElement[] = [
  { name: 'ex:text', children: ['1'] },
  {
    name: 'ex:deep',
    attributes: { 'ex:k': '1' },
    children: [
      { name: 'ex:b', children: ['x'] },
      { name: 'c', children: [] },
    ],
  },
]
const later: readonly XmlElement[] = [{ name: 'later', children: ['x'] }]

/** The types of a schema by name. */
type Types = ReadonlyMap<string, Node>

/** Events of a type as the XML Schema of each version describes them. */
export const eventsByXsd = {
  '2': official(['epcis/xsd/EPCglobal-epcis-2_0.xsd'], eventsIn),
  '1': official(['epcis/xsd-1.2/EPCglobal-epcis-1_2.xsd'], eventsIn),
}

function eventsIn([file]: readonly [string]) {
  const schema = treeOf(readFileSync(file, 'utf8'))
  const types = new Map(schema.children.map((node) => [node.attributes.name ?? '', node] as const))
  return (type: string): fc.Arbitrary<XmlElement> =>
    named(types, `epcis:${type}Type`).map((content) => ({ name: type, ...content }))
}

/** The content of a type, by its name in the schema. */
function named(types: Types, name: string): Made {
  if (name === 'epcglobal:EPC') return textOf(['urn:epc:id:sscc:4012345.0000000011', 'any text', 'urn:x:1', 'urn:x:1'])
  const builtIn = /^xsd:(.*)$/.exec(name)?.[1]
  if (builtIn !== undefined) return textOf(built[builtIn] ?? ['x'])
  const node = types.get(name.replace(/^epcis:/, ''))
  if (node === undefined) throw new Error(`no type ${name}`)
  return node.name === 'simpleType' ? simple(types, node) : complex(types, node)
}

function textOf(texts: readonly string[]): Made {
  return fc.constantFrom(...texts).map((text) => ({ children: text === '' ? [] : [text] }))
}

function simple(types: Types, { children, attributes: { name } }: Node): Made {
  const restriction = children.find((child) => child.name === 'restriction')
  const words = restriction?.children.filter((child) => child.name === 'enumeration') ?? []
  if (words.length > 0) return textOf(words.map(({ attributes }) => attributes.value ?? ''))
  return name === 'DateTimeStamp' ? textOf(stamps) : named(types, restriction?.attributes.base ?? 'xsd:string')
}

function complex(types: Types, node: Node): Made {
  const inner = node.children.find(({ name }) => name === 'simpleContent' || name === 'complexContent')
  const extension = inner?.children.find(({ name }) => name === 'extension')
  const own = extension ?? node
  const base = extension?.attributes.base
  const before =
    base === undefined || base === 'xsd:anyType' ? fc.constant<Content>({ children: [] }) : named(types, base)
  const particles = own.children.filter(({ name }) => name === 'sequence' || name === 'choice')
  return fc
    .tuple(before, fc.tuple(...particles.map((one) => particle(types, one))), attributesOf(types, own))
    .map(([outer, lists, attributes]) => ({
      attributes: { ...outer.attributes, ...attributes },
      children: [...outer.children, ...lists.flat()],
    }))
}

function attributesOf(types: Types, { children }: Node): fc.Arbitrary<Readonly<Record<string, string>>> {
  const declared = children.filter(({ name }) => name === 'attribute')
  const open = children.some(({ name }) => name === 'anyAttribute')
  const members = declared.map(({ attributes: { name = '', type = 'xsd:string', use } }) =>
    fc.tuple(named(types, type), fc.integer({ min: 0, max: 2 })).map(
      ([
        {
          children: [text = ''],
        },
        chance,
      ]) => {
        return use === 'required' || chance === 0 ? [[name, String(text)]] : []
      },
    ),
  )
  const more = fc.constantFrom(
    ...(open
      ? [
          [],
          [],
          [
            ['any', '1'],
            ['ex:any', '2'],
          ],
        ]
      : [[]]),
  )
  return fc.tuple(fc.tuple(...members), more).map(([one, other]) => Object.fromEntries([...one.flat(), ...other]))
}

function particle(types: Types, { name, attributes, children }: Node): Elements {
  const { minOccurs = '1', maxOccurs = '1' } = attributes
  const [min, max] = [Number(minOccurs), maxOccurs === 'unbounded' ? Number(minOccurs) + 2 : Number(maxOccurs)]
  const often = (one: Elements): Elements => {
    const some: Elements = fc.array(one, { minLength: Math.max(min, 1), maxLength: max }).map((list) => list.flat())
    const none: Elements = fc.constant([])
    return min > 0 ? some : fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: some })
  }
  if (name === 'element') return often(element(types, attributes))
  if (name === 'any')
    return often(fc.constantFrom(...(attributes.namespace === '##local' ? later : added)).map((one) => [one]))
  const parts = children.filter((child) => ['element', 'any', 'sequence', 'choice'].includes(child.name))
  if (name === 'choice') return often(fc.oneof(...parts.map((one) => particle(types, one))))
  return often(fc.tuple(...parts.map((one) => particle(types, one))).map((lists) => lists.flat()))
}

function element(
  types: Types,
  { name = '', type = 'xsd:string', nillable }: Node['attributes'],
): fc.Arbitrary<readonly XmlElement[]> {
  const full = named(types, type).map((content): XmlElement => ({ name, ...content }))
  if (nillable !== 'true') return full.map((one) => [one])
  const nil: XmlElement = { name, attributes: { 'xsi:nil': 'true' }, children: [] }
  return fc.oneof(full, fc.constant(nil)).map((one) => [one])
}

/** The elements of the list of events in 1.2 that holds a type. */
function listed(version: keyof typeof eventTypes, event: XmlElement): XmlElement {
  return version === '1' && event.name === 'TransformationEvent' ? { name: 'extension', children: [event] } : event
}

/** A document with these events. */
export function xmlOf(version: keyof typeof eventTypes, events: readonly XmlElement[]): string {
  return writeXml({
    name: 'epcis:EPCISDocument',
    attributes: {
      'xmlns:epcis': `urn:epcglobal:epcis:xsd:${version}`,
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xmlns:ex': 'https://ex.example/',
      'xmlns:gs1': 'https://gs1.org/voc/',
      'xmlns:c': 'https://ref.gs1.org/cbv/',
      schemaVersion: version === '1' ? '1.2' : '2.0',
      creationDate: '2026-06-10T14:00:00Z',
    },
    children: [
      {
        name: 'EPCISBody',
        children: [{ name: 'EventList', children: events.map((event) => listed(version, event)) }],
      },
    ],
  })
}
