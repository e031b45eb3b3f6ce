import { EngineError } from '../../engine/index.ts'

/** The most levels of elements that a document may have. */
const maxDepth = 64

/** The most elements that a document may have. */
const maxElements = 1_000_000

/** The most attributes that an element may have. */
const maxAttributes = 256

const nameStart =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const name = `[${nameStart}][${nameStart}\\-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040]*`
const space = '[ \\t\\r\\n]'

const startName = new RegExp(`<(${name})`, 'uy')
const attribute = new RegExp(`${space}+(${name})${space}*=${space}*("[^"<]*"|'[^'<]*')`, 'uy')
const startEnd = new RegExp(`${space}*(/?)>`, 'uy')
const endTag = new RegExp(`</(${name})${space}*>`, 'uy')
const declaration =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*["']1\.\d["'](?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*["']([\w.-]+)["'])?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*["'](?:yes|no)["'])?[ \t\r\n]*\?>/
const instruction = new RegExp(`<\\?(${name})(?=${space}|\\?>)`, 'uy')
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const reference = /&(?:#x([\da-fA-F]{1,8})|#(\d{1,8})|(lt|gt|amp|quot|apos));|&/g

/** The error of a text that is not XML, or more than is read of it; `at` is the index of what is wrong. */
export function malformed(text: string, at: number, reason: string): EngineError {
  let line = 1
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line++
  return new EngineError('malformed_xml', { line, reason })
}

/** What a scan of a document knows at one place of it. */
interface Scan {
  readonly text: string
  at: number
  /** Names of the elements that are open here. */
  readonly open: string[]
  elements: number
  /** The text without its comments and instructions. */
  readonly kept: string[]
  keptTo: number
}

/**
 * Checks that a text is well-formed (XML 1.0, fifth edition) and within bounds, without a document type declaration,
 * and gives it back without declaration, comments and processing instructions. Throws `malformed_xml`.
 */
export function wellFormed(text: string): string {
  const bad = forbidden.exec(text)
  if (bad !== null) throw malformed(text, bad.index, 'a character that XML does not allow')
  const scan: Scan = { text, at: 0, open: [], elements: 0, kept: [], keptTo: 0 }
  readDeclaration(scan)
  while (scan.at < text.length) {
    const next = text.indexOf('<', scan.at)
    checkText(scan, next === -1 ? text.length : next)
    if (next === -1) break
    scan.at = next
    readMarkup(scan)
  }
  const left = scan.open.at(-1)
  if (left !== undefined) throw malformed(text, text.length, `<${left}> is not closed`)
  if (scan.elements === 0) throw malformed(text, 0, 'there is no element')
  scan.kept.push(text.slice(scan.keptTo))
  return scan.kept.join('')
}

function readDeclaration(scan: Scan): void {
  const found = declaration.exec(scan.text)
  if (found === null) return
  const encoding = (found[1] ?? 'utf-8').toLowerCase()
  if (encoding !== 'utf-8' && encoding !== 'us-ascii') throw malformed(scan.text, 0, 'the encoding is not UTF-8')
  leaveOut(scan, found[0].length)
}

function leaveOut(scan: Scan, end: number): void {
  scan.kept.push(scan.text.slice(scan.keptTo, scan.at))
  scan.at = end
  scan.keptTo = end
}

/** The text up to `end`: references that are known, and nothing but space outside of the root. */
function checkText({ text, at, open }: Scan, end: number): void {
  const part = text.slice(at, end)
  if (open.length === 0 && /[^ \t\r\n]/.test(part)) throw malformed(text, at, 'text outside of the root element')
  const close = part.indexOf(']]>')
  if (close !== -1) throw malformed(text, at + close, ']]> in text')
  checkReferences(text, part, at)
}

function checkReferences(text: string, part: string, at: number): void {
  for (const found of part.matchAll(reference)) {
    if (characterOf(found) === undefined) throw malformed(text, at + found.index, 'an unknown reference')
  }
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function characterOf([, hex, decimal, word]: RegExpExecArray | RegExpMatchArray): string | undefined {
  if (word !== undefined) return named[word]
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (!(point <= 0x10ffff)) return undefined
  const character = String.fromCodePoint(point)
  return forbidden.test(character) ? undefined : character
}

/** A checked text with its references resolved. */
export function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (...found) => characterOf(found as unknown as RegExpMatchArray) ?? found[0])
}

function readMarkup(scan: Scan): void {
  const { text, at } = scan
  if (text.startsWith('</', at)) readEnd(scan)
  else if (text.startsWith('<!--', at)) readComment(scan)
  else if (text.startsWith('<![CDATA[', at) && scan.open.length > 0) scan.at = endOf(scan, ']]>', 9)
  else if (text.startsWith('<!DOCTYPE', at)) throw malformed(text, at, 'a document type declaration is not read')
  else if (text.startsWith('<?', at)) readInstruction(scan)
  else readStart(scan)
}

function endOf({ text, at }: Scan, closing: string, from: number): number {
  const end = text.indexOf(closing, at + from)
  if (end === -1) throw malformed(text, at, `${closing} is missing`)
  return end + closing.length
}

function readComment(scan: Scan): void {
  const end = endOf(scan, '--', 4)
  if (scan.text[end] !== '>') throw malformed(scan.text, end, '-- in a comment')
  leaveOut(scan, end + 1)
}

function readInstruction(scan: Scan): void {
  instruction.lastIndex = scan.at
  const target = instruction.exec(scan.text)?.[1]
  if (target === undefined || target.toLowerCase() === 'xml') {
    throw malformed(scan.text, scan.at, 'not a processing instruction')
  }
  leaveOut(scan, endOf(scan, '?>', 2))
}

function readEnd(scan: Scan): void {
  endTag.lastIndex = scan.at
  const found = endTag.exec(scan.text)
  const expected = scan.open.pop()
  if (found === null || found[1] !== expected) {
    throw malformed(scan.text, scan.at, expected === undefined ? 'nothing is open here' : `expected </${expected}>`)
  }
  scan.at = endTag.lastIndex
}

function readStart(scan: Scan): void {
  const { text, at, open } = scan
  startName.lastIndex = at
  const found = startName.exec(text)?.[1]
  if (found === undefined) throw malformed(text, at, '< begins no element')
  if (open.length === 0 && scan.elements > 0) throw malformed(text, at, 'a second root element')
  if (open.length >= maxDepth) throw malformed(text, at, `more than ${maxDepth} levels`)
  if (++scan.elements > maxElements) throw malformed(text, at, `more than ${maxElements} elements`)
  const end = readAttributes(text, startName.lastIndex)
  startEnd.lastIndex = end
  const close = startEnd.exec(text)
  if (close === null) throw malformed(text, end, `<${found}> is not well-formed`)
  if (close[1] === '') open.push(found)
  scan.at = startEnd.lastIndex
}

/** The index after the attributes of a start tag. */
function readAttributes(text: string, from: number): number {
  const names = new Set<string>()
  let end = from
  for (;;) {
    attribute.lastIndex = end
    const found = attribute.exec(text)
    if (found === null) return end
    const [whole, key = '', quoted = ''] = found
    if (names.has(key)) throw malformed(text, end, `two attributes ${key}`)
    if (names.size >= maxAttributes) throw malformed(text, end, `more than ${maxAttributes} attributes`)
    names.add(key)
    checkReferences(text, quoted, end + whole.length - quoted.length)
    end = attribute.lastIndex
  }
}
