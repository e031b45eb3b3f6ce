import { EngineError } from '../../engine/index.ts'
import type { Fonts, OpenFont, Weight } from './fonts.ts'

/** Letters of one font. */
interface Run {
  readonly text: string
  readonly font: OpenFont
}

/** A text with the fonts of its letters, word by word. */
export type Words = readonly (readonly Run[])[]

/**
 * Finds the fonts of a text. Refuses a letter that no font has with `unprintable_text`: it would be printed as a box, and a
 * parcel with boxes in its address does not arrive.
 */
export async function wordsOf(text: string, member: string, weight: Weight, fonts: Fonts): Promise<Words> {
  const words: (readonly Run[])[] = []
  for (const word of wordsIn(text)) words.push(await runsOf(word, member, weight, fonts))
  return words
}

/** The words of a text; all white space separates. */
export function wordsIn(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '')
}

async function runsOf(word: string, member: string, weight: Weight, fonts: Fonts): Promise<readonly Run[]> {
  const runs: { text: string; font: OpenFont }[] = []
  for (const character of word) {
    const codePoint = character.codePointAt(0) ?? 0
    const last = runs.at(-1)
    if (last?.font.has(codePoint)) {
      last.text += character
      continue
    }
    const font = await fonts.with(codePoint, weight)
    if (font === undefined) throw new EngineError('unprintable_text', { member, character })
    runs.push({ text: character, font })
  }
  return runs
}

/** The width of a run. */
export type Measure = (run: Run) => number

/** The runs of a line, each with its distance from the left. */
export interface Line {
  readonly runs: readonly { readonly run: Run; readonly x: number }[]
  readonly width: number
}

/** Breaks words into lines of a width: between words, and within a word that is wider than a line. */
export function linesOf(words: Words, width: number, space: number, measure: Measure): readonly Line[] {
  const lines: { runs: { run: Run; x: number }[]; width: number }[] = []
  const add = (run: Run, gap: number) => {
    const step = measure(run)
    let line = lines.at(-1)
    if (line === undefined || (line.width > 0 && line.width + gap + step > width)) {
      line = { runs: [], width: 0 }
      lines.push(line)
    }
    const x = line.runs.length === 0 ? 0 : line.width + gap
    line.runs.push({ run, x })
    line.width = x + step
  }
  for (const word of words) {
    const length = word.reduce((sum, run) => sum + measure(run), 0)
    const left = width - (lines.at(-1)?.width ?? width) - space
    if (length <= width && length > left) lines.push({ runs: [], width: 0 })
    const broken = length > width ? word.flatMap(lettersOf) : word
    for (const [index, run] of broken.entries()) add(run, index === 0 ? space : 0)
  }
  return lines
}

/** Each letter by itself, with the marks on it. */
function lettersOf({ text, font }: Run): readonly Run[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => ({
    text: segment,
    font,
  }))
}
