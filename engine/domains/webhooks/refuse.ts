import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'

/** The refusal of an input with these findings: `invalid_input`. */
export function refusal(findings: readonly Finding[]): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, findings)
}

/** Refuses an input if there are findings. */
export function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) throw refusal(findings)
}
