import { type Context, EngineError, type Finding, isEngineError, messageOf, remark } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { retryHeaders } from '../http/retry.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { statusOf } from './status.ts'

/** CORS headers that let pages of any origin read a public response (Fetch standard). */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
}

/** The media type of JSON. */
export const jsonType = 'application/json; charset=utf-8'

/** A JSON response. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: Object.assign({ 'Content-Type': jsonType }, baseHeaders, headers),
  })
}

/** Adds to the headers of a response that it may hold messages, and in which language (RFC 9110, sections 8.5 and 12.5.5). */
export function translated(
  headers: Readonly<Record<string, string>>,
  { language }: Pick<OpenRequest, 'language'>,
): Readonly<Record<string, string>> {
  const { Vary: vary } = headers
  const names = vary === undefined ? 'Accept-Language' : `${vary}, Accept-Language`
  return { ...headers, 'Content-Language': language, Vary: names }
}

/** The error envelope `{result: false, code, message}`, with findings, in the language of the caller. */
export function refusal(error: EngineError, { messages }: Pick<Context, 'messages'>): object {
  const { code, params, findings } = error
  const errors = findings.map((finding: Finding) => remark(finding, messages))
  return { result: false, code, message: messageOf(code, params, messages), ...(errors.length === 0 ? {} : { errors }) }
}

/** The response to an error. Unexpected errors are logged, and the response contains only the request id. */
export function errorResponse(
  error: unknown,
  { context, language, report }: OpenRequest,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown || error.code === 'damaged') report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const status = statusOf(known.code)
  return json(status, refusal(known, context), {
    ...translated(headers, { language }),
    ...hints(status, known),
    'X-Request-Id': context.requestId,
    'Cache-Control': 'no-store',
  })
}

function hints(status: number, error: EngineError): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="otep"' }
  return retryHeaders(status, error)
}
