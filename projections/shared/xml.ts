import { XMLParser } from 'fast-xml-parser'
import { EngineError } from '../../engine/index.ts'
import { malformed, resolved, wellFormed } from './xml-form.ts'

/** An element of an XML document: names as they are written, prefix and all; text and elements in order. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** What XML 1.0 has no way to write (section 2.2): such characters become U+FFFD. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** The document of a root element, in UTF-8 (XML 1.0, fifth edition). */
export function writeXml(root: XmlElement): string {
  return `${declaration}${written(root)}`
}

function written({ name, attributes = {}, children }: XmlElement): string {
  let start = `<${name}`
  for (const key in attributes) start += ` ${key}="${inAttribute(attributes[key] ?? '')}"`
  if (children.length === 0) return `${start}/>`
  let content = ''
  for (const child of children) content += typeof child === 'string' ? inText(child) : written(child)
  return `${start}>${content}</${name}>`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function inText(text: string): string {
  return text.replace(forbidden, '\uFFFD').replace(/[&<>\r]/g, (character) => references[character] ?? character)
}

function inAttribute(text: string): string {
  return text.replace(forbidden, '\uFFFD').replace(/[&<>"\t\n\r]/g, (character) => references[character] ?? character)
}

const attributesKey = ':@'
const textKey = '#text'
const cdataKey = '#cdata'

/** Takes everything as it is written; references are resolved here, where CDATA can be told from text. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: textKey,
  cdataPropName: cdataKey,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  jPath: false,
  onDangerousProperty: (name) => name,
})

/**
 * The root element of a document: text as written, the five named references and those by number resolved, without
 * comments and processing instructions. Throws `malformed_xml` for what is not well-formed, has a document type
 * declaration, or is deeper than 64 levels.
 */
export function readXml(text: string): XmlElement {
  const plain = wellFormed(text.replace(/^\uFEFF/, ''))
  const root = nodesOf(parsed(plain)).find((node): node is XmlElement => typeof node !== 'string')
  if (root === undefined) throw malformed(text, 0, 'there is no element')
  return root
}

type Node = Readonly<Record<string, unknown>>

function parsed(text: string): readonly Node[] {
  try {
    return parser.parse(text)
  } catch {
    // All that it still refuses are names that have a meaning in JavaScript, such as `__proto__`.
    throw new EngineError('malformed_xml', {
      line: 1,
      reason: 'an element or attribute is called __proto__, constructor or the like',
    })
  }
}

/** The nodes of the parser as elements and texts; text and CDATA side by side are one text. */
function nodesOf(nodes: readonly Node[]): readonly (XmlElement | string)[] {
  const children: (XmlElement | string)[] = []
  for (const node of nodes) {
    const text = textOf(node)
    const last = children.length - 1
    if (text === undefined) children.push(elementOf(node))
    else if (typeof children[last] === 'string') children[last] += text
    else if (text !== '') children.push(text)
  }
  return children
}

function textOf(node: Node): string | undefined {
  const text = node[textKey]
  if (typeof text === 'string') return resolved(text)
  const cdata = node[cdataKey]
  return Array.isArray(cdata) ? cdata.map((part) => String(part[textKey])).join('') : undefined
}

function elementOf(node: Node): XmlElement {
  const name = Object.keys(node).find((key) => key !== attributesKey) ?? ''
  const attributes = node[attributesKey] as Readonly<Record<string, string>> | undefined
  const children = nodesOf(node[name] as readonly Node[])
  return { name, ...(attributes && { attributes: normalized(attributes) }), children }
}

/** White space in the value of an attribute is a space, unless it came as a reference (XML 1.0, section 3.3.3). */
function normalized(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, resolved(value.replace(/[\t\n]/g, ' '))]),
  )
}
