import type { GraphQLFormattedError } from 'graphql'
import { Hono, type Context as Request } from 'hono'
import * as v from 'valibot'
import { type Context, EngineError, isObject, parse } from '../../engine/index.ts'
import { preflightFor } from '../http/cross-origin.ts'
import { baseHeaders } from '../http/headers.ts'
import { maxLevels } from '../http/json.ts'
import { translated } from '../http/language.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { requesterOf } from '../node/limited.ts'
import { bounds } from './bounds.ts'
import { answerTo, type ErrorReporting, formatError, type GraphqlResponse } from './execute.ts'
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
  const refused = (error: unknown, request: Request, call: OpenRequest, more?: Readonly<Record<string, string>>) => {
    // What nobody expected is reported by `failed`.
    const telling = { statusOf: wire.statusOf, report: () => {} }
    const known = error instanceof Error ? error : new EngineError('internal', { request: call.context.requestId })
    return refusalOf(request, wire.failed(error, call, more), formatError(known, call.context, telling))
  }
  app.post(path, async (request) => {
    const call = gateway.open(request)
    try {
      const context = await authenticatedContext(request, call)
      gateway.limits.take('graphql', requesterOf(context))
      const given = await wire.readBody(request.req.raw, rulesFor(context))
      if (isPersisted(given)) return responseOf(request, call, { errors: [notPersisted] })
      const asked = read(given)
      const key = request.req.header('idempotency-key')
      const telling = { statusOf: wire.statusOf, report: call.report }
      return responseOf(request, call, await answerTo(asked, schema, { context, limits: gateway.limits, key }, telling))
    } catch (error) {
      return refused(error, request, call)
    }
  })
  app.options(path, () => new Response(null, { status: 204, headers: preflightFor('POST, OPTIONS') }))
  app.on(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'], path, (request) => {
    const error = new EngineError('method_not_allowed', { received: request.req.method, expected: 'POST' })
    return refused(error, request, gateway.open(request), { Allow: 'POST, OPTIONS' })
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

/** Whether a request has the hash of a document in place of the document; clients then send the document itself, if told so. */
function isPersisted(given: unknown): boolean {
  const { query, extensions } = isObject(given) ? given : {}
  return query === undefined && isObject(extensions) && extensions.persistedQuery !== undefined
}

/** The error by which clients know that documents are not kept here. */
const notPersisted: GraphQLFormattedError = {
  message: 'PersistedQueryNotSupported',
  extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
}

function read(given: unknown) {
  const { value, findings } = parse(body, given)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value
}

const ownType = 'application/graphql-response+json'

function typeFor(request: Request): string {
  const isOwn = (request.req.header('accept') ?? '').includes(ownType)
  return `${isOwn ? ownType : 'application/json'}; charset=utf-8`
}

/** A refusal of the whole request, with its status and in the shape of all answers (GraphQL over HTTP, section 6.4). */
function refusalOf(request: Request, { status, headers }: Response, error: GraphQLFormattedError): Response {
  const told = new Headers(headers)
  told.set('Content-Type', typeFor(request))
  told.delete('Content-Length')
  return new Response(JSON.stringify({ errors: [error] } satisfies GraphqlResponse), { status, headers: told })
}

/** Status by GraphQL over HTTP, section 6.4: always 200 as plain JSON; 400 without data in the GraphQL media type. */
function responseOf(
  request: Request,
  { context: { requestId }, language }: Pick<OpenRequest, 'context' | 'language'>,
  told: GraphqlResponse,
): Response {
  const type = typeFor(request)
  const headers = {
    ...baseHeaders,
    'Content-Type': type,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Request-Id': requestId,
  }
  const status = type.startsWith(ownType) && told.data === undefined ? 400 : 200
  return new Response(JSON.stringify(told), { status, headers: translated(headers, language) })
}
