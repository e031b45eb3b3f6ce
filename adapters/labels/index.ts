import { EngineError, type LabelPrinter } from '../../engine/index.ts'
import { once } from '../node/once.ts'
import { drawsCodes, qrOf } from './codes.ts'
import { openFonts } from './fonts.ts'
import { manifestOf } from './manifest.ts'
import { pdfOf } from './pdf.ts'
import { statementOf } from './statement.ts'
import { zplOf } from './zpl.ts'

/**
 * Prints labels, manifests and statements, with the fonts that are installed for this module or another one. Its packages are optional peers: pdfkit,
 * fontkit, bwip-js, and `@fontsource/noto-sans` with its siblings.
 */
export function createLabelPrinter(from?: string): LabelPrinter {
  const fonts = once(() => openFonts(from))
  return {
    print: (format, labels) =>
      printed(async () => (format === 'zpl' ? Buffer.from(await zplOf(labels)) : pdfOf(labels, await fonts()))),
    printStatement: (statement) => printed(async () => statementOf(statement, await fonts())),
    printManifest: (manifest) => printed(async () => manifestOf(manifest, await fonts())),
    qrOf: drawsCodes() ? qrOf : undefined,
  }
}

/** A document in base64. */
async function printed(document: () => Promise<Buffer>): Promise<string> {
  try {
    return (await document()).toString('base64')
  } catch (error) {
    throw isAbsent(error) ? new EngineError('labels_unavailable') : error
  }
}

/** Whether a package is missing. */
function isAbsent(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
