import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { Context as Request } from 'hono'
import { EngineError, requireScopes } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import { modeOf, wellKnown } from '../http/protected-resource.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { requesterOf } from '../node/limited.ts'
import { challengeOf, identify, scopesOf, scopesToAskFor } from './authorization.ts'
import { connectionOf, narrowedCaller } from './connection.ts'
import { answerLegacy } from './legacy.ts'
import { isListening, listen } from './listen.ts'
import { callsIn, readMessages, withoutTokens } from './messages.ts'
import { corsHeaders, originOf } from './origin.ts'
import { refuse, type StatusOf } from './refusal.ts'
import { createServer } from './server.ts'
import type { Setup } from './setup.ts'
import type { Propose, ToolRequest } from './tool-request.ts'

/** Dependencies of an endpoint. */
interface EndpointOptions {
  readonly path: string
  readonly statusOf: StatusOf
  readonly propose?: Propose | undefined
}

/** Answers a POST request. */
type Post = (request: Request) => Promise<Response>

/** What has been read of a request so far. */
interface ReadSoFar {
  readonly origin?: string | undefined
  readonly body?: unknown
}

/** Creates the handler of a server. Headers, tokens and scopes are checked here; the library handles the protocol. */
export function createEndpoint(gateway: Gateway, setup: Setup, { path, statusOf, propose }: EndpointOptions): Post {
  const { limits } = gateway
  const askings = new WeakMap<globalThis.Request, ToolRequest>()
  const modern = createMcpHandler(({ requestInfo }) => createServer(setup, known(requestInfo), 'modern'), {
    legacy: 'reject',
  })

  function known(request: globalThis.Request | undefined): ToolRequest {
    const asking = request && askings.get(request)
    if (asking === undefined) throw new Error('A request has reached the protocol unasked.')
    return asking
  }

  async function post(request: Request): Promise<Response> {
    const opened = gateway.open(request)
    let seen: ReadSoFar = {}
    try {
      seen = { origin: originOf(request.req.header('origin'), opened.context.baseUrl) }
      const isAnonymous = request.req.header('authorization') === undefined
      if (isAnonymous) opened.take('mcp')
      seen = { ...seen, body: await readMessages(request.req.raw) }
      if (isAnonymous && modeOf(request) !== '') throw new EngineError('unauthenticated')
      const asking = await askingOf(request, opened, seen.body)
      return withCommonHeaders(await answerTo(request, opened, withoutTokens(seen.body), asking), opened, seen)
    } catch (error) {
      const headers = challenge(error, request, opened, seen)
      return withCommonHeaders(refuse(error, opened, { statusOf, body: seen.body, headers }), opened, seen)
    }
  }

  async function askingOf(request: Request, opened: OpenRequest, body: unknown): Promise<ToolRequest> {
    const connection = connectionOf((name) => request.req.header(name), setup.ownScopes)
    const calls = callsIn(body)
    const header = request.req.header('authorization')
    const { caller, tokenArgument } = await identify(opened, header, calls, `${opened.context.baseUrl}${path}`)
    if (header !== undefined) limits.take('mcp', requesterOf({ ...opened.context, caller }))
    if (tokenArgument !== 'ended') requireScopes({ ...opened.context, caller }, scopesOf(calls, setup.catalogue))
    const context = { ...opened.context, caller: narrowedCaller(caller, connection) }
    return { context, connection, limits, report: opened.report, propose, ...(tokenArgument && { tokenArgument }) }
  }

  async function answerTo(request: Request, opened: OpenRequest, body: unknown, asking: ToolRequest) {
    const { raw } = request.req
    if (await isLegacyRequest(raw, body)) return answerLegacy(raw, body, setup, asking)
    const authorization = request.req.header('authorization')
    if (isListening(body)) return listen(raw, body, { setup, asking, opened, authorization, path })
    askings.set(raw, asking)
    return modern.fetch(raw, { parsedBody: body })
  }

  function challenge(error: unknown, request: Request, { context }: OpenRequest, { body }: ReadSoFar) {
    const calls = callsIn(body)
    const isInArguments = calls.some(({ arguments: given }) => Object.hasOwn(given, 'api_token'))
    const hasToken = request.req.header('authorization') !== undefined || isInArguments
    const scopes = scopesToAskFor(scopesOf(calls, setup.catalogue), context.caller)
    return challengeOf(error, { metadata: `${context.baseUrl}${wellKnown}${path}${modeOf(request)}`, scopes, hasToken })
  }

  return post
}

function withCommonHeaders(response: Response, { context }: OpenRequest, { origin }: ReadSoFar): Response {
  const headers = {
    ...baseHeaders,
    ...corsHeaders(origin),
    'X-Request-Id': context.requestId,
    'Cache-Control': 'no-store',
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
