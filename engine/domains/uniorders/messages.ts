import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Uniorders. */
export const uniorderMessages = {
  not_found: {
    uniorder_not_found: 'There is no booked shipment {uniorder}.',
    uniorder_job_not_found: 'There is no job {job}.',
  },
  conflict: {
    not_a_label: 'The shipment {uniorder} is delivered by the business itself and has no label of a carrier.',
  },
} as const satisfies Catalogue

/** A code of uniorders. */
export type UniorderCode = CodeOf<typeof uniorderMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<UniorderCode, 'uniorders'> {}
}
