// The tokens of XML (1.0, fifth edition), as expressions that look at one place.
const nameStart =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const name = `[${nameStart}][${nameStart}\\-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040]*`
const space = '[ \\t\\n]'

const startTag = new RegExp(`<(${name})`, 'uy')
/** An attribute, with the white space before it: its name, and its value in quotes. */
export const attribute = new RegExp(`${space}+(${name})${space}*=${space}*("[^"<]*"|'[^'<]*')`, 'uy')
/** A document type declaration that declares nothing. */
export const doctype = new RegExp(`<!DOCTYPE${space}+${name}${space}*>`, 'uy')
/** The beginning of any document type declaration. */
export const doctypeStart = new RegExp(`<!DOCTYPE${space}+${name}`, 'uy')
/** The end of a start tag. */
export const startEnd = new RegExp(`${space}*(/?)>`, 'uy')
/** An end tag. */
export const endTag = new RegExp(`</(${name})${space}*>`, 'uy')
/** The XML declaration: its encoding. */
export const declaration =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*["']1\.\d["'](?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*["']([\w.-]+)["'])?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*["'](?:yes|no)["'])?[ \t\n]*\?>/
/** The beginning of a processing instruction. */
export const instruction = new RegExp(`<\\?(${name})(?=${space}|\\?>)`, 'uy')

/** What an expression finds right there. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

/** For each ASCII character: 2 if a name may begin with it, 1 if a name may only contain it. */
export const inName = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[:A-Z_a-z]/.test(character) ? 2 : /[-.0-9]/.test(character) ? 1 : 0
})

/** The index after the name in a start tag. Names in ASCII, the usual case, need no regular expression. */
export function endOfName(text: string, at: number): number {
  let end = at + 1
  while ((inName[text.charCodeAt(end)] ?? 0) > 0) end++
  if (inName[text.charCodeAt(at + 1)] === 2 && !(text.charCodeAt(end) >= 0x80)) return end
  return matchAt(startTag, text, at) === null ? at + 1 : startTag.lastIndex
}
