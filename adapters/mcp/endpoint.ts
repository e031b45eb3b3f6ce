import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { Context as Request } from 'hono'
import { requireScopes } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import type { Door, Entered } from '../node/door.ts'
import { challengeOf, identify, scopesOf } from './authorization.ts'
import { connectionOf, narrowed } from './connection.ts'
import { answerLegacy } from './legacy.ts'
import { callsIn, readMessages, withoutTokens } from './messages.ts'
import { wellKnown } from './metadata.ts'
import { corsHeaders, originOf } from './origin.ts'
import { refuse, type StatusOf } from './refusal.ts'
import { createServer, type Setup } from './server.ts'
import type { Asking, Propose } from './tool-call.ts'

/** What an endpoint does not know itself. */
export interface EndpointOptions {
  readonly path: string
  readonly statusOf: StatusOf
  readonly propose?: Propose | undefined
}

/** Answers a POST. */
export type Post = (request: Request) => Promise<Response>

/** What is known of a request so far. */
interface Seen {
  readonly origin?: string | undefined
  readonly body?: unknown
}

/** What answers the messages to a server: what comes before the protocol is looked at here, the rest is the library's. */
export function createEndpoint(door: Door, setup: Setup, { path, statusOf, propose }: EndpointOptions): Post {
  const askings = new WeakMap<globalThis.Request, Asking>()
  const modern = createMcpHandler(({ requestInfo }) => createServer(setup, known(requestInfo)), { legacy: 'reject' })

  function known(request: globalThis.Request | undefined): Asking {
    const asking = request && askings.get(request)
    if (asking === undefined) throw new Error('A request has reached the protocol unasked.')
    return asking
  }

  async function post(request: Request): Promise<Response> {
    const entered = door.enter(request)
    let seen: Seen = {}
    try {
      seen = { origin: originOf(request.req.header('origin'), entered.context.baseUrl) }
      seen = { ...seen, body: await readMessages(request.req.raw) }
      const asking = await askingOf(request, entered, seen.body)
      return finished(await answerTo(request.req.raw, withoutTokens(seen.body), asking), entered, seen)
    } catch (error) {
      const headers = challenge(error, request, entered, seen)
      return finished(refuse(error, entered, { statusOf, body: seen.body, headers }), entered, seen)
    }
  }

  async function askingOf(request: Request, entered: Entered, body: unknown): Promise<Asking> {
    const connection = connectionOf((name) => request.req.header(name))
    const calls = callsIn(body)
    const { caller, tokenArgument } = await identify(entered, request.req.header('authorization'), calls)
    if (tokenArgument !== 'ended') requireScopes({ ...entered.context, caller }, scopesOf(calls, setup.catalogue))
    const context = { ...entered.context, caller: narrowed(caller, connection) }
    return { context, connection, report: entered.report, propose, ...(tokenArgument && { tokenArgument }) }
  }

  async function answerTo(raw: globalThis.Request, parsedBody: unknown, asking: Asking): Promise<Response> {
    if (await isLegacyRequest(raw, parsedBody)) return answerLegacy(raw, parsedBody, setup, asking)
    askings.set(raw, asking)
    return modern.fetch(raw, { parsedBody })
  }

  function challenge(error: unknown, request: Request, { context }: Entered, { body }: Seen) {
    const calls = callsIn(body)
    const isInArguments = calls.some(({ arguments: given }) => Object.hasOwn(given, 'api_token'))
    const hasToken = request.req.header('authorization') !== undefined || isInArguments
    const metadata = `${context.baseUrl}${wellKnown}${path}`
    return challengeOf(error, { metadata, scopes: scopesOf(calls, setup.catalogue), hasToken })
  }

  return post
}

function finished(response: Response, { context }: Entered, { origin }: Seen): Response {
  const headers = {
    ...baseHeaders,
    ...corsHeaders(origin),
    'X-Request-Id': context.requestId,
    'Cache-Control': 'no-store',
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
