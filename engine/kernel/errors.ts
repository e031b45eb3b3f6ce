import type { Finding } from './finding.ts'
import { type Code, type Params, plainText } from './messages/index.ts'

/**
 * A refusal: a code of the closed list, the parameters of its message, and findings with their paths. Test it by its
 * code. Its `message` is for developers (`order_not_found (order: 42)`); users see `messageOf` in their language.
 */
export class EngineError extends Error {
  readonly code: Code
  readonly params: Params
  readonly findings: readonly Finding[]
  /** What the caller needs to go on, such as a ticket: only in the answer, and in no message or log. */
  declare readonly handed: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    params: Params = {},
    findings: readonly Finding[] = [],
    handed: Readonly<Record<string, unknown>> = {},
  ) {
    super(plainText(code, params))
    this.name = 'EngineError'
    this.code = code
    this.params = params
    this.findings = findings
    // Not enumerable, so that no log that prints an error prints it.
    Object.defineProperty(this, 'handed', { value: handed, enumerable: false })
  }
}

/** Whether a thrown value is an `EngineError`, with this code if one is named. */
export function isEngineError(error: unknown, code?: Code): error is EngineError {
  return error instanceof EngineError && (code === undefined || error.code === code)
}

/** A refusal with its findings at other paths, for a caller that gave the values there; another error as it is. */
export function atOtherPaths(error: unknown, pathOf: (path: string) => string): unknown {
  if (!isEngineError(error) || error.findings.length === 0) return error
  const findings = error.findings.map((finding) => ({ ...finding, path: pathOf(finding.path) }))
  return new EngineError(error.code, error.params, findings)
}

/** Codes that fail a whole call, independent of its operation. */
const failures: readonly Code[] = [
  ...(['internal', 'damaged', 'store_unavailable', 'contention', 'wrong_expected_revision'] as const),
  ...(['too_busy', 'too_many_requests', 'wrong_secret_key', 'erasure_unfinished'] as const),
]

/** Whether a thrown value refuses the request or one item of it; failures and lost races are not refusals. */
export function isRefusal(error: unknown): error is EngineError {
  return isEngineError(error) && !failures.includes(error.code)
}

/** The error for a wrong expected revision; `actual` is -1 if the stream does not exist. */
export function wrongExpectedRevision(stream: string, expected: string | number, actual: number): EngineError {
  return new EngineError('wrong_expected_revision', { stream, expected, actual })
}
