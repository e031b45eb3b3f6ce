import { type Context, EngineError, type Finding, isEngineError, messageOf, remark } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import type { Entered } from '../node/door.ts'
import { statusOf } from './status.ts'

/** What lets a page of any origin read a public answer (Fetch standard, CORS protocol). */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
}

/** The media type of JSON. */
export const jsonType = 'application/json; charset=utf-8'

/** An answer in JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: Object.assign({ 'Content-Type': jsonType }, baseHeaders, headers),
  })
}

/** The envelope of a refusal: `{result: false, code, message}`, with what was found where, in the caller's language. */
export function refusal(error: EngineError, { messages }: Pick<Context, 'messages'>): object {
  const { code, params, findings } = error
  const errors = findings.map((finding: Finding) => remark(finding, messages))
  return { result: false, code, message: messageOf(code, params, messages), ...(errors.length === 0 ? {} : { errors }) }
}

/** The answer to something thrown; what is not the engine's own refusal is logged, and says no more than the request's id. */
export function failed(
  error: unknown,
  { context, report }: Entered,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown) report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const status = statusOf(known.code)
  return json(status, refusal(known, context), {
    ...headers,
    ...hints(status, known),
    'X-Request-Id': context.requestId,
    'Cache-Control': 'no-store',
  })
}

function hints(status: number, { params }: EngineError): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="otep"' }
  if (status === 429 && params.seconds !== undefined) return { 'Retry-After': String(params.seconds) }
  return status === 503 ? { 'Retry-After': '1' } : {}
}
