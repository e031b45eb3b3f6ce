/** An element to write. Names include their prefix. Children are texts and elements, in order. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children: readonly XmlContent[]
}

/** The content of an element: an element, a text, or an element that is written already. */
export type XmlContent = XmlElement | string | { readonly raw: string }

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Characters that XML 1.0 cannot hold (section 2.2). They become U+FFFD. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Writes a document with this root element (XML 1.0, fifth edition). */
export function writeXml(root: XmlElement): string {
  return `${declaration}${written(root)}`
}

/**
 * Writes the same document in pieces, one for each of the `items`. The element in the root that is called `list` and has
 * no children gets the items as children.
 */
export function* xmlPieces(root: XmlElement, list: string, items: Iterable<XmlContent>): Generator<string> {
  const whole = writeXml(root)
  const empty = `<${list}/>`
  const at = whole.indexOf(empty)
  let before = `${whole.slice(0, at)}<${list}>`
  for (const item of items) {
    yield before + textOf(item)
    before = ''
  }
  yield before === '' ? `</${list}>${whole.slice(at + empty.length)}` : whole
}

function written({ name, attributes = {}, children }: XmlElement): string {
  let start = `<${name}`
  for (const key in attributes) start += ` ${key}="${inAttribute(attributes[key] ?? '')}"`
  if (children.length === 0) return `${start}/>`
  let content = ''
  for (const child of children) content += textOf(child)
  return `${start}>${content}</${name}>`
}

function textOf(content: XmlContent): string {
  if (typeof content === 'string') return inText(content)
  return 'raw' in content ? content.raw : written(content)
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
