import {
  type Context,
  EngineError,
  type Finding,
  isEngineError,
  messageOf,
  type Projection,
  remark,
} from '../../engine/index.ts'
import { exposedHeaders } from '../http/cross-origin.ts'
import { baseHeaders, challenge } from '../http/headers.ts'
import { translated } from '../http/language.ts'
import { retryHeaders } from '../http/retry.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { statusOf } from './status.ts'

/** CORS headers that let pages of any origin read a public response (Fetch standard). */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
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

/**
 * The error envelope `{result: false, code, message}`, with findings, in the language of the caller. For an opt-in family that
 * is switched off it says so in a member, too (document 1, errors).
 */
function refusal(error: EngineError, { messages }: Pick<Context, 'messages'>) {
  const { code, params, findings, handed } = error
  const errors = findings.map((finding: Finding) => remark(finding, messages))
  return {
    result: false,
    ...(code === 'feature_disabled' && { feature_enabled: false }),
    code,
    message: messageOf(code, params, messages),
    ...handed,
    ...(errors.length === 0 ? {} : { errors }),
  }
}

/**
 * The response to an error, in the form of the standard that the request is `of`. Unexpected errors are logged, and the
 * response contains only the request id.
 */
export function errorResponse(
  error: unknown,
  { context, language, report }: OpenRequest,
  headers: Readonly<Record<string, string>> = {},
  of?: Projection,
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown || error.code === 'damaged') report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const ofInterface = refusal(known, context)
  const body = of?.refusal?.({ ...ofInterface, errors: ofInterface.errors ?? [] }) ?? ofInterface
  // Standards of other interfaces have no 422.
  const status = of?.refusal !== undefined && known.code === 'invalid_input' ? 400 : statusOf(known.code)
  const type = of?.refusal === undefined ? jsonType : (of.representations[0]?.mediaType ?? jsonType)
  return json(status, body, {
    'Content-Type': type,
    ...translated(headers, language),
    ...hints(status, known),
    'X-Request-Id': context.requestId,
    'Cache-Control': 'no-store',
  })
}

function hints(status: number, error: EngineError): Readonly<Record<string, string>> {
  if (status === 401) return challenge
  return retryHeaders(status, error)
}
