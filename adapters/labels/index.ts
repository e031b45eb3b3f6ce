import { EngineError, type LabelPrinter } from '../../engine/index.ts'
import { once } from '../node/once.ts'
import { openFonts } from './fonts.ts'
import { pdfOf } from './pdf.ts'
import { zplOf } from './zpl.ts'

/** Prints labels. Its packages are optional peers: pdfkit, fontkit, bwip-js, and `@fontsource/noto-sans` with its siblings. */
export function createLabelPrinter(): LabelPrinter {
  const fonts = once(openFonts)
  return {
    print: async (format, labels) => {
      try {
        const document = format === 'zpl' ? Buffer.from(await zplOf(labels)) : await pdfOf(labels, await fonts())
        return document.toString('base64')
      } catch (error) {
        throw isAbsent(error) ? new EngineError('labels_unavailable') : error
      }
    },
  }
}

/** Whether a package is missing. */
function isAbsent(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
