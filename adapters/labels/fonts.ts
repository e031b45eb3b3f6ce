import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Font } from 'fontkit'
import { once } from '../node/once.ts'
import { unpacked } from './sfnt.ts'
import { type FoundFont, fontsBelow, type Weight } from './system-fonts.ts'

/** An open font. */
export interface OpenFont {
  readonly name: string
  readonly font: Font
  /** Whether it says how letters join and move, and runs from right to left where its letters do. */
  readonly isShaping: boolean
  has(codePoint: number): boolean
}

/** The fonts at hand. */
export interface Fonts {
  /** The first font that has all of these letters, of the weight if there is one; undefined if none has. */
  with(letters: string, weight: Weight): Promise<OpenFont | undefined>
}

/** The packages that come first, and the subsets that come first in them. */
const [firstPackages, firstSubsets] = [
  ['noto-sans', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'],
  ['latin', 'latin-ext'],
]

/**
 * Opens fonts, each when a letter is looked for in it: those of the packages `@fontsource/noto-*` that a module finds, and then those in
 * folders. Throws if `@fontsource/noto-sans` is missing.
 */
export async function openFonts(from: string, folders: readonly string[]): Promise<Fonts> {
  const { create } = await import('fontkit')
  const opened = (name: string, bytes: Buffer): OpenFont => {
    const font = create(bytes) as Font
    const { availableFeatures } = font
    return {
      ...{ name, font, isShaping: availableFeatures.length > 0 },
      has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    }
  }
  const packaged = (await packagedFonts(from)).map(({ name, path, weight }) => ({
    weight,
    open: once(async () => opened(name, unpacked(await readFile(path)))),
  }))
  const others = once(async () =>
    (await fontsBelow(folders)).map((found) => ({
      ...found,
      open: once(async () => opened(`${found.name}-${found.weight}`, await found.bytes())),
    })),
  )
  return {
    with: async (letters, weight) => {
      const codePoints = [...letters].map((letter) => letter.codePointAt(0) ?? 0).filter(isDrawn)
      const hasAll = (font: Pick<FoundFont, 'has'>) => codePoints.every((codePoint) => font.has(codePoint))
      for (const { open } of packaged.filter((font) => font.weight === weight)) {
        const font = await open()
        if (hasAll(font)) return font
      }
      const having = (await others()).filter(hasAll)
      const [first = 0] = codePoints
      for (const { open } of having.toSorted((one, other) => unlike(one, weight) - unlike(other, weight))) {
        const font = await open()
        if (isDrawable(font, first)) return font
      }
      return undefined
    },
  }
}

/** How far a font is from a weight. */
function unlike(font: Pick<FoundFont, 'weight'>, weight: Weight): number {
  return Math.abs(font.weight - weight)
}

/** Whether the outline of a letter can be read: a file of a system may be damaged, or of a kind that is not known. */
function isDrawable({ font }: OpenFont, codePoint: number): boolean {
  try {
    return font.glyphForCodePoint(codePoint).path.commands.length > 0
  } catch {
    return false
  }
}

/** Joiners and variation selectors change other letters, and need none of their own in a font. */
function isDrawn(codePoint: number): boolean {
  return !/\u200c|\u200d|\p{Variation_Selector}/u.test(String.fromCodePoint(codePoint))
}

interface PackagedFont {
  readonly name: string
  readonly path: string
  readonly weight: Weight
}

/** The fonts of the packages that a module finds. The parts of a font that have numbers are in one of its other parts, too. */
async function packagedFonts(from: string): Promise<readonly PackagedFont[]> {
  const { resolve } = createRequire(from)
  const noto = '@fontsource/noto-sans'
  const next = dirname(dirname(resolve(`${noto}/package.json`)))
  const folders = [next, ...(resolve.paths(noto) ?? []).map((path) => join(path, '@fontsource'))]
  const found = new Map<string, PackagedFont>()
  for (const folder of folders) {
    const names = (await namesIn(folder)).filter((name) => name.startsWith('noto-'))
    for (const name of names.sort(byPlaceIn(firstPackages)))
      for (const font of await fontsOfPackage(name, join(folder, name, 'files')))
        if (!found.has(font.name)) found.set(font.name, font)
  }
  return [...found.values()]
}

async function fontsOfPackage(name: string, folder: string): Promise<readonly PackagedFont[]> {
  const parts = (await namesIn(folder)).flatMap((file) => {
    const [, subset, weight] = new RegExp(`^${name}-([a-z]+(?:-[a-z]+)*)-(400|700)-normal\\.woff$`).exec(file) ?? []
    return subset === undefined ? [] : [{ subset, file, weight: Number(weight) as Weight }]
  })
  const bySubset = byPlaceIn(firstSubsets)
  return parts
    .sort((one, other) => bySubset(one.subset, other.subset))
    .map(({ file, weight }) => ({ name: file, path: join(folder, file), weight }))
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Compares names: those of a list in its order, then others by the alphabet. */
function byPlaceIn(first: readonly string[]): (one: string, other: string) => number {
  const placeOf = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1)
}
