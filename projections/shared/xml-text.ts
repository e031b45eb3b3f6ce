import { EngineError } from '../../engine/index.ts'

const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const reference = /&(?:#x([\da-fA-F]{1,8})|#(\d{1,8})|(lt|gt|amp|quot|apos));|&/g

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** The characters of the longest reference. */
export const longestReference = 12

/** Characters that are checked in one step. */
const charactersChecked = 128 * 1024

/** The error for a text that is malformed or too large. `at` is the index of the fault. */
export function malformed(text: string, at: number, reason: string): EngineError {
  let line = 1
  for (let before = 0; before < at; before++) if (text.charCodeAt(before) === lineFeed) line++
  return new EngineError('malformed_xml', { line, reason })
}

/** The text with normalised line ends (section 2.11). */
export function* plain(text: string): Generator<void, string> {
  const hasReturns = text.includes('\r')
  const parts: string[] = []
  // The regular expression does not see unpaired surrogates.
  const isWellFormed = text.isWellFormed()
  for (let at = 0; at < text.length; ) {
    let end = at + charactersChecked
    // A line end of two characters stays in one part.
    if (text[end - 1] === '\r' && text[end] === '\n') end++
    const part = text.slice(at, end)
    if (!isWellFormed || /[^\t\n\r\u0020-\ufffd]/.test(part)) {
      const found = forbidden.exec(part)
      if (found !== null) throw malformed(text, at + found.index, 'a character that XML does not allow')
    }
    if (hasReturns) parts.push(withLineFeeds(part))
    at = end
    if (at < text.length) yield
  }
  return hasReturns ? parts.join('') : text
}

/** Characters that are put together at once: a call takes no more arguments. */
const charactersTogether = 8 * 1024

/** A regular expression would make an object for each line end. */
function withLineFeeds(part: string): string {
  const codes = new Uint16Array(part.length)
  let length = 0
  for (let at = 0; at < part.length; at++) {
    const code = part.charCodeAt(at)
    codes[length++] = code === carriageReturn ? lineFeed : code
    if (code === carriageReturn && part.charCodeAt(at + 1) === lineFeed) at++
  }
  let plain = ''
  for (let at = 0; at < length; at += charactersTogether)
    plain += String.fromCharCode(...codes.subarray(at, Math.min(length, at + charactersTogether)))
  return plain
}

/** A part of the text with references resolved. It begins at `at`. */
export function resolved(text: string, part: string, at: number): string {
  if (!part.includes('&')) return part
  return part.replace(reference, (_, hex?: string, decimal?: string, word?: string, index = 0) => {
    const character = characterOf(hex, decimal, word)
    if (character === undefined) throw malformed(text, at + index, 'an unknown reference')
    return character
  })
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function characterOf(hex?: string, decimal?: string, word?: string): string | undefined {
  if (word !== undefined) return named[word]
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (!(point <= 0x10ffff)) return undefined
  const character = String.fromCodePoint(point)
  return forbidden.test(character) ? undefined : character
}
