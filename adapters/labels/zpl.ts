import { EngineError, type PrintedLabel } from '../../engine/index.ts'
import { type Box, boxes, dotsOfModule, labelSize, rules } from './boxes.ts'
import { codeOf, isSscc, qrOf, readable } from './codes.ts'
import { detailsSaid, partySaid, type Said } from './said.ts'
import { wordsIn } from './text.ts'

/** The dots of a millimetre at 203 dpi. */
const mm = 8

/** The letters that the font 0 of every ZPL printer has. */
const printable = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]$/

/** How texts are set: the largest and the smallest height of letters in dots, and whether their lines are centred. */
interface Setting {
  readonly size: number
  readonly least?: number
  readonly centred?: boolean
}

/** ZPL II with a label for each of these. Refuses letters beyond Latin-1 with `unprintable_text`: not every printer has them. */
export async function zplOf(labels: readonly PrintedLabel[]): Promise<string> {
  const printed: string[] = []
  for (const label of labels) printed.push(await zplLabel(label))
  return printed.join('')
}

async function zplLabel(label: PrintedLabel): Promise<string> {
  const { number, url, service, parcel, isSample = false } = label
  const one = (text: string, member: string) => [{ text, member }]
  const fields = [
    ...rules.map(({ x, y, width, height }) => `${at(x, y)}^GB${filled(width, height)}^FS`),
    written(boxes.from, { size: 24, least: 12 }, [{ text: 'From:', member: 'from' }, ...partySaid(label.from, 'from')]),
    written(boxes.service, { size: 36, least: 18, centred: true }, one(service, 'service')),
    written(boxes.parcel, { size: 48, centred: true }, one(`${parcel.number} / ${parcel.of}`, 'parcel')),
    written(boxes.to, { size: 40, least: 14 }, partySaid(label.to, 'to')),
    url === undefined ? '' : await squareAt(boxes.qr, url),
    written(boxes.details, { size: 30, least: 14 }, detailsSaid(label)),
    await codeAt(boxes.code, number),
    written(boxes.number, { size: 40, least: 16, centred: true }, one(readable(number), 'number')),
    isSample ? written(boxes.sample, { size: 36, centred: true }, one('SAMPLE', 'sample')) : '',
  ]
  const head = `^XA^CI28^PW${labelSize.width * mm}^LL${labelSize.height * mm}^LH0,0`
  return `${[head, ...fields.filter((field) => field !== ''), '^XZ'].join('\n')}\n`
}

/** A filled rectangle: its width, its height, and a border as wide as its shorter side. */
function filled(width: number, height: number): string {
  const [wide, high] = [Math.round(width * mm), Math.round(height * mm)]
  return `${wide},${high},${Math.min(wide, high)}`
}

function at(x: number, y: number): string {
  return `^FO${Math.round(x * mm)},${Math.round(y * mm)}`
}

/** Text in a box, as large as it fits. What does not even fit at the least size is cut off. */
function written({ x, y, width, height }: Box, setting: Setting, said: readonly Said[]): string {
  const { size, least = size, centred = false } = setting
  for (let tall = size; tall >= least; tall -= 2) {
    // The widest letters of the font that are common take about two thirds of their height.
    const letters = Math.floor((width * mm) / (tall * 0.62))
    const lines = said.flatMap(({ text, member }) => linesOf(printableIn(text, member), letters))
    const step = Math.round(tall * 1.15)
    const room = Math.floor((height * mm) / step)
    if (lines.length > room && tall > least) continue
    const place = centred ? `^FB${width * mm},1,0,C,0` : ''
    return lines
      .slice(0, room)
      .map((line, index) => `${at(x, y + (index * step) / mm)}^A0N,${tall},${tall}${place}^FH^FD${escaped(line)}^FS`)
      .join('\n')
  }
  return ''
}

/** A text with single spaces; refuses letters that the font lacks. */
function printableIn(text: string, member: string): string {
  const line = wordsIn(text).join(' ')
  const character = [...line].find((one) => !printable.test(one))
  if (character !== undefined) throw new EngineError('unprintable_text', { member, character })
  return line
}

/** A line broken at spaces where it can, with so many letters at most. */
function linesOf(text: string, letters: number): readonly string[] {
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

async function codeAt(box: Box, number: string): Promise<string> {
  const code = await codeOf(number)
  if (code.kind === 'square' || !/^[\w.-]+$/.test(number)) return squareAt(box, number)
  const module = dotsOfModule(box.width * mm, code.across)
  const left = box.x + (box.width - (code.across * module) / mm) / 2
  const data = isSscc(number) ? `>;>800${number}` : number
  const mode = isSscc(number) ? 'N' : 'A'
  return `${at(left, box.y)}^BY${module}^BCN,${box.height * mm},N,N,N,${mode}^FH^FD${escaped(data)}^FS`
}

async function squareAt(box: Box, text: string): Promise<string> {
  const { across } = await qrOf(text)
  const side = Math.min(box.width, box.height) * mm
  const module = Math.max(2, Math.min(10, Math.floor(side / (across + 4))))
  const left = box.x + (box.width - (across * module) / mm) / 2
  return `${at(left, box.y)}^BQN,2,${module},M^FH^FDMA,${escaped(text)}^FS`
}
