import fc from 'fast-check'

/**
 * Any character of Unicode, as the `unit` of a random text. fast-check's own, `binary`, first makes a table of all million
 * of them.
 */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point), pointOf)

/** The other way, for the texts that fast-check always tries. */
function pointOf(text: unknown): number {
  if (typeof text !== 'string' || [...text].length !== 1) throw new Error('no character')
  return text.codePointAt(0) ?? 0
}
