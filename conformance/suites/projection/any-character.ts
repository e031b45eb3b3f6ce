import fc from 'fast-check'

/** Any character but half of one. The `binary` of fast-check has the same, and first makes a table of a million. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))
