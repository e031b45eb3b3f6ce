import { type LabelDpi, type LabelSetup, labelPapers, type PrintedLabel, type Unprinted } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import { type Box, boxes, dotsOfBar, dotsOfSquare, layout, rules } from './boxes.ts'
import { type Bars, codeOf, qrOf, readable, type Square } from './codes.ts'
import type { Fonts } from './fonts.ts'
import { type Drawing, drawLine, drawn, mm } from './page.ts'
import { detailsSaid, partySaid, type Said } from './said.ts'
import { linesOf, type Words, wordsOf } from './text.ts'

const [black, pale] = ['#000000', '#d8d8d8']

/** How texts are set: the largest and the smallest size in points, and whether their lines are centred. */
interface Setting {
  readonly size: number
  readonly least?: number
  readonly centred?: boolean
}

/** What is printed, and what could not be. */
export interface Setup extends LabelSetup {
  readonly fonts: Fonts
  readonly unprinted: Unprinted[]
}

/** A PDF with as many labels on each page as the paper has room for, from its place `start_at` on. */
export function pdfOf(labels: readonly PrintedLabel[], setup: Setup): Promise<Buffer> {
  const { width, height, across, down } = labelPapers[setup.size]
  const [perPage, first] = [across * down, setup.start_at - 1]
  return drawn([width * mm, height * mm], 'Label', async (drawing) => {
    const { document } = drawing
    for (const [index, label] of labels.entries()) {
      const place = (first + index) % perPage
      if (index === 0 || place === 0) document.addPage()
      const [column, line] = [place % across, Math.floor(place / across)]
      const left = (column + 0.5) * (width / across) - layout.width / 2
      const top = (line + 0.5) * (height / down) - layout.height / 2
      document.save().translate(left * mm, top * mm)
      await drawLabel(drawing, label, setup)
      document.restore()
      // Others are served between two labels.
      await pause()
    }
  })
}

async function drawLabel(drawing: Drawing, label: PrintedLabel, { fonts, unprinted, dpi }: Setup): Promise<void> {
  const { document } = drawing
  const { number, url, service, parcel, isSample = false } = label
  const write = async (box: Box, setting: Setting, said: readonly Said[]) => {
    const paragraphs: Words[] = []
    for (const one of said) paragraphs.push(await wordsOf(one, fonts, unprinted))
    drawText(drawing, box, setting, paragraphs)
  }
  const one = (text: string, member: string) => [{ text, member, isBold: true }]
  if (isSample) await drawSample(drawing, fonts)
  await write(boxes.from, { size: 8, least: 4 }, [{ text: 'From:', member: 'from' }, ...partySaid(label.from, 'from')])
  await write(boxes.service, { size: 13, least: 6, centred: true }, one(service, 'service'))
  await write(boxes.parcel, { size: 16, centred: true }, one(`${parcel.number} / ${parcel.of}`, 'parcel'))
  await write(boxes.to, { size: 13, least: 4 }, partySaid(label.to, 'to'))
  if (url !== undefined) drawSquare(document, boxes.qr, await qrOf(url), dpi)
  await write(boxes.details, { size: 10, least: 4 }, detailsSaid(label))
  const code = await codeOf(number)
  if (code.kind === 'bars') drawBars(document, boxes.code, code, dpi)
  else drawSquare(document, boxes.code, code, dpi)
  await write(boxes.number, { size: 13, least: 5, centred: true }, one(readable(number), 'number'))
  for (const { x, y, width, height } of rules) document.rect(x * mm, y * mm, width * mm, height * mm).fill(black)
}

/** Writes paragraphs into a box, as large as they fit. What does not even fit at the least size is cut off. */
function drawText({ document, measure }: Drawing, box: Box, setting: Setting, paragraphs: readonly Words[]): void {
  const { size, least = size, centred = false } = setting
  const [left, top, width, height] = [box.x * mm, box.y * mm, box.width * mm, box.height * mm]
  for (let points = size; points >= least; points--) {
    const lines = paragraphs.flatMap((words) => linesOf(words, width / points, measure))
    const step = points * 1.2
    const room = Math.floor(height / step)
    if (lines.length > room && points > least) continue
    for (const [index, line] of lines.slice(0, room).entries()) {
      const rest = width - line.width * points
      const start = left + (centred ? rest / 2 : line.isRightToLeft ? rest : 0)
      drawLine(document, line, { x: start, y: top + index * step, points })
    }
    return
  }
}

/** Draws bars in the middle of a box, as wide as fits. They are whole dots wide, so that all printers print them alike. */
function drawBars(
  document: PDFKit.PDFDocument,
  { x, y, width, height }: Box,
  { widths, across }: Bars,
  dpi: LabelDpi,
): void {
  const module = dotsOfBar(width, across, dpi) * (72 / dpi)
  let left = x * mm + (width * mm - across * module) / 2
  for (const [index, modules] of widths.entries()) {
    if (index % 2 === 0) document.rect(left, y * mm, modules * module, height * mm)
    left += modules * module
  }
  document.fill(black)
}

/** Draws a square code in the middle of a box, with quiet around it. */
function drawSquare(document: PDFKit.PDFDocument, box: Box, { across, isDark }: Square, dpi: LabelDpi): void {
  const module = dotsOfSquare(box, across, dpi) * (72 / dpi)
  const left = (box.x + box.width / 2) * mm - (across * module) / 2
  const top = (box.y + box.height / 2) * mm - (across * module) / 2
  for (const [index, dark] of isDark.entries()) {
    const [column, line] = [index % across, Math.floor(index / across)]
    if (dark) document.rect(left + column * module, top + line * module, module, module)
  }
  document.fill(black)
}

/** Writes SAMPLE across the label, under everything else. */
async function drawSample({ document, measure }: Drawing, fonts: Fonts): Promise<void> {
  const [width, height, points] = [layout.width * mm, layout.height * mm, 80]
  const words = await wordsOf({ text: 'SAMPLE', member: 'sample', isBold: true }, fonts)
  document.save().rotate(-56, { origin: [width / 2, height / 2] })
  for (const line of linesOf(words, width, measure))
    drawLine(document, line, { x: (width - line.width * points) / 2, y: height / 2 - points / 2, points, color: pale })
  document.restore()
}
