import type { Context as Request } from 'hono'
import { EngineError, isEngineError, messageOf, remark } from '../../../engine/index.ts'
import { refusal } from '../../../projections/onerecord/refusal.ts'
import { challenge } from '../../http/headers.ts'
import { retryHeaders } from '../../http/retry.ts'
import type { OpenRequest } from '../../node/gateway.ts'
import { statusOf } from '../status.ts'
import { commonHeaders, language, typeOfRefusals } from './call.ts'

/** The longest address in a refusal, in characters. */
const maxAddress = 2_000

/** The response to an error: an `api:Error`. Unexpected errors are logged, and the response contains only the request id. */
export function problemResponse(error: unknown, request: Request, { context, report }: OpenRequest): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown || error.code === 'damaged') report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { code, params, findings } = known
  const errors = findings.map((finding) => remark(finding, context.messages))
  const refused = { code, message: messageOf(code, params, context.messages), errors }
  // The standard has no 422.
  const status = statusOf(code) === 422 ? 400 : statusOf(code)
  const resource = `${context.baseUrl}${new URL(request.req.url).pathname}`.slice(0, maxAddress)
  const headers = {
    ...commonHeaders(context),
    ...{ 'Cache-Control': 'no-store', 'Content-Language': language, 'Content-Type': typeOfRefusals(request) },
    ...{ Type: 'https://onerecord.iata.org/ns/api#Error' },
    ...(status === 401 && challenge),
    ...(status === 405 && { Allow: String(params.expected) }),
    ...retryHeaders(status, known),
  }
  return new Response(JSON.stringify(refusal(refused, resource)), { status, headers })
}
