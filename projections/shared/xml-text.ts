import { EngineError } from '../../engine/index.ts'

const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const reference = /&(?:#x([\da-fA-F]{1,8})|#(\d{1,8})|(lt|gt|amp|quot|apos));|&/g

/** The characters of the longest reference. */
export const longestReference = 12

/** Characters that are checked in one step. */
const charactersChecked = 1024 * 1024

/** The error for a text that is malformed or too large. `at` is the index of the fault. */
export function malformed(text: string, at: number, reason: string): EngineError {
  let line = 1
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line++
  return new EngineError('malformed_xml', { line, reason })
}

/** The text with normalised line ends (section 2.11). */
export function* plain(text: string): Generator<void, string> {
  const parts: string[] = []
  // The regular expression does not see unpaired surrogates.
  const isWellFormed = text.isWellFormed()
  for (let at = 0; at < text.length; ) {
    let end = at + charactersChecked
    // A line end of two characters stays in one part.
    while (text[end - 1] === '\r') end++
    const part = text.slice(at, end)
    if (!isWellFormed || /[^\t\n\r\u0020-\ufffd]/.test(part)) {
      throw malformed(text, forbidden.exec(text)?.index ?? 0, 'a character that XML does not allow')
    }
    parts.push(part.includes('\r') ? part.replace(/\r\n?/g, '\n') : part)
    at = end
    if (at < text.length) yield
  }
  return parts.join('')
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
