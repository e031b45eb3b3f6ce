import { type LabelDpi, type LabelSetup, labelPapers, type PrintedLabel, type Unprinted } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import { type Box, boxes, dotsOfBar, dotsOfMillimetre, dotsOfSquare, layout, rules } from './boxes.ts'
import { codeOf, isSscc, qrOf, readable } from './codes.ts'
import type { Fonts } from './fonts.ts'
import { pictureOf } from './raster.ts'
import { detailsSaid, partySaid, type Said } from './said.ts'
import { linesOf, type Measure, measuring, type Words, wordsIn, wordsOf } from './text.ts'

/**
 * The letters of the resident font 0 of printers that know UTF-8 (ZPL II, ^CI28): those of Western, Central and Eastern Europe.
 * A printer leaves out a letter that its font lacks, so all others are sent as pictures.
 */
const resident = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u017f]*$/

/** How texts are set: the largest and the smallest height of letters in dots of 203 dpi, and whether their lines are centred. */
interface Setting {
  readonly size: number
  readonly least?: number
  readonly centred?: boolean
}

/** What labels are printed with. */
export interface ZplSetup extends LabelSetup {
  /** Opens the fonts for letters that printers do not have. */
  readonly fonts: () => Promise<Fonts>
  readonly unprinted: Unprinted[]
}

/** A printer: its dots, and what pictures of letters are made of. */
interface Printer extends ZplSetup {
  readonly dots: number
  readonly measure: Measure
}

/** ZPL II with a label for each of these. */
export async function zplOf(labels: readonly PrintedLabel[], setup: ZplSetup): Promise<string> {
  const printer = { ...setup, dots: dotsOfMillimetre(setup.dpi), measure: measuring() }
  const printed: string[] = []
  for (const label of labels) {
    printed.push(await zplLabel(label, printer))
    // Others are served between two labels.
    await pause()
  }
  return printed.join('')
}

async function zplLabel(label: PrintedLabel, printer: Printer): Promise<string> {
  const { number, url, service, parcel, isSample = false } = label
  const { dots, dpi, size } = printer
  const one = (text: string, member: string) => [{ text, member, isBold: true }]
  const write = (box: Box, setting: Setting, said: readonly Said[]) => written(box, setting, said, printer)
  const fields = [
    ...rules.map(({ x, y, width, height }) => `${at(x * dots, y * dots)}^GB${filled(width * dots, height * dots)}^FS`),
    await write(boxes.from, { size: 24, least: 12 }, [
      { text: 'From:', member: 'from' },
      ...partySaid(label.from, 'from'),
    ]),
    await write(boxes.service, { size: 36, least: 18, centred: true }, one(service, 'service')),
    await write(boxes.parcel, { size: 48, centred: true }, one(`${parcel.number} / ${parcel.of}`, 'parcel')),
    await write(boxes.to, { size: 40, least: 14 }, partySaid(label.to, 'to')),
    url === undefined ? '' : await squareAt(boxes.qr, url, dpi),
    await write(boxes.details, { size: 30, least: 14 }, detailsSaid(label)),
    await codeAt(boxes.code, number, dpi),
    await write(boxes.number, { size: 40, least: 16, centred: true }, one(readable(number), 'number')),
    isSample ? await write(boxes.sample, { size: 36, centred: true }, one('SAMPLE', 'sample')) : '',
  ]
  const { width, height } = labelPapers[size]
  const home = [width - layout.width, height - layout.height].map((rest) => Math.round((rest / 2) * dots))
  const head = `^XA^CI28^PW${Math.round(width * dots)}^LL${Math.round(height * dots)}^LH${home.join(',')}`
  return `${[head, ...fields.filter((field) => field !== ''), '^XZ'].join('\n')}\n`
}

/** A filled rectangle: its width, its height, and a border as wide as its shorter side. */
function filled(width: number, height: number): string {
  const [wide, high] = [Math.round(width), Math.round(height)]
  return `${wide},${high},${Math.min(wide, high)}`
}

/** Where a field begins, in dots. */
function at(x: number, y: number): string {
  return `^FO${Math.max(0, Math.round(x))},${Math.max(0, Math.round(y))}`
}

/** A text in letters of the printer, or with its letters found in fonts. */
type Paragraph = { readonly line: string } | { readonly words: Words }

/** Text in a box, as large as it fits. What does not even fit at the least size is cut off. */
async function written(box: Box, setting: Setting, said: readonly Said[], printer: Printer): Promise<string> {
  const { size, least = size, centred = false } = setting
  const { dots, dpi, measure } = printer
  const paragraphs: Paragraph[] = []
  for (const one of said) paragraphs.push(await paragraphOf(one, printer))
  const [width, height] = [Math.floor(box.width * dots), box.height * dots]
  for (let points = size; points >= least; points -= 2) {
    const tall = Math.round((points * dpi) / 203)
    const lines = paragraphs.flatMap((paragraph) => fieldsOf(paragraph, { tall, width, centred, measure }))
    const step = Math.round(tall * 1.15)
    const room = Math.floor(height / step)
    if (lines.length > room && points > least) continue
    return lines
      .slice(0, room)
      .map((field, index) => field(box.x * dots, box.y * dots + index * step))
      .join('\n')
  }
  return ''
}

async function paragraphOf(said: Said, { fonts, unprinted }: Printer): Promise<Paragraph> {
  const line = wordsIn(said.text).join(' ')
  return resident.test(line) ? { line } : { words: await wordsOf(said, await fonts(), unprinted) }
}

/** How lines are set, in dots. */
interface Setup {
  readonly tall: number
  readonly width: number
  readonly centred: boolean
  readonly measure: Measure
}

/** The lines of a paragraph: each is a field, wherever it is put. */
function fieldsOf(paragraph: Paragraph, { tall, width, centred, measure }: Setup) {
  if ('line' in paragraph) {
    // The widest letters of the font that are common take about two thirds of their height.
    const lines = brokenLine(paragraph.line, Math.floor(width / (tall * 0.62)))
    const place = centred ? `^FB${width},1,0,C,0` : ''
    return lines.map(
      (line) => (x: number, y: number) => `${at(x, y)}^A0N,${tall},${tall}${place}^FH^FD${escaped(line)}^FS`,
    )
  }
  const em = tall * 0.9
  return linesOf(paragraph.words, width / em, measure).map((line) => (x: number, y: number) => {
    const picture = pictureOf(line, em)
    if (picture === undefined) return ''
    const rest = width - line.width * em
    const start = x + (centred ? rest / 2 : line.isRightToLeft ? rest : 0)
    const { bytes, left, top, height } = picture
    const hex = Buffer.from(bytes).toString('hex').toUpperCase()
    const count = bytes.length
    return `${at(start + left, y + tall * 0.8 + top)}^GFA,${count},${count},${count / height},${hex}^FS`
  })
}

/** A line broken at spaces where it can, with so many letters at most. */
function brokenLine(text: string, letters: number): readonly string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > letters) {
    const space = rest.lastIndexOf(' ', letters)
    const end = space > 0 ? space : letters
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? lines : [...lines, rest]
}

/** The letters that are commands to printers, in hexadecimal (ZPL II, ^FH). */
function escaped(text: string): string {
  return text.replace(/[\^~_\\]/g, (letter) => `_${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}

async function codeAt(box: Box, number: string, dpi: LabelDpi): Promise<string> {
  const code = await codeOf(number)
  if (code.kind === 'square' || !/^[\w.-]+$/.test(number)) return squareAt(box, number, dpi)
  const dots = dotsOfMillimetre(dpi)
  const module = dotsOfBar(box.width, code.across, dpi)
  const left = box.x * dots + (box.width * dots - code.across * module) / 2
  const data = isSscc(number) ? `>;>800${number}` : number
  const mode = isSscc(number) ? 'N' : 'A'
  const height = Math.round(box.height * dots)
  return `${at(left, box.y * dots)}^BY${module}^BCN,${height},N,N,N,${mode}^FH^FD${escaped(data)}^FS`
}

async function squareAt(box: Box, text: string, dpi: LabelDpi): Promise<string> {
  const dots = dotsOfMillimetre(dpi)
  const { across } = await qrOf(text)
  // A module of ^BQ has at most ten dots.
  const module = Math.min(10, dotsOfSquare(box, across, dpi))
  const left = box.x * dots + (box.width * dots - across * module) / 2
  const top = box.y * dots + (box.height * dots - across * module) / 2
  return `${at(left, top)}^BQN,2,${module},M^FH^FDMA,${escaped(text)}^FS`
}
