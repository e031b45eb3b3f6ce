import { type Answer, excerptOf, isObject } from '../../../engine/index.ts'
import { harmless } from '../printable.ts'

/** A refusal of a server, as it answered, and what the person can do. */
export interface ServerRefusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  readonly hint?: string
  /** The whole answer. */
  readonly answer?: Answer
}

const refusals = new WeakMap<Error, ServerRefusal>()

/** The refusal that an error is about; undefined for other errors. */
export function serverRefusalOf(error: unknown): ServerRefusal | undefined {
  return error instanceof Error ? refusals.get(error) : undefined
}

/** An error for a refusal of a server. */
export function refusedBy(refusal: ServerRefusal): Error {
  const error = new Error(refusal.message)
  refusals.set(error, refusal)
  return error
}

/** The refusal in an answer, in words that a terminal can show; undefined for an answer that is none of an otep server. */
export function refusalIn(status: number, answer: unknown): ServerRefusal | undefined {
  if (!isObject(answer) || typeof answer.code !== 'string' || typeof answer.message !== 'string') return undefined
  const { code, message, errors } = answer as Answer & { code: string; message: string }
  const findings = Array.isArray(errors) ? errors.filter(isObject) : []
  return {
    ...{ status, code: harmless(code), message: harmless(message), answer: answer as Answer },
    errors: findings.map(({ path, message: text }) => ({
      path: harmless(String(path)),
      message: harmless(String(text)),
    })),
  }
}

/** What a person can do about failures below HTTP, by the code of Node. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Is the server running, and is the port right?',
  ENOTFOUND: 'there is no such host. Is the name right?',
  EAI_AGAIN: 'the name of the host cannot be looked up. Is this machine online?',
  ECONNRESET: 'the connection was cut off.',
  EHOSTUNREACH: 'the host cannot be reached.',
  ENETUNREACH: 'the network cannot be reached.',
  ETIMEDOUT: 'it did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time.',
  UND_ERR_SOCKET: 'the connection was cut off. If this is a port with TLS, the address begins with https.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed its certificate itself. Name the certificate with NODE_EXTRA_CA_CERTS=FILE.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'an unknown authority signed its certificate. Name the authority with NODE_EXTRA_CA_CERTS=FILE.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'an unknown authority signed its certificate. Name the authority with NODE_EXTRA_CA_CERTS=FILE.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'an unknown authority signed its certificate. Name the authority with NODE_EXTRA_CA_CERTS=FILE.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there. Does the address begin with http?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there. Does the address begin with http?',
}

/** Whether a request that failed so never reached a server, and can be sent again whatever it does. */
export function isUnsent(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    codeOf(error),
  )
}

/** Whether the certificate or the protocol is wrong, which no second attempt repairs. */
export function isLasting(error: unknown): boolean {
  return /^(CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL|EPROTO)/.test(codeOf(error))
}

/** The error for a server that could not be asked. */
export function unreachable(url: string, error: unknown): Error {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const code = isLate ? 'ETIMEDOUT' : codeOf(error)
  const why = causes[code] ?? `${code || (error instanceof Error ? error.message : String(error))}.`
  return refusedBy({
    ...{ status: 0, code: 'server_unreachable', errors: [] },
    message: `The server ${url} cannot be reached: ${why}`,
  })
}

/** The error for an answer that no otep server gives. */
export function strange(url: string, { status, headers }: Response): Error {
  const location = headers.get('location')
  const what =
    location === null
      ? `status ${status}, ${excerptOf(headers.get('content-type') ?? 'no content type')}`
      : `a redirect to ${excerptOf(location)}`
  return refusedBy({
    ...{ status, code: 'strange_answer', errors: [] },
    message: `${url} does not answer like an otep server (${what}). Is the address right?`,
  })
}

/** The code of the failure, which fetch puts into its cause. */
function codeOf(error: unknown): string {
  const { cause, code } = (error ?? {}) as { readonly cause?: unknown; readonly code?: unknown }
  if (cause instanceof AggregateError) return codeOf(cause.errors[0])
  if (cause !== undefined && cause !== error) return codeOf(cause)
  return typeof code === 'string' ? code : ''
}
