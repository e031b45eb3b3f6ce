import { Hono, type Context as Request } from 'hono'
import {
  type Answer,
  admit,
  type Caller,
  EngineError,
  findTimeline,
  isObject,
  requireScopes,
} from '../../engine/index.ts'
import { segment } from '../../projections/shared/subject.ts'
import type { Door, Entered } from '../door.ts'
import { baseHeaders, matches } from '../http.ts'
import { type Negotiated, negotiate } from '../negotiate.ts'
import { coerced, type JsonSchema, jsonSchemaOf } from '../schema.ts'
import { readBody } from './body.ts'
import { codebook, timelineJsonSchema } from './guide.ts'
import { openapi, type Routed, routed } from './openapi.ts'
import { failed, json, publicHeaders } from './respond.ts'
import { statusOf } from './status.ts'
import { streamTimeline } from './stream.ts'

const smallBody = 64 * 1024

/** The REST interface: a route for each operation that has one, the live stream, and what is published about them. */
export function createRest(door: Door): Hono {
  const app = new Hono()
  const operations = routed(door.operations)
  for (const operation of operations) mount(app, door, operation)
  const stream = '/api/v1/otep/trackings/:tracking_number/stream'
  const identifier = '/id/:kind/:value'
  app.get(stream, (request) => guarded(request, door, publicHeaders, (call) => streamTimeline(request, call)))
  app.get(identifier, (request) => guarded(request, door, publicHeaders, (call) => seeTimeline(request, call)))
  const published = {
    '/openapi.json': openapi(door.operations, door.version, door.formats),
    '/api/otep-guide/codebook.json': codebook(door.profiles),
    '/api/otep-guide/schema.json': timelineJsonSchema(),
  }
  for (const [path, document] of Object.entries(published)) publish(app, path, document)
  const methods = new Map<string, string[]>(
    [stream, identifier, ...Object.keys(published)].map((path) => [path, ['GET', 'HEAD']]),
  )
  for (const { rest } of operations)
    methods.set(honoPath(rest.path), [...(methods.get(honoPath(rest.path)) ?? []), ...allowed(rest.method)])
  for (const [path, verbs] of methods) refuseOthers(app, door, path, verbs)
  return app
}

/** The URI of an identifier, as documents of other formats have it, leads to its timeline. */
async function seeTimeline(request: Request, { context }: Entered): Promise<Response> {
  const { kind = '', value = '' } = request.req.param()
  const name = await findTimeline(context, kind, value)
  const headers = {
    ...baseHeaders,
    ...publicHeaders,
    Location: `${context.baseUrl}/api/v1/otep/trackings/${segment(name)}`,
  }
  return new Response(null, { status: 303, headers })
}

function mount(app: Hono, door: Door, operation: Routed): void {
  const { rest, scopes } = operation
  const schema = jsonSchemaOf(operation.input)
  const shared = {
    ...(scopes.length === 0 ? publicHeaders : {}),
    ...(rest.formats === undefined ? {} : { Vary: 'Accept' }),
  }
  app.on(rest.method, honoPath(rest.path), (request) =>
    guarded(request, door, shared, async (call) => {
      const context = scopes.length === 0 ? call.context : await call.authenticated(request.req.header('authorization'))
      requireScopes(context, scopes)
      const given = await inputOf(request, operation, schema, context.caller)
      const wanted = rest.formats === undefined ? plain : negotiated(request, door, given, rest.formats)
      const input = admit(operation, context, wanted.format === undefined ? given : withFormat(given, wanted.format))
      const headers = {
        ...shared,
        'X-Request-Id': context.requestId,
        'Cache-Control': rest.cache ?? 'no-store',
      }
      const answered = async (more: Readonly<Record<string, string>>) =>
        written(
          await operation.handle(context, input),
          { ...headers, ...echoed(request, rest), ...more },
          wanted,
          operation,
          door,
        )
      if (operation.version === undefined) return answered({})
      const tag = `"${await operation.version(context, input)}-${wanted.place}"`
      if (matches(request.req.header('if-none-match'), tag)) {
        return new Response(null, { status: 304, headers: { ...baseHeaders, ...headers, ETag: tag } })
      }
      return answered({ ETag: tag })
    }),
  )
}

const plain: Negotiated = { type: 'application/json', place: 0 }

/** What `Accept` and the `format` of the input choose together. */
function negotiated(request: Request, { formats }: Door, given: unknown, kind: 'one' | 'many'): Negotiated {
  const format = isObject(given) ? given.format : undefined
  const named = typeof format === 'string' ? format : undefined
  return negotiate(formats, request.req.header('accept'), { named, kind })
}

function withFormat(given: unknown, format: string): unknown {
  return isObject(given) ? { ...given, format } : given
}

/** An answer in its envelope, or the bare document where that is wanted, or what the operation always gives. */
async function written(
  body: Answer,
  headers: Readonly<Record<string, string>>,
  { representation, type }: Negotiated,
  { rest }: Routed,
  { formats }: Door,
): Promise<Response> {
  if (rest.bare === true) {
    const of = formats.find(({ name }) => name === body.format)
    const mediaType = of?.representations[0]?.mediaType ?? 'application/json'
    return new Response(JSON.stringify(body.data), {
      headers: { ...baseHeaders, ...headers, 'Content-Type': mediaType },
    })
  }
  if (representation === undefined) return answer(body, headers)
  const text = await representation.write(body.data)
  return new Response(text, { headers: { ...baseHeaders, ...headers, 'Content-Type': type } })
}

function answer(body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>>): Response {
  const refused = body.result === false && typeof body.code === 'string'
  return json(refused ? statusOf(body.code as Parameters<typeof statusOf>[0]) : 200, body, headers)
}

async function inputOf(
  request: Request,
  { rest, scopes }: Routed,
  schema: JsonSchema,
  caller: Caller,
): Promise<unknown> {
  const params = request.req.param() as Record<string, string>
  if (rest.method === 'GET') return { ...coerced(schema, request.req.query()), ...params }
  const query = request.req.query()
  refuseElsewhere(query, rest)
  const around = { ...coerced(schema, query), ...headersOf(request, rest), ...params }
  const body = await readBody(request.req.raw, {
    limit: rest.bodyLimit ?? smallBody,
    lines: rest.lines === true,
    open: scopes.length === 0,
    caller: `${caller.kind}:${caller.name}`,
    ...(rest.types && { types: rest.types }),
    ...(rest.cut && around[rest.cut.where[0]] === rest.cut.where[1] && { cut: rest.cut }),
  })
  if (rest.document !== undefined) return { ...around, [rest.document]: body }
  return isObject(body) ? { ...around, ...body, ...params } : body
}

/** What is a header or the body is not taken from the query. */
function refuseElsewhere(query: Readonly<Record<string, string>>, { headers = {}, document }: Routed['rest']): void {
  const names = Object.keys(query).filter((name) => name === document || Object.hasOwn(headers, name))
  if (names.length === 0) return
  const findings = names.map((path) => ({ path, code: 'unknown_field', params: { field: path } }) as const)
  throw new EngineError('invalid_input', { count: names.length }, findings)
}

/** The members of the input that are headers of the request. */
function headersOf(request: Request, { headers = {} }: Routed['rest']): Record<string, unknown> {
  const given = Object.entries(headers).map(([member, name]) => [member, request.req.header(name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The headers of the answer that repeat those of the request. */
function echoed(request: Request, { echoed: names = {} }: Routed['rest']): Record<string, string> {
  const headers = Object.entries(names).map(
    ([name, otherwise]) => [name, request.req.header(name) ?? otherwise] as const,
  )
  return Object.fromEntries(headers.filter(([, value]) => value !== ''))
}

/** Runs a handler, and turns what it throws into the envelope of a refusal. */
async function guarded(
  request: Request,
  door: Door,
  headers: Readonly<Record<string, string>>,
  handle: (call: ReturnType<Door['enter']>) => Promise<Response>,
): Promise<Response> {
  const call = door.enter(request)
  try {
    return await handle(call)
  } catch (error) {
    return failed(error, call, headers)
  }
}

function publish(app: Hono, path: string, document: object): void {
  const body = JSON.stringify(document)
  app.get(
    path,
    () =>
      new Response(body, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          ...baseHeaders,
          ...publicHeaders,
          'Cache-Control': 'public, max-age=300',
        },
      }),
  )
}

function refuseOthers(app: Hono, door: Door, path: string, verbs: readonly string[]): void {
  const allow = [...new Set([...verbs, 'OPTIONS'])].join(', ')
  app.options(
    path,
    () =>
      new Response(null, {
        status: 204,
        headers: { ...preflight, Allow: allow, 'Access-Control-Allow-Methods': allow },
      }),
  )
  app.all(path, (request) =>
    guarded(request, door, { Allow: allow }, () => {
      throw new EngineError('method_not_allowed', { received: request.req.method, expected: allow })
    }),
  )
}

const preflight: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Accept, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

function allowed(method: 'GET' | 'POST'): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : ['POST']
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\.\.\.\}/g, ':$1{[\\s\\S]+}').replace(/\{(\w+)\}/g, ':$1')
}
