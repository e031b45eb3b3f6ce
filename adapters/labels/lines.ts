import type { Fonts } from './fonts.ts'
import { type Drawing, drawLine, mm } from './page.ts'
import type { Weight } from './system-fonts.ts'
import { linesOf, wordsOf } from './text.ts'

/** A4, in points. */
export const a4 = [210 * mm, 297 * mm] as const

/** Writes as much of a text as fits, in one line or in as many as are said; places are in millimetres. */
export type Write = (
  text: string,
  at: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly endsRight?: boolean
    readonly lines?: number
  },
  points?: number,
  weight?: Weight,
) => Promise<void>

/** What writes lines of text on a document; letters that no font has are a mark. */
export function writerOn({ document, measure }: Drawing, fonts: Fonts): Write {
  return async (text, { x, y, width, endsRight = false, lines = 1 }, points = 9, weight = 400) => {
    const words = await wordsOf({ text, member: 'document', isBold: weight === 700 }, fonts)
    const written = linesOf(words, (width * mm) / points, measure).slice(0, lines)
    for (const [index, line] of written.entries()) {
      const start = endsRight ? (x + width) * mm - line.width * points : x * mm
      drawLine(document, line, { x: start, y: y * mm + index * points * 1.2, points })
    }
  }
}
