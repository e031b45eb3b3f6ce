import { EngineError } from '../../engine/index.ts'

/** Primary result codes of SQLite that are used by name. */
export const resultCodes = { busy: 5, notADatabase: 26 } as const

/** Codes of temporary failures, with their messages: a driver may lose the code of a query. */
const temporaryCodes = new Map([
  [resultCodes.busy, 'database is locked'],
  [6, 'database table is locked'],
  [7, 'out of memory'],
  [8, 'attempt to write a readonly database'],
  [10, 'disk I/O error'],
  [13, 'database or disk is full'],
  [14, 'unable to open database file'],
])

/**
 * The engine error of a failed SQLite call: `store_unavailable` if it may work later, otherwise `internal`. The
 * original error is the `cause`.
 */
export function failureOf(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const failure = isTemporary(error, reason)
    ? new EngineError('store_unavailable')
    : new EngineError('internal', { request: reason })
  failure.cause = error
  return failure
}

function isTemporary(error: unknown, reason: string): boolean {
  const code = resultCodeOf(error)
  return code === 0 ? [...temporaryCodes.values()].includes(reason) : temporaryCodes.has(code)
}

/** The primary result code of an error (the low byte of an extended one); 0 if it is not from SQLite. */
export function resultCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  return (errcode ?? 0) & 0xff
}
