import { EngineError, type LabelPrinter, type Unprinted } from '../../engine/index.ts'
import { once } from '../node/once.ts'
import { drawsCodes, qrOf } from './codes.ts'
import { customsOf } from './customs.ts'
import { openFonts } from './fonts.ts'
import { manifestOf } from './manifest.ts'
import { pdfOf } from './pdf.ts'
import { placedOn } from './placed.ts'
import { statementOf } from './statement.ts'
import { systemFontFolders } from './system-fonts.ts'
import { zplOf } from './zpl.ts'

export { systemFontFolders } from './system-fonts.ts'

/** Where fonts are looked for. */
export interface FontSources {
  /** The module whose packages are taken; this one if not set. */
  readonly from?: string
  /** Folders of fonts; those of the system if not set. */
  readonly folders?: readonly string[] | undefined
}

/**
 * Prints labels, manifests and statements, with the fonts of installed packages and of folders. Its packages are optional peers: pdfkit,
 * fontkit, bwip-js, bidi-js, and `@fontsource/noto-sans` with its siblings.
 */
export function createLabelPrinter({ from = import.meta.url, folders }: FontSources = {}): LabelPrinter {
  const fonts = once(() => openFonts(from, folders ?? systemFontFolders()))
  return {
    print: async (format, labels, setup) => {
      const unprinted: Unprinted[] = []
      const content = await printed(async () =>
        format === 'zpl'
          ? Buffer.from(await zplOf(labels, { ...setup, fonts, unprinted }))
          : pdfOf(labels, { ...setup, fonts: await fonts(), unprinted }),
      )
      return { content, unprinted: joined(unprinted) }
    },
    place: (document, size) => orAbsent(() => placedOn(document, size)),
    printStatement: (statement) => printed(async () => statementOf(statement, await fonts())),
    printCustoms: (forms) => printed(async () => customsOf(forms, await fonts())),
    printManifest: (manifest) => printed(async () => manifestOf(manifest, await fonts())),
    qrOf: drawsCodes() ? qrOf : undefined,
  }
}

/** A document in base64. */
async function printed(document: () => Promise<Buffer>): Promise<string> {
  return (await orAbsent(document)).toString('base64')
}

/** What several labels could not print, each letter once. */
function joined(unprinted: readonly Unprinted[]): readonly Unprinted[] {
  const members = [...new Set(unprinted.map(({ member }) => member))]
  return members.map((member) => {
    const letters = unprinted.flatMap((one) => (one.member === member ? [...one.letters] : []))
    return { member, letters: [...new Set(letters)].join('') }
  })
}

async function orAbsent<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isAbsent(error) ? new EngineError('labels_unavailable') : error
  }
}

/** Whether a package is missing. */
function isAbsent(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
