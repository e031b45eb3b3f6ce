import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ColorSpace, Document, Matrix } from 'mupdf'
import { ready } from 'zpl-renderer-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { projectFile } from '../../conformance/program/files.ts'

const { resolve } = createRequire(import.meta.url)
const wasm = resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } })

/**
 * A module in an empty folder that finds the fonts of Latin letters, and of the few Chinese, Japanese and Korean letters in
 * `test-fonts`: the whole fonts of these are 130 MB.
 */
export function fontsIn(folder: string): string {
  const packages = join(folder, 'node_modules', '@fontsource')
  mkdirSync(packages, { recursive: true })
  symlinkSync(dirname(resolve('@fontsource/noto-sans/package.json')), join(packages, 'noto-sans'), 'junction')
  const fonts = projectFile('adapters', 'labels', 'test-fonts')
  for (const name of readdirSync(fonts)) {
    const [of] = /^noto-sans-[a-z]+/.exec(name) ?? []
    if (of !== undefined) cpSync(join(fonts, name), join(packages, of, 'files', name))
  }
  return join(folder, 'fonts.js')
}

/** What programs of others see on a page: its lines of text, its picture (PNG), and what scanners read. */
export interface SeenPage {
  readonly lines: readonly string[]
  readonly picture: Uint8Array
  readonly codes: readonly string[]
}

/** The pages of a PDF in base64, at 203 dpi. */
export async function seenIn(pdf: string): Promise<readonly SeenPage[]> {
  const document = Document.openDocument(Buffer.from(pdf, 'base64'), 'application/pdf')
  return Promise.all(
    Array.from({ length: document.countPages() }, async (_, index) => {
      const page = document.loadPage(index)
      const text = page.toStructuredText('preserve-whitespace').asText()
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
      const picture = page.toPixmap(Matrix.scale(203 / 72, 203 / 72), ColorSpace.DeviceRGB, false, true).asPNG()
      return { lines, picture, codes: await codesIn(picture) }
    }),
  )
}

/** What scanners read on the labels of ZPL in base64, as a printer of 203 dpi prints them. */
export async function codesOfZpl(zpl: string): Promise<readonly (readonly string[])[]> {
  const { api } = await ready
  const pictures = await api.zplToBase64MultipleAsync(Buffer.from(zpl, 'base64').toString(), 100, 150, 8)
  return Promise.all(pictures.map((picture) => codesIn(Buffer.from(picture, 'base64'))))
}

/** Kinds and texts of the codes on a picture; a `]C1` is GS1-128 (ISO/IEC 15424). */
async function codesIn(picture: Uint8Array): Promise<readonly string[]> {
  const found = await readBarcodes(picture)
  return found.map(({ symbologyIdentifier, text }) => `${symbologyIdentifier} ${text}`).sort()
}
