import { EngineError } from '../../engine/index.ts'

/** Primary result codes of SQLite that are looked for by name. */
export const resultCodes = { busy: 5, notADatabase: 26 } as const

/** Those of a store that may work again later: busy, locked, no memory, read-only, I/O error, full, cannot open. */
const passing = new Set([resultCodes.busy, 6, 7, 8, 10, 13, 14])

/**
 * What a failed call of SQLite means to the caller: `store_unavailable` where it may work later, else `internal`. The
 * original error is the `cause`.
 */
export function failureOf(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const failure = passing.has(resultCodeOf(error))
    ? new EngineError('store_unavailable')
    : new EngineError('internal', { request: reason })
  failure.cause = error
  return failure
}

/** The primary result code of an error: the low byte of an extended one; 0 where SQLite did not throw it. */
export function resultCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  return (errcode ?? 0) & 0xff
}
