import type { PrintedLabel } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import { type Box, boxes, dotsOfModule, labelSize, rules } from './boxes.ts'
import { type Bars, codeOf, qrOf, readable, type Square } from './codes.ts'
import type { Fonts } from './fonts.ts'
import { choose, type Drawing, drawLine, drawn, mm } from './page.ts'
import { detailsSaid, partySaid, type Said } from './said.ts'
import { linesOf, type Words, wordsOf } from './text.ts'

/** The size of a page, in points. */
const page = [labelSize.width * mm, labelSize.height * mm] as const

/** The dot of a label printer of 203 dpi, in points. Bars are whole dots wide, so that all printers print them alike. */
const dot = 72 / 203

const [black, pale] = ['#000000', '#d8d8d8']

/** How texts are set: the largest and the smallest size in points, and whether their lines are centred. */
interface Setting {
  readonly size: number
  readonly least?: number
  readonly centred?: boolean
}

/** A PDF with a page for each label. */
export function pdfOf(labels: readonly PrintedLabel[], fonts: Fonts): Promise<Buffer> {
  return drawn(page, 'Label', async (drawing) => {
    for (const label of labels) {
      drawing.document.addPage()
      await drawLabel(drawing, label, fonts)
      // Others are served between two pages.
      await pause()
    }
  })
}

async function drawLabel(drawing: Drawing, label: PrintedLabel, fonts: Fonts): Promise<void> {
  const { document } = drawing
  const { number, url, service, parcel, isSample = false } = label
  const write = async (box: Box, setting: Setting, said: readonly Said[]) => {
    const paragraphs: Words[] = []
    for (const { text, member, isBold } of said) paragraphs.push(await wordsOf(text, member, isBold ? 700 : 400, fonts))
    drawText(drawing, box, setting, paragraphs)
  }
  const one = (text: string, member: string) => [{ text, member, isBold: true }]
  if (isSample) await drawSample(document, fonts)
  await write(boxes.from, { size: 8, least: 4 }, [{ text: 'From:', member: 'from' }, ...partySaid(label.from, 'from')])
  await write(boxes.service, { size: 13, least: 6, centred: true }, one(service, 'service'))
  await write(boxes.parcel, { size: 16, centred: true }, one(`${parcel.number} / ${parcel.of}`, 'parcel'))
  await write(boxes.to, { size: 13, least: 4 }, partySaid(label.to, 'to'))
  if (url !== undefined) drawSquare(document, boxes.qr, await qrOf(url))
  await write(boxes.details, { size: 10, least: 4 }, detailsSaid(label))
  const code = await codeOf(number)
  if (code.kind === 'bars') drawBars(document, boxes.code, code)
  else drawSquare(document, boxes.code, code)
  await write(boxes.number, { size: 13, least: 5, centred: true }, one(readable(number), 'number'))
  for (const { x, y, width, height } of rules) document.rect(x * mm, y * mm, width * mm, height * mm).fill(black)
}

/** Writes paragraphs into a box, as large as they fit. What does not even fit at the least size is cut off. */
function drawText({ document, measure }: Drawing, box: Box, setting: Setting, paragraphs: readonly Words[]): void {
  const { size, least = size, centred = false } = setting
  const [left, top, width, height] = [box.x * mm, box.y * mm, box.width * mm, box.height * mm]
  for (let points = size; points >= least; points--) {
    const lines = paragraphs.flatMap((words) => linesOf(words, width / points, 0.26, measure))
    const step = points * 1.2
    const room = Math.floor(height / step)
    if (lines.length > room && points > least) continue
    for (const [index, line] of lines.slice(0, room).entries()) {
      const start = left + (centred ? (width - line.width * points) / 2 : 0)
      drawLine(document, line, { x: start, y: top + index * step, points })
    }
    return
  }
}

/** Draws bars in the middle of a box, as wide as fits. */
function drawBars(document: PDFKit.PDFDocument, { x, y, width, height }: Box, { widths, across }: Bars): void {
  const module = dot * dotsOfModule((width * mm) / dot, across)
  let left = x * mm + (width * mm - across * module) / 2
  for (const [index, modules] of widths.entries()) {
    if (index % 2 === 0) document.rect(left, y * mm, modules * module, height * mm)
    left += modules * module
  }
  document.fill(black)
}

/** Draws a square code in the middle of a box, with quiet around it. */
function drawSquare(document: PDFKit.PDFDocument, box: Box, { across, isDark }: Square): void {
  const side = Math.min(box.width, box.height) * mm
  const module = side / (across + 4)
  const left = (box.x + box.width / 2) * mm - (across * module) / 2
  const top = (box.y + box.height / 2) * mm - (across * module) / 2
  for (const [index, dark] of isDark.entries()) {
    const [column, line] = [index % across, Math.floor(index / across)]
    if (dark) document.rect(left + column * module, top + line * module, module, module)
  }
  document.fill(black)
}

/** Writes SAMPLE across the page, under everything else. */
async function drawSample(document: PDFKit.PDFDocument, fonts: Fonts): Promise<void> {
  const [word] = await wordsOf('SAMPLE', 'sample', 700, fonts)
  document.save().rotate(-56, { origin: [page[0] / 2, page[1] / 2] })
  for (const { text, font } of word ?? []) {
    choose(document, font, 80).fillColor(pale)
    const x = (page[0] - document.widthOfString(text)) / 2
    document.text(text, x, page[1] / 2 - 48, { lineBreak: false })
  }
  document.restore()
}
