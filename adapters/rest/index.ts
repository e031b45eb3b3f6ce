import { Hono, type Context as Request } from 'hono'
import {
  type Answer,
  authorize,
  type Context,
  EngineError,
  excerptOf,
  isWriting,
  moduleRow,
  modules,
  type Projection,
  perform,
} from '../../engine/index.ts'
import { preflightFor } from '../http/cross-origin.ts'
import { baseHeaders } from '../http/headers.ts'
import { jsonPieces } from '../http/json-pieces.ts'
import { translated } from '../http/language.ts'
import { restResourceOf } from '../http/oauth.ts'
import { viewHeaders } from '../http/pass.ts'
import { type JsonSchema, jsonSchemaOf } from '../http/schema.ts'
import { inEach } from '../locales/catalogue.ts'
import { type Gateway, type OpenRequest, recognize } from '../node/gateway.ts'
import { countCall, limitOf, lookUp, requesterOf } from '../node/limited.ts'
import { longRead } from '../node/long-read.ts'
import { once } from '../node/once.ts'
import { createReader, createRequestCache, type RequestCache } from './cached-reads.ts'
import { csvBody, csvHeaders } from './csv.ts'
import { streamFeed } from './feed.ts'
import { filePath, fileResponse } from './files.ts'
import { redirectToTimeline } from './identifier.ts'
import { inputOf } from './input.ts'
import { joinedResponse } from './joined.ts'
import { bodyWithinHeap, inTurn } from './large-calls.ts'
import { negotiateRequest, type Respond, type Route } from './negotiated-request.ts'
import { fileRoute, identifierRoute, streamRoute } from './other-routes.ts'
import { checkQuery, namesIn } from './query.ts'
import { errorResponse, jsonType, publicHeaders } from './respond.ts'
import { honoPath, isVersioned, methodsOf, type Routed, routed, takesIdempotencyKey } from './routed.ts'
import { formerThings, redirectToThings } from './sensorthings/former.ts'
import { statusOf } from './status.ts'
import { streamTimeline } from './stream.ts'
import { type Body, bodyOf } from './text.ts'

/** Published documents by path, built on first request. */
type Published = Readonly<Record<string, () => Promise<object>>>

/** The REST interface: a route for each operation that has one, the live stream, and the published documents. */
export function createRest(gateway: Gateway, more: Published = {}, reads = createRequestCache()): Hono {
  const app = new Hono()
  app.get(formerThings, redirectToThings)
  const operations = routed(gateway.operations)
  for (const operation of operations) mount(app, gateway, operation, reads)
  const stream = '/api/v1/otep/trackings/:tracking_number/stream'
  const feed = '/api/v1/otep/feed'
  const identifier = '/id/:kind/:value'
  const open = [
    [stream, streamRoute, streamTimeline],
    [identifier, identifierRoute, redirectToTimeline],
    [filePath, fileRoute, fileResponse],
  ] as const
  for (const [path, route, answer] of open)
    app.get(path, (request) =>
      handle(request, gateway, publicHeaders, (call) =>
        openly(request, call, gateway, namesIn(route), () => answer(request, call)),
      ),
    )
  app.get(feed, (request) => handle(request, gateway, publicHeaders, (call) => streamFeed(request, call)))
  const published: Published = {
    '/openapi.json': async () =>
      (await import('./openapi.ts')).openapi(gateway.operations, gateway.version, gateway.formats, gateway.profiles),
    '/api/otep-guide/codebook.json': async () => (await import('./guide.ts')).codebook(gateway.profiles),
    '/api/otep-guide/schema.json': async () => (await import('./guide.ts')).timelineJsonSchema(),
    ...more,
  }
  for (const [path, make] of Object.entries(published)) publish(app, gateway, path, make)
  const methods = new Map<string, string[]>(
    [stream, feed, identifier, filePath, ...Object.keys(published)].map((path) => [path, ['GET', 'HEAD']]),
  )
  for (const { rest } of operations)
    methods.set(honoPath(rest.path), [...(methods.get(honoPath(rest.path)) ?? []), ...methodsOf(rest)])
  for (const [path, verbs] of methods) refuseOthers(app, gateway, path, verbs)
  refuseUnbuiltFamilies(app, gateway)
  return app
}

/** Answers for every path of an opt-in family that does not exist yet, to anyone, as for one that is switched off. */
function refuseUnbuiltFamilies(app: Hono, gateway: Gateway): void {
  for (const module of modules) {
    const { isBuilt, optInPath } = moduleRow(module)
    if (isBuilt || optInPath === undefined) continue
    app.all(`${optInPath}/*`, (request) =>
      handle(request, gateway, publicHeaders, (call) => {
        call.take('public_reads')
        throw new EngineError('feature_disabled', { module })
      }),
    )
  }
}

/** Answers a public lookup that is not an operation. */
async function openly(
  request: Request,
  call: OpenRequest,
  { limits }: Gateway,
  names: readonly string[],
  answer: () => Promise<Response>,
): Promise<Response> {
  call.take('public_reads')
  checkQuery(request, names)
  await recognize(call, request, undefined, restResourceOf(call.context.baseUrl))
  return lookUp(limits, call.context, answer)
}

function mount(app: Hono, gateway: Gateway, operation: Routed, reads: RequestCache): void {
  const { rest, scopes } = operation
  const isPublic = scopes.length === 0
  const shared = {
    ...(isPublic ? publicHeaders : {}),
    ...varyOf(operation),
  }
  const route = {
    operation,
    schema: inputSchemaOf(operation),
    headers: { ...shared, 'Cache-Control': (isPublic ? rest.cache : undefined) ?? 'no-store' },
    bodyLimit: Math.min(
      bodyWithinHeap(rest.bodyLimit ?? smallBody),
      isPublic ? gateway.publicBodyLimit : Number.POSITIVE_INFINITY,
    ),
  }
  const answer = isVersioned(operation)
    ? createReader({ ...route, operation }, reads, gateway.longReads)
    : createCaller(route, gateway)
  const { limits } = gateway
  const limit = limitOf(operation)
  app.on(rest.method, honoPath(rest.path), (request) =>
    handle(
      request,
      gateway,
      shared,
      async (call) => {
        if (isPublic) {
          call.take(limit)
          if (operation.hasViews) await recognize(call, request, operation, restResourceOf(call.context.baseUrl))
          return lookUp(limits, call.context, () => answer(request, call.context, call.language))
        }
        const context = await call.authenticate(
          request.req.header('authorization'),
          restResourceOf(call.context.baseUrl),
        )
        countCall(limits, operation, context)
        authorize(context, operation)
        return answer(request, context, call.language)
      },
      rest.bare === true ? gateway.formats.find(({ name }) => name === request.req.param('format')) : undefined,
    ),
  )
}

/** `Vary` of an operation: the request headers that choose among its answers. */
function varyOf({ rest, hasViews }: Routed): { readonly Vary?: string } {
  const headers = [...(rest.formats === undefined ? [] : ['Accept']), ...(hasViews ? [viewHeaders] : [])]
  return headers.length === 0 ? {} : { Vary: headers.join(', ') }
}

function inputSchemaOf({ input }: Routed): () => JsonSchema {
  let schema: JsonSchema | undefined
  return () => {
    schema ??= jsonSchemaOf(input)
    return schema
  }
}

/** Largest body in bytes of an operation that does not say. */
const smallBody = 64 * 1024

/** Answers an operation without a cache. */
function createCaller({ operation, schema, headers, bodyLimit }: Route, { largeCalls, longReads }: Gateway): Respond {
  const own = { 'Content-Type': jsonType, ...baseHeaders, ...headers }
  const headersIn = inEach((language) => translated(own, language))

  async function answerOf(request: Request, context: Context, turn: () => Promise<void>, onReplay: () => void) {
    const { formats } = context
    const given = await inputOf(request, operation, schema(), { formats, bodyLimit, who: requesterOf(context), turn })
    const { input, wanted } = negotiateRequest(request, operation, context, given)
    if (isWriting(operation)) return toldAs(await performRouted(operation, context, input, request, onReplay), context)
    const read = longRead(longReads, context)
    const { csv } = operation.rest
    if (csv !== undefined) {
      const ask = (more: object) =>
        performRouted(operation, read.context, Object.assign({}, input, more), request, onReplay)
      return { status: 200, body: await csvBody(csv, ask, context.pause, read.end), headers: csvHeaders(csv) }
    }
    const { representation } = wanted
    if (representation === undefined) {
      return toldAs(await performRouted(operation, read.context, input, request, onReplay).finally(read.end), context)
    }
    return joinedResponse(operation, read, input, { ...wanted, representation })
  }

  return async (request, context, language) => {
    let replayed: Readonly<Record<string, string>> = {}
    const { body, status, ...more } = await inTurn(largeCalls, context, (turn) =>
      answerOf(request, context, turn, () => {
        replayed = { 'Idempotency-Replayed': 'true' }
      }),
    )
    // The id comes first: members after a spread take V8 five times as long.
    const own = { 'X-Request-Id': context.requestId, ...headersIn(language) }
    const told = Object.assign(own, echoedHeaders(request, operation.rest), replayed, more.headers)
    return new Response(body, { status, headers: told })
  }
}

/** The parts of a response that depend on the answer. */
interface Told {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
}

/** An answer as JSON; a refusal has the status of its code. */
async function toldAs(answer: Answer, { pause }: Context): Promise<Told> {
  const isRefused = answer.result === false && typeof answer.code === 'string'
  const status = isRefused ? statusOf(answer.code as Parameters<typeof statusOf>[0]) : 200
  return { status, body: await bodyOf(jsonPieces(answer), pause), headers: {} }
}

/** The only place that performs a validated operation. */
function performRouted(
  operation: Routed,
  context: Context,
  input: unknown,
  request: Request,
  onReplay: () => void,
): Promise<Answer> {
  const key = takesIdempotencyKey(operation) ? idempotencyKeyOf(request) : undefined
  return perform(operation, context, input, key, onReplay)
}

/** The idempotency key: 1 to 255 visible ASCII characters. */
function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.req.header('idempotency-key')
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return key
  const params = { field: 'Idempotency-Key', received: excerptOf(key), expected: '[!-~]{1,255}' }
  throw new EngineError('header_not_accepted', params)
}

/** Response headers that repeat request headers. */
function echoedHeaders(request: Request, { echoed: names = {} }: Routed['rest']): Record<string, string> {
  const headers = Object.entries(names).map(
    ([name, otherwise]) => [name, request.req.header(name) ?? otherwise] as const,
  )
  return Object.fromEntries(headers.filter(([, value]) => value !== ''))
}

/** Runs a handler and turns errors into error responses, in the form of the standard that a request is `of`. */
async function handle(
  request: Request,
  gateway: Gateway,
  headers: Readonly<Record<string, string>>,
  handle: (call: OpenRequest) => Promise<Response>,
  of?: Projection,
): Promise<Response> {
  const call = gateway.open(request)
  try {
    return await handle(call)
  } catch (error) {
    return errorResponse(error, call, headers, of)
  }
}

function publish(app: Hono, gateway: Gateway, path: string, make: () => Promise<object>): void {
  const body = once(async () => JSON.stringify(await make()))
  const headers = {
    'Content-Type': jsonType,
    ...baseHeaders,
    ...publicHeaders,
    'Cache-Control': 'public, max-age=300',
  }
  app.get(path, (request) =>
    handle(request, gateway, publicHeaders, async (call) => {
      call.take('public_reads')
      checkQuery(request, [])
      return new Response(await body(), { headers })
    }),
  )
}

function refuseOthers(app: Hono, gateway: Gateway, path: string, verbs: readonly string[]): void {
  const allowed = [...new Set([...verbs, 'OPTIONS'])]
  const allow = allowed.join(', ')
  app.options(path, () => new Response(null, { status: 204, headers: preflightFor(allow) }))
  app.all(path, (request) =>
    handle(request, gateway, { Allow: allow }, (call) => {
      call.take('public_calls')
      throw new EngineError('method_not_allowed', { received: request.req.method, expected: allow })
    }),
  )
}
