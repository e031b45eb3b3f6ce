import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'

/** The refusal of an input in which this was found: `invalid_input`. */
export function refusal(findings: readonly Finding[]): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

/** Refuses an input in which anything was found. */
export function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) throw refusal(findings)
}
