import type { AttemptFailure } from '../../../engine/index.ts'

/** An error with the failure that it means for an attempt. */
interface AttemptError extends Error {
  readonly failure: AttemptFailure
}

/** Creates an error with a failure. Its message names neither addresses nor ports. */
export function attemptError(failure: AttemptFailure, cause?: unknown): AttemptError {
  return Object.assign(new Error(`The attempt has failed: ${failure}.`, { cause }), { failure })
}

const failures: Readonly<Record<string, AttemptFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EINVAL: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
}

/** The failure of an attempt that an error means. */
export function failureOf(error: unknown): AttemptFailure {
  if (!(error instanceof Error)) return 'internal'
  if (isFailed(error)) return error.failure
  const { code = '' } = error as NodeJS.ErrnoException
  if (error.name === 'HTTPParserError') return 'protocol'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls'
  // The client uses one code for a closed connection and for unexpected data on it.
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ') ? 'protocol' : 'reset'
  return failures[code] ?? 'internal'
}

function isFailed(error: Error): error is AttemptError {
  return 'failure' in error
}
