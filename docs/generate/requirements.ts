import { requirements } from '../../engine/index.ts'
import { code, page, plain, table } from './markdown.ts'

/** Every requirement that the validator checks. */
export function requirementsPage(): string {
  const rows = requirements.map(({ id, level, severity, clause, summary }) => [
    code(id),
    String(level),
    severity,
    plain(summary),
    plain(clause),
  ])
  return page(
    'Requirements of the validator',
    ['engine/domains/tracking/requirements.ts'],
    [
      `A document conforms where no requirement of the severity *error* is broken. It reaches level 2 where, beyond that,
every requirement of level 2 is met; otherwise level 1; where it does not conform, level 0. Every finding of the
validator names its requirement. How to use it: [validate documents](../how-to/validate-documents.md).`,
      table(['id', 'level', 'severity', 'what is required', 'clause'], rows),
    ],
  )
}
