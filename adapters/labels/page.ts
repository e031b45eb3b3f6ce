import { buffer } from 'node:stream/consumers'
import type { OpenFont } from './fonts.ts'
import type { Line, Measure } from './text.ts'

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
    await draw({ document, measure: widthsIn(document) })
  } finally {
    document.end()
    await bytes
  }
  return bytes
}

/** Chooses a font of the document, which embeds the letters that are used. */
export function choose(document: PDFKit.PDFDocument, { name, bytes }: OpenFont, points: number): PDFKit.PDFDocument {
  return document.registerFont(name, bytes).font(name).fontSize(points)
}

/** Widths of runs for each point of size, each measured once. */
function widthsIn(document: PDFKit.PDFDocument): Measure {
  const known = new Map<string, number>()
  return ({ text, font }) => {
    const key = `${font.name} ${text}`
    const width = known.get(key) ?? choose(document, font, 1000).widthOfString(text) / 1000
    known.set(key, width)
    return width
  }
}

/** Writes a line whose baseline is `points` under `y`: fonts sit differently, so all are put on one baseline. */
export function drawLine(
  document: PDFKit.PDFDocument,
  { runs }: Line,
  { x, y, points }: { readonly x: number; readonly y: number; readonly points: number },
): void {
  for (const { run, x: offset } of runs) {
    const options = { lineBreak: false, baseline: 'alphabetic' } as const
    choose(document, run.font, points)
      .fillColor('#000000')
      .text(run.text, x + offset * points, y + points, options)
  }
}
