import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Insights. */
export const insightMessages = {
  value: {
    too_many_days: 'The range of days is too long: at most {limit} days are allowed.',
    period_and_days: 'Name either a period or a range of days, not both.',
  },
} as const satisfies Catalogue

/** A code of insights. */
export type InsightCode = CodeOf<typeof insightMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<InsightCode, 'insights'> {}
}
