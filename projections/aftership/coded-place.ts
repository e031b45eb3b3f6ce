import { hasCheckDigit } from '../../engine/index.ts'

/** The text for a place that has a code and no name: `UN/LOCODE CATOR`. */
export function textOfCode(unlocode: string | undefined, gln: string | undefined): string | undefined {
  if (unlocode) return `UN/LOCODE ${unlocode}`
  return gln ? `GLN ${gln}` : undefined
}

/** The place of such a text; any other text is a name. */
export function placeOfText(text: unknown): { readonly [Member in 'name' | 'unlocode' | 'gln']?: unknown } {
  if (text === undefined) return {}
  const [, unlocode, gln] =
    (typeof text === 'string' ? /^(?:UN\/LOCODE ([A-Z]{2}[A-Z2-9]{3})|GLN (\d{13}))$/.exec(text) : null) ?? []
  if (unlocode !== undefined) return { unlocode }
  return gln !== undefined && hasCheckDigit(gln) ? { gln } : { name: text }
}
