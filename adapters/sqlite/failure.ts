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
  const failure = isTemporary(error)
    ? new EngineError('store_unavailable')
    : new EngineError('internal', { request: reason })
  failure.cause = error
  return failure
}

/** Whether a failed SQLite call may work later. */
export function isTemporary(error: unknown): boolean {
  const reason = error instanceof Error ? error.message : String(error)
  const code = resultCodeOf(error)
  return code === 0 ? [...temporaryCodes.values()].includes(reason) : temporaryCodes.has(code)
}

/** Runs a task of an operator. An error of SQLite becomes the sentence that its reason completes. */
export async function explained<Result>(
  sentence: (reason: string) => string,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    throw isOfDriver(error) ? new Error(sentence((error as Error).message), { cause: error }) : error
  }
}

/** Whether an error comes from the driver; it may have lost its result code. */
export function isOfDriver(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SQLITE_ERROR'
}

/** The primary result code of an error (the low byte of an extended one); 0 if it is not from SQLite. */
export function resultCodeOf(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  return (errcode ?? 0) & 0xff
}
