import { Hono, type Context as Request } from 'hono'
import { type Context, EngineError, isEngineError, messageOf, remark } from '../../../engine/index.ts'
import { rootPath } from '../../../projections/sensorthings/links.ts'
import { refusal } from '../../../projections/sensorthings/refusal.ts'
import { preflightFor } from '../../http/cross-origin.ts'
import { baseHeaders, challenge } from '../../http/headers.ts'
import { restResourceOf } from '../../http/oauth.ts'
import { viewHeaders } from '../../http/pass.ts'
import { retryHeaders } from '../../http/retry.ts'
import { type Gateway, type OpenRequest, recognize } from '../../node/gateway.ts'
import { lookUp, requesterOf } from '../../node/limited.ts'
import { longRead } from '../../node/long-read.ts'
import { jsonType, publicHeaders } from '../respond.ts'
import { statusOf } from '../status.ts'
import { type Answered, answerRead, pathIn } from './answer.ts'
import { callOf } from './call.ts'
import { sourceFor } from './source.ts'

const methods = ['GET', 'HEAD', 'OPTIONS'].join(', ')

/** The longest address, in characters. */
const maxAddress = 16_384

/** The service of SensorThings 1.1 (18-088). */
export function createSensorThings(gateway: Gateway): Hono {
  const app = new Hono()
  for (const path of [rootPath, `${rootPath}/*`]) {
    app.options(path, () => new Response(null, { status: 204, headers: preflightFor(methods) }))
    app.get(path, (request) => handled(request, gateway, (opened) => read(request, gateway, opened)))
    app.all(path, (request) =>
      handled(request, gateway, async (opened) => {
        opened.take('public_calls')
        throw new EngineError('method_not_allowed', { received: request.req.method, expected: methods })
      }),
    )
  }
  return app
}

async function read(request: Request, gateway: Gateway, opened: OpenRequest): Promise<Response> {
  const context = await readerOf(request, gateway, opened)
  if (request.req.url.length > maxAddress)
    throw new EngineError('query_parameter_refused', { parameter: 'URI', reason: 'the address is too long' })
  const turn = longRead(gateway.longReads, context)
  const call = callOf(request, turn.context)
  const answer = () => answerRead(call, sourceFor(call.context), pathIn(call, rootPath))
  return respond(context, await lookUp(gateway.limits, context, answer).finally(turn.end))
}

/** The context with the caller, whose call is counted; everybody may read what is public. */
async function readerOf(request: Request, { limits }: Gateway, opened: OpenRequest): Promise<Context> {
  if (request.req.header('authorization') === undefined) opened.take('public_reads')
  const context = await recognize(opened, request, undefined, restResourceOf(opened.context.baseUrl))
  if (context.caller.kind !== 'anonymous') limits.take('calls', requesterOf(context))
  return context
}

const headers = { ...baseHeaders, ...publicHeaders, 'Cache-Control': 'no-store', Vary: viewHeaders }

function respond({ requestId }: Context, answered: Answered): Response {
  const [body, type] =
    'json' in answered ? [JSON.stringify(answered.json), jsonType] : [answered.text, 'text/plain; charset=utf-8']
  return new Response(body, { headers: { ...headers, 'Content-Type': type, 'X-Request-Id': requestId } })
}

/** Runs a handler and turns errors into those of OData. */
async function handled(
  request: Request,
  gateway: Gateway,
  run: (opened: OpenRequest) => Promise<Response>,
): Promise<Response> {
  const opened = gateway.open(request)
  try {
    return await run(opened)
  } catch (error) {
    return failure(error, opened)
  }
}

/** The response to an error. Unexpected errors are logged, and the response contains only the request id. */
function failure(error: unknown, { context, report }: OpenRequest): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown || error.code === 'damaged') report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { code, params, findings } = known
  const status = statusOf(code)
  const message = messageOf(code, params, context.messages)
  const errors = findings.map((finding) => remark(finding, context.messages))
  return new Response(JSON.stringify(refusal({ code, message, errors })), {
    status,
    headers: {
      ...headers,
      ...(status === 401 && challenge),
      ...(status === 405 && { Allow: methods }),
      ...retryHeaders(status, known),
      'Content-Type': jsonType,
      'X-Request-Id': context.requestId,
    },
  })
}
