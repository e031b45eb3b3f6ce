import { Hono, type Context as Request } from 'hono'
import * as v from 'valibot'
import { type Context, EngineError, parse } from '../../engine/index.ts'
import { preflightFor } from '../http/cross-origin.ts'
import { baseHeaders } from '../http/headers.ts'
import { maxLevels } from '../http/json.ts'
import { translated } from '../http/language.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { requesterOf } from '../node/limited.ts'
import { bounds } from './bounds.ts'
import { answerTo, type ErrorReporting, type GraphqlResponse } from './execute.ts'
import { schemaOf } from './schema.ts'

/** Functions of the REST interface that GraphQL shares: reading a JSON body, error responses, and HTTP statuses. */
export interface HttpTools {
  readonly readBody: (
    request: globalThis.Request,
    rules: {
      readonly limit: number
      readonly levels: number
      readonly lines: boolean
      readonly open: boolean
      readonly caller: string
    },
  ) => Promise<unknown>
  readonly failed: (error: unknown, opened: OpenRequest, headers?: Readonly<Record<string, string>>) => Response
  readonly statusOf: ErrorReporting['statusOf']
}

const path = '/graphql'

/** In bytes: a document of maximum size in any characters, with its variables. */
const bodyLimit = 128 * 1024

const body = v.strictObject({
  query: v.pipe(v.string(), v.maxLength(bounds.length)),
  operationName: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  variables: v.exactOptional(v.nullable(v.looseObject({}))),
  extensions: v.exactOptional(v.nullable(v.looseObject({}))),
})

/**
 * GraphQL over HTTP for authenticated callers: one operation per request, derived from the operations with `graphql`.
 */
export function createGraphql(gateway: Gateway, wire: HttpTools): Hono {
  const app = new Hono()
  const schema = schemaOf(gateway.operations)
  if (schema === undefined) return app
  app.post(path, async (request) => {
    const call = gateway.open(request)
    try {
      const context = await authenticatedContext(request, call)
      gateway.limits.take('graphql', requesterOf(context))
      const asked = read(await wire.readBody(request.req.raw, rulesFor(context)))
      const key = request.req.header('idempotency-key')
      const telling = { statusOf: wire.statusOf, report: call.report }
      return responseOf(request, call, await answerTo(asked, schema, { context, limits: gateway.limits, key }, telling))
    } catch (error) {
      return wire.failed(error, call)
    }
  })
  app.options(path, () => new Response(null, { status: 204, headers: preflightFor('POST, OPTIONS') }))
  app.on(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'], path, (request) => {
    const refused = new EngineError('method_not_allowed', { received: request.req.method, expected: 'POST' })
    return wire.failed(refused, gateway.open(request), { Allow: 'POST, OPTIONS' })
  })
  return app
}

/** The context of an authenticated caller; throws `unauthenticated` for anonymous ones. */
async function authenticatedContext(request: Request, call: OpenRequest): Promise<Context> {
  const context = await call.authenticate(request.req.header('authorization'))
  if (context.caller.kind !== 'anonymous') return context
  call.take('public_calls')
  throw new EngineError('unauthenticated')
}

function rulesFor(context: Context) {
  return { limit: bodyLimit, levels: maxLevels, lines: false, open: false, caller: requesterOf(context) }
}

function read(given: unknown) {
  const { value, findings } = parse(body, given)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value
}

const ownType = 'application/graphql-response+json'

/** Status by GraphQL over HTTP, section 6.4: always 200 as plain JSON; 400 without data in the GraphQL media type. */
function responseOf(
  request: Request,
  { context: { requestId }, language }: Pick<OpenRequest, 'context' | 'language'>,
  told: GraphqlResponse,
): Response {
  const isOwn = (request.req.header('accept') ?? '').includes(ownType)
  const headers = {
    ...baseHeaders,
    'Content-Type': `${isOwn ? ownType : 'application/json'}; charset=utf-8`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Request-Id': requestId,
  }
  const status = isOwn && told.data === undefined ? 400 : 200
  return new Response(JSON.stringify(told), { status, headers: translated(headers, language) })
}
