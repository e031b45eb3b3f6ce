import type { AttemptFailure } from '../../../engine/index.ts'

/** An error that knows what it means for an attempt. */
export interface Failed extends Error {
  readonly failure: AttemptFailure
}

/** Makes an error of an attempt. Its text names neither addresses nor ports. */
export function failed(failure: AttemptFailure, cause?: unknown): Failed {
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

/** What an error of a connection means for the attempt. */
export function failureOf(error: unknown): AttemptFailure {
  if (!(error instanceof Error)) return 'internal'
  if (isFailed(error)) return error.failure
  const { code = '' } = error as NodeJS.ErrnoException
  if (error.name === 'HTTPParserError') return 'protocol'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls'
  // The client has one code for a connection that has ended, and for one at which something came that nobody asked for.
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ') ? 'protocol' : 'reset'
  return failures[code] ?? 'internal'
}

function isFailed(error: Error): error is Failed {
  return 'failure' in error
}
