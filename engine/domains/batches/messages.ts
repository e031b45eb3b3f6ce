import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Batches of orders. */
export const batchMessages = {
  not_found: {
    batch_not_found: 'There is no batch {batch}.',
  },
  value: {
    batch_row_withheld: 'Not created: another order of this all-or-nothing call was refused.',
  },
} as const satisfies Catalogue

/** A code of batches of orders. */
export type BatchCode = CodeOf<typeof batchMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<BatchCode, 'batches'> {}
}
