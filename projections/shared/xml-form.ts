import { EngineError } from '../../engine/index.ts'
import { longestReference, malformed, plain, resolved } from './xml-text.ts'
import {
  attribute,
  declaration,
  doctype,
  doctypeStart,
  endOfName,
  endTag,
  inName,
  instruction,
  matchAt,
  startEnd,
} from './xml-tokens.ts'

/** Attribute values by name, with references resolved. Names keep their prefix. */
export type XmlAttributes = Readonly<Record<string, string>>

/** Receives the content of a document, in order. Names keep their prefix. */
export interface XmlReader {
  start(name: string, attributes: XmlAttributes): void
  /** Text with references resolved. The text between two tags can arrive in several parts. */
  text(text: string): void
  /** The element is in `text` from `from` to `to`, with line ends normalised. */
  end(text: string, from: number, to: number): void
}

/** Characters that are read in one step. */
const charactersPerStep = 8 * 1024

/** The most levels of elements that a document may have. */
const maxDepth = 64

/** The most elements that a document may have, as many as a JSON text may have values. */
const maxElements = 1_000_000

/** Names that are remembered: a hostile document repeats none. */
export const mostNames = 1_000

/** The most attributes that an element may have. */
const maxAttributes = 256

/** The most characters of an attribute, which is read in one step. */
const maxAttribute = 64 * 1024

const [exclamation, ampersand, slash, less, greater, question, bracket] = [0x21, 0x26, 0x2f, 0x3c, 0x3e, 0x3f, 0x5d]

/** The state of a scan at one position. */
interface Scan {
  readonly text: string
  readonly reader: XmlReader
  at: number
  /** Names of the open elements. */
  readonly open: string[]
  /** Where they begin. */
  readonly begun: number[]
  elements: number
  hasDoctype: boolean
  /** The name that began last, and by each name the one that began after it last time: documents repeat themselves. */
  name: string
  readonly following: Map<string, string>
}

/**
 * Passes the content of a document to a reader in steps, without declarations, comments and processing instructions. Throws
 * `too_many_values` for too many elements, and `malformed_xml` if the document is not well-formed (XML 1.0, fifth edition),
 * exceeds another bound, has a document type declaration with a subset or an external identifier, or has a name with a
 * meaning in JavaScript. The reader must then discard what it has received.
 */
export function* readXml(document: string, reader: XmlReader): Generator<void, void> {
  const hasMark = document.startsWith(byteOrderMark)
  const text = yield* plain(hasMark ? document.slice(1) : document)
  const scan: Scan = {
    text,
    reader,
    at: 0,
    open: [],
    begun: [],
    elements: 0,
    hasDoctype: false,
    name: '',
    following: new Map(),
  }
  readDeclaration(scan, hasMark)
  for (let stepEnd = charactersPerStep; scan.at < text.length; ) {
    readText(scan)
    if (text.charCodeAt(scan.at) === less) readMarkup(scan)
    if (scan.at < stepEnd) continue
    stepEnd = scan.at + charactersPerStep
    yield
  }
  const left = scan.open.at(-1)
  if (left !== undefined) throw malformed(text, text.length, `<${left}> is not closed`)
  if (scan.elements === 0) throw malformed(text, 0, 'there is no element')
}

const byteOrderMark = '\uFEFF'

/** A text that was UTF-16 still has its byte order mark (section 4.3.3). */
function readDeclaration(scan: Scan, hasMark: boolean): void {
  const found = declaration.exec(scan.text)
  if (found === null) return
  const encoding = (found[1] ?? 'utf-8').toLowerCase()
  const accepted = hasMark ? ['utf-8', 'utf-16'] : ['utf-8', 'us-ascii']
  if (!accepted.includes(encoding)) throw malformed(scan.text, 0, 'the encoding is neither UTF-8 nor UTF-16')
  scan.at = found[0].length
}

/** Reads the text up to the next tag, or a part of a long one. Outside of the root element only white space is allowed. */
function readText(scan: Scan): void {
  const { text, at, open } = scan
  const most = Math.min(text.length, at + charactersPerStep)
  // The part before may end within ]]>.
  let isPlain = text.charCodeAt(at - 1) !== bracket
  let end = at
  for (; end < most; end++) {
    const code = text.charCodeAt(end)
    if (code === less) break
    if (code === ampersand || code === bracket) isPlain = false
  }
  if (!isPlain && end < text.length && text.charCodeAt(end) !== less) end = beforeReference(text, end)
  scan.at = end
  if (end === at) return
  const part = text.slice(at, end)
  if (open.length > 0) scan.reader.text(isPlain ? part : checkedText(text, part, at))
  else if (/[^ \t\n]/.test(part)) throw malformed(text, at, 'text outside of the root element')
}

/** The end of a part of text, moved before a reference that it would cut. */
function beforeReference(text: string, end: number): number {
  // A search in the whole text would look at all that was read before, for each part again.
  const last = text.slice(Math.max(0, end - longestReference), end)
  const from = last.lastIndexOf('&')
  return from === -1 || last.includes(';', from) ? end : end - last.length + from
}

function checkedText(text: string, part: string, at: number): string {
  // The end of the part before belongs to it; markup ends with another character.
  const close = text.slice(at - 2, at + part.length).indexOf(']]>')
  if (close !== -1) throw malformed(text, at - 2 + close, ']]> in text')
  return resolved(text, part, at)
}

function readMarkup(scan: Scan): void {
  const { text, at } = scan
  const next = text.charCodeAt(at + 1)
  if (next === slash) readEnd(scan)
  else if (next === question) readInstruction(scan)
  else if (next !== exclamation) readStart(scan)
  else if (text.startsWith('<!--', at)) readComment(scan)
  else if (text.startsWith('<![CDATA[', at) && scan.open.length > 0) readCdata(scan)
  else if (text.startsWith('<!DOCTYPE', at)) readDoctype(scan)
  else throw malformed(text, at, '< begins no element')
}

function endOf({ text, at }: Scan, closing: string, from: number): number {
  const end = text.indexOf(closing, at + from)
  if (end === -1) throw malformed(text, at, `${closing} is missing`)
  return end + closing.length
}

function readCdata(scan: Scan): void {
  const end = endOf(scan, ']]>', 9)
  scan.reader.text(scan.text.slice(scan.at + 9, end - 3))
  scan.at = end
}

function readComment(scan: Scan): void {
  const end = endOf(scan, '--', 4)
  if (scan.text[end] !== '>') throw malformed(scan.text, end, '-- in a comment')
  scan.at = end + 1
}

function readInstruction(scan: Scan): void {
  const target = matchAt(instruction, scan.text, scan.at)?.[1]
  if (target === undefined || target.toLowerCase() === 'xml') {
    throw malformed(scan.text, scan.at, 'not a processing instruction')
  }
  scan.at = endOf(scan, '?>', 2)
}

/** Skips a document type declaration that declares nothing. Nothing is fetched, and no entity is expanded. */
function readDoctype(scan: Scan): void {
  const { text, at, open, elements } = scan
  if (open.length > 0 || elements > 0 || scan.hasDoctype)
    throw malformed(text, at, 'a misplaced document type declaration')
  if (matchAt(doctype, text, at) === null) {
    const isKnown = matchAt(doctypeStart, text, at) !== null
    const reason = 'a document type declaration with an internal subset or an external identifier is not accepted'
    throw malformed(text, at, isKnown ? reason : '< begins no element')
  }
  scan.hasDoctype = true
  scan.at = doctype.lastIndex
}

function readEnd(scan: Scan): void {
  const { text, at, reader } = scan
  const expected = scan.open.pop()
  if (expected === undefined) throw malformed(text, at, 'nothing is open here')
  const end = at + 2 + expected.length
  if (text.charCodeAt(end) === greater && stands(expected, text, at + 2)) scan.at = end + 1
  else if (matchAt(endTag, text, at)?.[1] === expected) scan.at = endTag.lastIndex
  else throw malformed(text, at, `expected </${expected}>`)
  reader.end(text, scan.begun.pop() ?? 0, scan.at)
}

function stands(part: string, text: string, at: number): boolean {
  for (let index = 0; index < part.length; index++) {
    if (part.charCodeAt(index) !== text.charCodeAt(at + index)) return false
  }
  return true
}

const noAttributes: XmlAttributes = Object.freeze({})

function readStart(scan: Scan): void {
  const { text, at, open, reader } = scan
  const element = nameAt(scan)
  const nameEnd = at + 1 + element.length
  if (open.length === 0 && scan.elements > 0) throw malformed(text, at, 'a second root element')
  if (open.length >= maxDepth) throw malformed(text, at, `more than ${maxDepth} levels`)
  if (++scan.elements > maxElements) throw new EngineError('too_many_values', { limit: maxElements })
  scan.at = nameEnd
  const attributes = text.charCodeAt(nameEnd) === greater ? noAttributes : readAttributes(scan)
  const isEmpty = readStartEnd(scan, element)
  reader.start(element, attributes)
  if (isEmpty) reader.end(text, at, scan.at)
  else {
    open.push(element)
    scan.begun.push(at)
  }
}

/** The name in a start tag. One that was expected is the same text as before, whose look-up is faster. */
function nameAt(scan: Scan): string {
  const { text, at, name, following } = scan
  const expected = following.get(name)
  if (
    expected !== undefined &&
    stands(expected, text, at + 1) &&
    inName[text.charCodeAt(at + 1 + expected.length)] === 0
  ) {
    scan.name = expected
    return expected
  }
  const found = text.slice(at + 1, endOfName(text, at))
  if (found === '') throw malformed(text, at, '< begins no element')
  checkName(text, at, found)
  if (following.size < mostNames || following.has(name)) following.set(name, found)
  scan.name = found
  return found
}

/** Refuses names that have a meaning as members of JavaScript objects. */
function checkName(text: string, at: number, name: string): void {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
    throw malformed(text, at, 'an element or attribute is called __proto__, constructor or the like')
  }
}

/** The attributes of a start tag. White space in a value becomes a space, unless it is a reference (section 3.3.3). */
function readAttributes(scan: Scan): XmlAttributes {
  const { text } = scan
  const attributes: Record<string, string> = {}
  let count = 0
  for (let found = matchAt(attribute, text, scan.at); found !== null; found = matchAt(attribute, text, scan.at)) {
    const [, key = '', quoted = ''] = found
    if (Object.hasOwn(attributes, key)) throw malformed(text, scan.at, `two attributes ${key}`)
    if (++count > maxAttributes) throw malformed(text, scan.at, `more than ${maxAttributes} attributes`)
    if (quoted.length > maxAttribute)
      throw malformed(text, scan.at, `an attribute with more than ${maxAttribute} characters`)
    checkName(text, scan.at, key)
    const from = attribute.lastIndex - quoted.length + 1
    attributes[key] = resolved(text, quoted.slice(1, -1).replace(/[\t\n]/g, ' '), from)
    scan.at = attribute.lastIndex
  }
  return attributes
}

/** Moves behind a start tag. Returns whether the element is empty. */
function readStartEnd(scan: Scan, element: string): boolean {
  if (scan.text.charCodeAt(scan.at) === greater) {
    scan.at++
    return false
  }
  const close = matchAt(startEnd, scan.text, scan.at)
  if (close === null) throw malformed(scan.text, scan.at, `<${element}> is not well-formed`)
  scan.at = startEnd.lastIndex
  return close[1] === '/'
}
