import * as v from 'valibot'
import { accountOf } from './call.ts'
import type { Context } from './context.ts'
import { EngineError } from './errors.ts'
import { type Finding, remark } from './finding.ts'
import { omitUndefined } from './omit-undefined.ts'
import {
  labelDpis,
  labelFormats,
  labelMediaTypes,
  labelPapers,
  labelSizes,
  type PrintedDocument,
  type PrintedLabel,
} from './printed-label.ts'
import { finding } from './rows.ts'

/** A paper that labels are printed on. */
export const labelSize = v.picklist(labelSizes)

/** The dots of an inch of a label printer. */
export const labelDpi = v.picklist(labelDpis)

/** The members of a request that say how labels are printed. */
export const labelRequestEntries = {
  format: v.exactOptional(
    v.pipe(
      v.picklist(labelFormats),
      v.description('pdf where absent; zpl is ZPL II for label printers. Of a label that is printed here.'),
    ),
  ),
  size: v.exactOptional(
    v.pipe(
      labelSize,
      v.description(
        '100x150 (mm), 4x6 (inches), a6, or a4_four, which is A4 with four labels on a page. What the business has set where absent, else 100x150.',
      ),
    ),
  ),
  dpi: v.exactOptional(
    v.pipe(
      labelDpi,
      v.description(
        'The printer’s dots per inch, of which bars are made. What the business has set where absent, else 203.',
      ),
    ),
  ),
  start_at: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.description(
        'The place on the first page for the first label, line by line from 1; with a4_four, at most 4. 1 where absent.',
      ),
    ),
  ),
}

/** How labels are printed, as a request says it. */
export type LabelRequest = Partial<v.InferOutput<v.StrictObjectSchema<typeof labelRequestEntries, undefined>>>

/** The members of an answer with labels. */
export const labelAnswerEntries = {
  media_type: v.pipe(v.string(), v.description('application/pdf, application/zpl or image/png.')),
  label: v.pipe(v.string(), v.description('The document in base64.')),
  size: v.exactOptional(
    v.pipe(labelSize, v.description('Its paper; absent in a document of a carrier that is handed out as it is.')),
  ),
  page: v.exactOptional(
    v.pipe(
      v.strictObject({ width_mm: v.number(), height_mm: v.number() }),
      v.description('The size of a page; absent where the document of a carrier does not say it.'),
    ),
  ),
  warnings: v.exactOptional(
    v.pipe(v.array(finding), v.description('Letters that no font of this server has: [?] is printed in their place.')),
  ),
}

/** Labels as they are answered. */
export type LabelAnswer = v.InferOutput<v.StrictObjectSchema<typeof labelAnswerEntries, undefined>>

/** Prints labels for a caller, as it and its business want them. Refuses a size or a place that cannot be printed. */
export async function printLabels(
  context: Context,
  labels: readonly PrintedLabel[],
  request: LabelRequest,
): Promise<LabelAnswer> {
  const { format = 'pdf', start_at = 1 } = request
  const { labelSize: ownSize = '100x150', labelDpi: ownDpi = 203 } = accountOf(context).business
  // Label printers have no sheets: what the business has set for its sheets does not concern them.
  const size = request.size ?? (format === 'zpl' && ownSize === 'a4_four' ? '100x150' : ownSize)
  const setup = { size, dpi: request.dpi ?? ownDpi, start_at }
  const problem = problemOf(format, setup)
  if (problem !== undefined) throw new EngineError('invalid_input', { count: 1 }, [problem])
  const { content, unprinted } = await context.printer.print(format, labels, setup)
  const warnings = unprinted.map(({ member, letters }) =>
    remark({ path: member, code: 'letters_unprinted', params: { letters } }, context.messages),
  )
  const { width: width_mm, height: height_mm } = labelPapers[size]
  return {
    ...{ media_type: labelMediaTypes[format], label: content, size, page: { width_mm, height_mm } },
    ...(warnings.length > 0 && { warnings }),
  }
}

function problemOf(
  format: NonNullable<LabelRequest['format']>,
  { size, start_at }: { readonly size: keyof typeof labelPapers; readonly start_at: number },
): Finding | undefined {
  const { across, down } = labelPapers[size]
  if (format === 'zpl' && across * down > 1) return { path: 'size', code: 'size_needs_pdf', params: { received: size } }
  if (start_at > across * down)
    return { path: 'start_at', code: 'no_such_place', params: { received: start_at, expected: across * down, size } }
  return undefined
}

/** The document of a carrier on the paper that the caller or its business wants, if that loses nothing; else as it is. */
export async function placeDocument(
  context: Context,
  document: PrintedDocument,
  { format, size }: LabelRequest,
): Promise<LabelAnswer> {
  const wanted = size ?? accountOf(context).business.labelSize
  const { media_type, content, page, isPlaced } = await context.printer.place(
    document,
    format === 'zpl' ? undefined : wanted,
  )
  return { media_type, label: content, ...omitUndefined({ size: isPlaced ? wanted : undefined, page }) }
}
