import { type Code, EngineError, en, isEngineError, messageOf } from '../../engine/index.ts'
import { retryHeaders } from '../http/retry.ts'
import type { OpenRequest } from '../node/gateway.ts'

/** An error of a request that is no refusal of an operation. */
export type OAuthError = 'invalid_request' | 'invalid_client_metadata' | 'unsupported_grant_type'

/** The errors of OAuth for refusals (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
const errors: Readonly<Partial<Record<Code, string>>> = {
  invalid_grant: 'invalid_grant',
  grant_reused: 'invalid_grant',
  invalid_target: 'invalid_target',
  invalid_client: 'invalid_client',
  invalid_redirect_uri: 'invalid_redirect_uri',
}

/** The errors for refusals that are not about the request. */
const byStatus: Readonly<Record<number, string>> = {
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** How a refusal is reported. */
interface Telling {
  readonly statusOf: (code: Code) => number
  readonly headers: Readonly<Record<string, string>>
  /** The error of a request that cannot be read. */
  readonly otherwise: OAuthError
}

/** Answers with an error of OAuth (RFC 6749, 5.2), and our code beside it; what nobody expected is reported, and not told. */
export function refusal(
  error: unknown,
  { context, report }: OpenRequest,
  { statusOf, headers, otherwise }: Telling,
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const status = statusOf(known.code)
  const name = errors[known.code] ?? byStatus[status]
  const body = { error: name ?? otherwise, error_description: describe(known), code: known.code }
  const told = name === undefined ? 400 : status
  // A client that authenticates with a header gets the name of its scheme (RFC 6749, 5.2).
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="otep"' } : {}
  return Response.json(body, { status: told, headers: { ...headers, ...challenge, ...retryHeaders(status, known) } })
}

/** Descriptions are for developers, in English, and have no other characters than these (RFC 6749, 5.2). */
function describe({ code, params, findings = [] }: EngineError): string {
  const paths = [...new Set(findings.map(({ path }) => path))].join(', ')
  const text = paths === '' ? messageOf(code, params, en) : `Missing or not valid: ${paths}`
  return text.replaceAll('’', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
