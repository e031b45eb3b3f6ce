import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Statements. */
export const statementMessages = {
  not_found: {
    statement_not_found: 'There is no statement {statement}.',
  },
  conflict: {
    statement_final: 'Statement {statement} is issued and stays as it is.',
    statement_exists: 'Statement {number} is of this month already.',
    later_statement: 'Statement {number} is of a later month: {month}. What comes now is in the next one.',
    business_statement: 'Statement {number} sums up {month} already. What comes now is in the next one.',
    statements_missing: 'Other statements of this month are to be issued before that of the business.',
    nothing_to_state: 'Nothing has changed since the last statement.',
  },
  value: {
    not_a_month: 'Expected a month: YYYY-MM.',
    month_not_over: 'This month is not over yet.',
  },
} as const satisfies Catalogue

/** A code of statements. */
export type StatementCode = CodeOf<typeof statementMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<StatementCode, 'statements'> {}
}
