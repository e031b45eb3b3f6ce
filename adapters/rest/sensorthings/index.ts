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
import { readBody } from '../body.ts'
import { bodyWithinHeap, inTurn } from '../large-calls.ts'
import { jsonType, publicHeaders } from '../respond.ts'
import { statusOf } from '../status.ts'
import { type Answered, answerRead, pathIn } from './answer.ts'
import { callOf } from './call.ts'
import { sourceFor } from './source.ts'
import { answerCreate, notOffered } from './write.ts'

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'].join(', ')

/** The longest address, in characters. */
const maxAddress = 16_384

/** The service of SensorThings 1.1 (18-088). */
export function createSensorThings(gateway: Gateway): Hono {
  const app = new Hono()
  for (const path of [rootPath, `${rootPath}/*`]) {
    app.options(path, () => new Response(null, { status: 204, headers: preflightFor(methods) }))
    app.get(path, (request) => handled(request, gateway, (opened) => read(request, gateway, opened)))
    app.post(path, (request) => handled(request, gateway, (opened) => create(request, gateway, opened)))
    app.all(path, (request) =>
      handled(request, gateway, async (opened) => {
        opened.take('public_calls')
        throw notOffered(request.req.method)
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

/** Answers what creates entities: 201 with the address of one, or the addresses of several. */
async function create(request: Request, gateway: Gateway, opened: OpenRequest): Promise<Response> {
  const authorization = request.req.header('authorization')
  if (authorization === undefined) {
    opened.take('public_calls')
    throw new EngineError('unauthenticated')
  }
  const context = await opened.authenticate(authorization, restResourceOf(opened.context.baseUrl))
  gateway.limits.take('ingest', requesterOf(context))
  const created = await inTurn(gateway.largeCalls, context, async (turn) => {
    const rules = { limit: bodyLimit, lines: false, open: false, caller: requesterOf(context), turn }
    const body = await readBody(request.req.raw, rules)
    const call = callOf(request, context)
    return answerCreate(call, pathIn(call, rootPath), body)
  })
  return respond(context, created, { status: 201, location: created.location })
}

/** The largest body, in bytes. */
const bodyLimit = bodyWithinHeap(16 * 1024 * 1024)

/** The context with the caller, whose call is counted; everybody may read what is public. */
async function readerOf(request: Request, { limits }: Gateway, opened: OpenRequest): Promise<Context> {
  if (request.req.header('authorization') === undefined) opened.take('public_reads')
  const context = await recognize(opened, request, undefined, restResourceOf(opened.context.baseUrl))
  if (context.caller.kind !== 'anonymous') limits.take('calls', requesterOf(context))
  return context
}

const headers = { ...baseHeaders, ...publicHeaders, 'Cache-Control': 'no-store', Vary: viewHeaders }

function respond(
  { requestId }: Context,
  answered: Answered,
  { status, location }: { readonly status: number; readonly location?: string | undefined } = { status: 200 },
): Response {
  const [body, type] =
    'json' in answered ? [JSON.stringify(answered.json), jsonType] : [answered.text, 'text/plain; charset=utf-8']
  const own = { 'Content-Type': type, 'X-Request-Id': requestId, ...(location !== undefined && { Location: location }) }
  return new Response(body, { status, headers: { ...headers, ...own } })
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
  const status = code === 'query_parameter_not_offered' ? 405 : statusOf(code)
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
