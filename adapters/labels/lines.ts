import type { Fonts, Weight } from './fonts.ts'
import { type Drawing, drawLine, mm } from './page.ts'
import { linesOf, wordsOf } from './text.ts'

/** A4, in points. */
export const a4 = [210 * mm, 297 * mm] as const

/** Writes as much of a text as fits, in one line; places are in millimetres. */
export type Write = (
  text: string,
  at: { readonly x: number; readonly y: number; readonly width: number; readonly endsRight?: boolean },
  points?: number,
  weight?: Weight,
) => Promise<void>

/** What writes lines of text on a document; a letter that no font has is a question mark. */
export function writerOn({ document, measure }: Drawing, fonts: Fonts): Write {
  return async (text, { x, y, width, endsRight = false }, points = 9, weight = 400) => {
    const words = await wordsOf(await withoutUnprintable(text, weight, fonts), 'document', weight, fonts)
    const [line] = linesOf(words, (width * mm) / points, 0.26, measure)
    if (line === undefined) return
    const start = endsRight ? (x + width) * mm - line.width * points : x * mm
    drawLine(document, line, { x: start, y: y * mm, points })
  }
}

/** A text with a question mark for each letter that no font has. */
async function withoutUnprintable(text: string, weight: Weight, fonts: Fonts): Promise<string> {
  let printable = ''
  for (const letter of text.normalize('NFC')) {
    const isPrintable = /\s/.test(letter) || (await fonts.with(letter.codePointAt(0) ?? 0, weight)) !== undefined
    printable += isPrintable ? letter : '?'
  }
  return printable
}
