import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Mark-ups. */
export const markUpMessages = {
  not_found: {
    no_mark_ups: 'There is no such version of the mark-ups.',
  },
  conflict: {
    mark_ups_changed: 'Somebody has changed the mark-ups meanwhile: version {version} holds now. Look at it first.',
  },
  value: {
    not_sold: 'A rule for what is not sold has no price.',
    nothing_to_round_to: 'Expected an amount above zero.',
    ending_too_large: 'An ending needs a larger round_to.',
    rule_never_reached: 'Rule {rule} comes first and fits everything that this one does.',
    without_spaces: 'Expected a text without spaces.',
  },
} as const satisfies Catalogue

/** A code of mark-ups. */
export type MarkUpCode = CodeOf<typeof markUpMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<MarkUpCode, 'mark-ups'> {}
}
