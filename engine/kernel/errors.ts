import type { Finding } from './finding.ts'
import { type Code, type Params, plainText } from './messages/index.ts'

/**
 * A refusal: a code of the closed list, what fills its message, and what was found where. Test it by its code. Its own
 * `message` is for developers (`order_not_found (order: 42)`); people are shown `messageOf` in their language.
 */
export class EngineError extends Error {
  readonly code: Code
  readonly params: Params
  readonly findings: readonly Finding[]

  constructor(code: Code, params: Params = {}, findings: readonly Finding[] = []) {
    super(plainText(code, params))
    this.name = 'EngineError'
    this.code = code
    this.params = params
    this.findings = findings
  }
}

/** Whether something thrown is the engine's own refusal with this code (any code, where none is given). */
export function isEngineError(error: unknown, code?: Code): error is EngineError {
  return error instanceof EngineError && (code === undefined || error.code === code)
}

/** What concerns a whole call, whatever it was about. */
const failures: readonly Code[] = [
  ...(['internal', 'store_unavailable', 'contention', 'wrong_expected_revision'] as const),
  ...(['too_busy', 'wrong_secret_key', 'erasure_unfinished'] as const),
]

/** Whether something thrown refuses what was asked for, one thing of many too; a failure or a lost race refuses nothing. */
export function isRefusal(error: unknown): error is EngineError {
  return isEngineError(error) && !failures.includes(error.code)
}

/** The error of a writer whose belief about a stream is wrong; `actual` is -1 where there is no stream. */
export function wrongExpectedRevision(stream: string, expected: string | number, actual: number): EngineError {
  return new EngineError('wrong_expected_revision', { stream, expected, actual })
}
