import { buffer } from 'node:stream/consumers'
import type { OpenFont } from './fonts.ts'
import { type Line, type Measure, measuring } from './text.ts'

/** The points of a millimetre. */
export const mm = 72 / 25.4

/** A PDF in the making. */
export interface Drawing {
  readonly document: PDFKit.PDFDocument
  /** Widths of runs for each point of size. */
  readonly measure: Measure
}

/** A PDF whose pages have this size (in points), as `draw` draws them. */
export async function drawn(
  size: readonly [number, number],
  title: string,
  draw: (drawing: Drawing) => Promise<void>,
): Promise<Buffer> {
  const { default: Document } = await import('pdfkit')
  const document = new Document({ size: [...size], margin: 0, autoFirstPage: false, info: { Title: title } })
  const bytes = buffer(document)
  try {
    await draw({ document, measure: measuring() })
  } finally {
    document.end()
    await bytes
  }
  return bytes
}

/** Chooses a font of the document, which embeds the letters that are used. */
function choose(document: PDFKit.PDFDocument, { name, font }: OpenFont, points: number): PDFKit.PDFDocument {
  // PDFKit takes open fonts, too, but its types do not say so.
  const source = font as unknown as PDFKit.Mixins.PDFFontSource
  return document.registerFont(name, source).font(name).fontSize(points)
}

/** Where a line begins, how large it is, and its colour, which is black if not set. */
interface Place {
  readonly x: number
  readonly y: number
  readonly points: number
  readonly color?: string
}

/** Writes a line whose baseline is `points` under `y`: fonts sit differently, so all are put on one baseline. */
export function drawLine(document: PDFKit.PDFDocument, { runs }: Line, place: Place): void {
  const { x, y, points, color = '#000000' } = place
  for (const { run, x: offset } of runs) {
    const options = { lineBreak: false, baseline: 'alphabetic' } as const
    choose(document, run.font, points)
      .fillColor(color)
      .text(run.text, x + offset * points, y + points, options)
  }
}
