import { EngineError, type Unprinted } from '../../engine/index.ts'
import { fromLeft, type Levels, levelsOf, mirrored, rightToLeft } from './bidi.ts'
import type { Fonts, OpenFont } from './fonts.ts'
import type { Said } from './said.ts'
import type { Weight } from './system-fonts.ts'

/** Letters of one font that run in one direction, as the font takes them. */
export interface Run {
  readonly text: string
  readonly font: OpenFont
  /** Its level in the line (UAX 9): odd from right to left. */
  readonly level: number
}

/** A word, and the level of the space before it. */
interface Word {
  readonly runs: readonly Run[]
  readonly spaceLevel: number
}

/** A text with the fonts of its letters, word by word. */
export interface Words {
  readonly words: readonly Word[]
  readonly isRightToLeft: boolean
}

/** What is printed in place of letters that no font has. */
const mark = '[?]'

/**
 * Finds the fonts of a text. Letters that no font has are a mark, and are added to `unprinted`. If these are most letters of a text without
 * which a parcel does not arrive, that is refused with `unprintable_text`.
 */
export async function wordsOf(
  { text, member, isBold = false, isVital = false }: Said,
  fonts: Fonts,
  unprinted: Unprinted[] = [],
): Promise<Words> {
  const texts = wordsIn(text)
  const levels = await levelsOf(texts.join(' '))
  const words: Word[] = []
  const missing: string[] = []
  let start = 0
  for (const word of texts) {
    const setting: Setting = { fonts, weight: isBold ? 700 : 400, levels, start, missing }
    words.push({ runs: await runsOf(word, setting), spaceLevel: levels.of(start - 1) })
    start += word.length + 1
  }
  const [character] = missing
  if (character !== undefined) {
    if (isVital && lettersIn(missing.join('')) * 2 > lettersIn(text))
      throw new EngineError('unprintable_text', { member, character })
    unprinted.push({ member, letters: [...new Set(missing)].join('') })
  }
  return { words, isRightToLeft: levels.base % 2 === 1 }
}

/** The words of a text; all white space separates, and what nobody can see is left out. */
export function wordsIn(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .replace(/(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu, '')
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '')
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Where a word begins in its text, what surrounds it there, and the letters that no font had so far. */
interface Setting {
  readonly fonts: Fonts
  readonly weight: Weight
  readonly levels: Levels
  readonly start: number
  readonly missing: string[]
}

/** Pieces of one font and level, in the order in which they are read. */
interface Pieces {
  readonly font: OpenFont
  readonly level: number
  readonly isMark: boolean
  readonly texts: string[]
}

async function runsOf(word: string, setting: Setting): Promise<readonly Run[]> {
  const runs: Pieces[] = []
  for (const { segment, index } of graphemes(word)) {
    const level = setting.levels.of(setting.start + index)
    const seen = level % 2 === 1 ? await mirrored(segment) : segment
    await addPiece(runs, seen, level, setting)
  }
  return runs.map(({ font, level, texts }) => ({ font, level, text: textFor(font, level, texts) }))
}

/** Adds a letter with its marks. A font that has all of them is looked for first, and then one for each. */
async function addPiece(runs: Pieces[], piece: string, level: number, setting: Setting): Promise<void> {
  const { fonts, weight, missing } = setting
  const last = runs.at(-1)
  const isNext = last?.level === level && !last.isMark && isLatin(last.texts.at(-1)) === isLatin(piece)
  const isInLast = isNext && [...piece].every((letter) => last.font.has(letter.codePointAt(0) ?? 0))
  const font = isInLast ? last.font : await fonts.with(piece, weight)
  if (font !== undefined) {
    if (isNext && last.font === font) last.texts.push(piece)
    else runs.push({ font, level, isMark: false, texts: [piece] })
    return
  }
  const letters = [...piece]
  if (letters.length > 1) {
    for (const letter of letters) await addPiece(runs, letter, level, setting)
    return
  }
  missing.push(piece)
  const markFont = await fonts.with(mark, weight)
  if (markFont !== undefined && last?.isMark !== true) runs.push({ font: markFont, level, isMark: true, texts: [mark] })
}

/** Whether a piece is of Latin letters: the letters of one run are shaped by the rules of one script. */
function isLatin(piece = ''): boolean {
  return /\p{Script=Latin}/u.test(piece)
}

/**
 * The pieces of a run in the order in which their font takes them: it goes by the first letter, so digits of Arabic, which run from
 * the left, are turned, too.
 */
function textFor(font: OpenFont, level: number, texts: readonly string[]): string {
  const text = texts.join('')
  const isTurned = font.isShaping && rightToLeft.test(text) && font.font.layout(text).direction === 'rtl'
  return isTurned === (level % 2 === 1) ? text : texts.toReversed().join('')
}

/** The widths of runs for each point of size. */
export type Measure = (run: Run) => number

/** Measures runs, each once. */
export function measuring(): Measure {
  const known = new Map<string, number>()
  return ({ text, font: { name, font } }) => {
    const key = `${name} ${text}`
    const width = known.get(key) ?? font.layout(text).advanceWidth / font.unitsPerEm
    known.set(key, width)
    return width
  }
}

/** The runs of a line, each with its distance from the left. */
export interface Line {
  readonly runs: readonly { readonly run: Run; readonly x: number }[]
  readonly width: number
  readonly isRightToLeft: boolean
}

/** The width of a space for each point of size. */
const space = 0.26

/** A run or a space of a line. */
interface Part {
  readonly level: number
  readonly width: number
  readonly run?: Run
}

/** Breaks words into lines of a width: between words, and within a word that is wider than a line. */
export function linesOf({ words, isRightToLeft }: Words, width: number, measure: Measure): readonly Line[] {
  const lines: { parts: Part[]; width: number }[] = []
  const add = (run: Run, gap: number, level: number) => {
    const step = measure(run)
    let line = lines.at(-1)
    if (line === undefined || (line.width > 0 && line.width + gap + step > width)) {
      line = { parts: [], width: 0 }
      lines.push(line)
    }
    const before = line.parts.length === 0 ? 0 : gap
    line.parts.push({ level, width: before }, { level: run.level, width: step, run })
    line.width += before + step
  }
  for (const { runs, spaceLevel } of words) {
    const length = runs.reduce((sum, run) => sum + measure(run), 0)
    const left = width - (lines.at(-1)?.width ?? width) - space
    if (length <= width && length > left) lines.push({ parts: [], width: 0 })
    const broken = length > width ? runs.flatMap(lettersOf) : runs
    for (const [index, run] of broken.entries()) add(run, index === 0 ? space : 0, spaceLevel)
  }
  return lines.map((line) => placed(line, isRightToLeft))
}

function placed({ parts, width }: { readonly parts: readonly Part[]; readonly width: number }, isRightToLeft: boolean) {
  const runs: { run: Run; x: number }[] = []
  let x = 0
  for (const { run, width: step } of fromLeft(parts)) {
    if (run !== undefined) runs.push({ run, x })
    x += step
  }
  return { runs, width, isRightToLeft }
}

/** Each letter by itself, with the marks on it. */
function lettersOf(run: Run): readonly Run[] {
  return graphemes(run.text).map(({ segment }) => ({ ...run, text: segment }))
}

function graphemes(text: string): readonly { readonly segment: string; readonly index: number }[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)]
}
