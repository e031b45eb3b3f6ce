import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { once } from '../node/once.ts'
import { unpacked } from './woff.ts'

/** How heavy letters are. */
export type Weight = 400 | 700

/** An open font, and its bytes. */
export interface OpenFont {
  readonly name: string
  readonly bytes: Buffer
  has(codePoint: number): boolean
}

/**
 * Packages and their parts, in the order in which a letter is looked for. Scripts whose letters change with their neighbours are
 * left out: printed letter by letter, they would be wrong.
 */
const parts: readonly (readonly [name: string, subsets: readonly string[]])[] = [
  ['noto-sans', ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese']],
  ['noto-sans-sc', ['chinese-simplified']],
  ['noto-sans-tc', ['chinese-traditional']],
  ['noto-sans-jp', ['japanese']],
  ['noto-sans-kr', ['korean']],
]

/** The installed fonts. */
export interface Fonts {
  /** The first font that has a letter; undefined if none has. */
  with(codePoint: number, weight: Weight): Promise<OpenFont | undefined>
}

/**
 * Opens the packages `@fontsource/noto-sans*` that a module finds, each when a letter is looked for in it. Throws if
 * `noto-sans` is missing.
 */
export async function openFonts(from: string = import.meta.url): Promise<Fonts> {
  const { create } = await import('fontkit')
  const { resolve } = createRequire(from)
  resolve('@fontsource/noto-sans/package.json')
  const openersOf = (weight: Weight) =>
    parts.flatMap(([name, subsets]) =>
      subsets.map((subset) => {
        const file = `${name}-${subset}-${weight}-normal.woff`
        return once(async (): Promise<OpenFont | undefined> => {
          const bytes = await bytesOf(() => resolve(`@fontsource/${name}/files/${file}`))
          if (bytes === undefined) return undefined
          const font = create(bytes) as Font
          return { name: file, bytes, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) }
        })
      }),
    )
  const openers = { 400: openersOf(400), 700: openersOf(700) }
  return {
    with: async (codePoint, weight) => {
      for (const open of openers[weight]) {
        const font = await open()
        if (font?.has(codePoint) === true) return font
      }
      return undefined
    },
  }
}

/** The font in a file of a package; undefined if the package is not installed. */
async function bytesOf(path: () => string): Promise<Buffer | undefined> {
  try {
    return unpacked(await readFile(path()))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'MODULE_NOT_FOUND' || code === 'ENOENT') return undefined
    throw error
  }
}
