import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ColorSpace, Document, DrawDevice, Image, Matrix, Pixmap } from 'mupdf'
import { ready } from 'zpl-renderer-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { projectFile } from '../../conformance/program/files.ts'
import {
  type LabelDpi,
  type LabelFormat,
  type LabelSetup,
  labelPapers,
  type PrintedDocument,
  type PrintedLabel,
} from '../../engine/index.ts'
import { createLabelPrinter } from './index.ts'

const { resolve } = createRequire(import.meta.url)
const wasm = resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } })

const fonts = projectFile('adapters', 'labels', 'test-fonts')

/** The setting of labels that nobody has chosen. */
export const usual: LabelSetup = { size: '100x150', dpi: 203, start_at: 1 }

/** Prints with the fonts of packages, and with those of a folder, in which there are a few rare Chinese letters. */
export function printerIn(folder: string) {
  const printer = createLabelPrinter({ from: fontsIn(folder), folders: [fonts] })
  return {
    ...printer,
    print: async (format: LabelFormat, labels: readonly PrintedLabel[], setup: Partial<LabelSetup> = {}) =>
      (await printer.print(format, labels, { ...usual, ...setup })).content,
    unprinted: async (format: LabelFormat, labels: readonly PrintedLabel[]) =>
      (await printer.print(format, labels, usual)).unprinted,
  }
}

/**
 * A module in an empty folder that finds the fonts of Latin letters, and of the few letters of other scripts in `test-fonts`: the whole
 * fonts of these are 130 MB.
 */
export function fontsIn(folder: string): string {
  const packages = join(folder, 'node_modules', '@fontsource')
  mkdirSync(packages, { recursive: true })
  symlinkSync(dirname(resolve('@fontsource/noto-sans/package.json')), join(packages, 'noto-sans'), 'junction')
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

/** The pages of a PDF in base64, as a printer of so many dots per inch prints them. */
export async function seenIn(pdf: string, dpi: LabelDpi = 203): Promise<readonly SeenPage[]> {
  const document = Document.openDocument(Buffer.from(pdf, 'base64'), 'application/pdf')
  return Promise.all(
    Array.from({ length: document.countPages() }, async (_, index) => {
      const page = document.loadPage(index)
      const text = page.toStructuredText('preserve-whitespace').asText()
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
      const picture = page.toPixmap(Matrix.scale(dpi / 72, dpi / 72), ColorSpace.DeviceRGB, false, true).asPNG()
      return { lines, picture, codes: await codesIn(picture) }
    }),
  )
}

/** A picture (PNG, in base64) on its side. */
export function turned({ content }: PrintedDocument): PrintedDocument {
  const image = new Image(Buffer.from(content, 'base64'))
  const [width, height] = [image.getWidth(), image.getHeight()]
  const pixmap = new Pixmap(ColorSpace.DeviceRGB, [0, 0, height, width], false)
  const device = new DrawDevice(Matrix.identity, pixmap)
  pixmap.clear(255)
  device.fillImage(image, [0, width, -height, 0, height, 0], 1)
  device.close()
  return { media_type: 'image/png', content: Buffer.from(pixmap.asPNG()).toString('base64') }
}

/** The numbers in bars in the quarters of the pages of a PDF in base64, line by line. */
export async function placedCodes(pdf: string): Promise<readonly (readonly (string | undefined)[])[]> {
  const pages = await seenIn(pdf)
  return Promise.all(
    pages.map(async ({ picture }) => {
      const quarters: (string | undefined)[] = [undefined, undefined, undefined, undefined]
      // PNG says its size after 16 bytes.
      const [width, height] = [Buffer.from(picture).readUInt32BE(16), Buffer.from(picture).readUInt32BE(20)]
      for (const { symbologyIdentifier, text, position } of await readBarcodes(picture)) {
        const { x, y } = position.topLeft
        if (symbologyIdentifier === ']C0') quarters[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] = text
      }
      return quarters
    }),
  )
}

/** What scanners read on the labels of ZPL in base64, as a printer prints them. */
export async function codesOfZpl(
  zpl: string,
  setup: Partial<LabelSetup> = {},
): Promise<readonly (readonly string[])[]> {
  return Promise.all((await picturesOfZpl(zpl, setup)).map(codesIn))
}

/** The labels of ZPL in base64 as pictures (PNG). */
export async function picturesOfZpl(zpl: string, setup: Partial<LabelSetup> = {}): Promise<readonly Uint8Array[]> {
  const { size, dpi } = { ...usual, ...setup }
  const { width, height } = labelPapers[size]
  const { api } = await ready
  const dots = dpi === 300 ? 12 : 8
  const pictures = await api.zplToBase64MultipleAsync(Buffer.from(zpl, 'base64').toString(), width, height, dots)
  return pictures.map((picture) => Buffer.from(picture, 'base64'))
}

/** Kinds and texts of the codes on a picture; a `]C1` is GS1-128 (ISO/IEC 15424). */
async function codesIn(picture: Uint8Array): Promise<readonly string[]> {
  const found = await readBarcodes(picture)
  return found.map(({ symbologyIdentifier, text }) => `${symbologyIdentifier} ${text}`).sort()
}
