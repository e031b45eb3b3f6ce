import { namedCharacters } from './html-characters.ts'

/** Elements of HTML that only mark a part of a line. */
const inline =
  'a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr'

/** Elements of HTML that begin another line. */
const block =
  'address|article|aside|blockquote|body|br|button|center|dd|div|dl|dt|footer|form|h[1-6]|head|header|hr|html|input|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|title|tr|ul'

/**
 * The tags of these elements, comments, and scripts with their text. Attributes have a value, and end
 * where their quotes say, or else at the next `>`. Nothing but
 * its first character is `<`, so a text is read once, however it is written.
 */
const markup = new RegExp(
  `<!--[^<>]*-->|<(?:script|style)[^<>]*>[^<]*</(?:script|style)>|</?(?:(${inline})|${block})(?:\\s*/?>|\\s[^<>=]*=(?:(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|[^<>]*>))`,
  'gi',
)

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi

/** The characters that programs mean by the numbers from 128 to 159: those of Windows-1252 (HTML, numeric character references). */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/**
 * A text of a carrier as a person is to read it: without tags of HTML, and with each character reference decoded once. What
 * is no tag and no reference stays as it is, such as `a < b` and `AT&T`.
 */
export function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text
  const isMarked = text.search(markup) !== -1
  const bare = text.replace(markup, (_, isInline) => (isInline === undefined ? ' ' : ''))
  const read = bare.replace(reference, characterOf)
  return isMarked ? read.replace(/ {2,}/g, ' ').trim() : read
}

function characterOf(written: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return spaced(namedCharacters.get(name) ?? namedCharacters.get(name.toLowerCase()) ?? written)
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  if (code >= 128 && code < 160) return windows[code - 128] ?? written
  const isCharacter = code >= 32 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff)
  if (isCharacter) return spaced(String.fromCodePoint(code))
  return code === 9 || code === 10 || code === 13 ? ' ' : written
}

/** A space that does not break a line is a space to a person who reads the text. */
function spaced(character: string): string {
  return character === '\u00a0' ? ' ' : character
}
