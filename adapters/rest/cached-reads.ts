import type { HttpBindings } from '@hono/node-server'
import type { Context as Request } from 'hono'
import type { AnswerVersion, Context, Held, Text } from '../../engine/index.ts'
import { baseHeaders, matches } from '../http/headers.ts'
import { jsonPieces } from '../http/json-pieces.ts'
import { isPersonal } from '../http/pass.ts'
import { createRecentCache, type RecentCache } from '../http/recent-cache.ts'
import type { FairQueue } from '../node/fair-queue.ts'
import { type LongRead, longRead } from '../node/long-read.ts'
import type { CachedRequest, FinishedAnswer, RouteParts } from './cached-request.ts'
import { queryOf } from './input.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { type NegotiatedRequest, negotiateRequest, type Respond, type Route } from './negotiated-request.ts'
import { jsonType } from './respond.ts'
import { honoPath, type Versioned } from './routed.ts'
import { bodyOf } from './text.ts'

/** Recent requests: a repeated one is not validated again and gets the same response while it is current. */
export interface RequestCache extends RecentCache<CachedRequest> {
  /** The routes by the names of their operations. */
  readonly routes: Map<string, RouteParts>
  readonly kept: KeptAnswers | undefined
  held(): Held
}

/** The most bytes of cached requests. */
const most = 64 * 1024 * 1024

/** Memory of a cached request besides its key and response, in bytes. */
const requestOverhead = 2_048

/** Caches a request with its whole response. */
export function cacheWhole(reads: RequestCache, name: string, read: CachedRequest, body: Uint8Array): void {
  reads.set(name, read, requestOverhead + name.length + body.byteLength)
}

/** Creates the cache for one history of the store. Erased data is gone after a minute. */
export function createRequestCache(kept?: KeptAnswers): RequestCache {
  const cache = createRecentCache<CachedRequest>({ bytes: most, ms: 30_000 })
  const held = () => ({ structure: 'answers', bytes: cache.bytes(), most })
  return { ...cache, routes: new Map(), kept, held }
}

/**
 * Answers a reading operation: 304 if the caller has the current response, and from the cache if nothing has changed.
 */
export function createReader(
  { operation, schema, headers: others }: Route<Versioned>,
  reads: RequestCache,
  queue: FairQueue,
): Respond {
  const headers = { ...baseHeaders, ...others }
  const path = honoPath(operation.rest.path)
  reads.routes.set(operation.name, { operation, path, headers })
  const privateHeaders = { ...headers, 'Cache-Control': 'private, no-cache' }

  function readOf(request: Request, context: Context): CachedRequest {
    const asked = negotiateRequest(request, operation, context, queryOf(request, operation, schema(), context))
    return { ...asked, version: operation.version(context, asked.input), operation, path, headers }
  }

  /** Builds the current response; caches it if it is complete. */
  async function finish(name: string, read: CachedRequest, tag: string, context: Context) {
    const finished = { tag, ...(await answerNow(operation, longRead(queue, context), read)) }
    const { body } = finished
    if (body instanceof Uint8Array) cacheWhole(reads, name, { ...read, finished }, body)
    return finished
  }

  /** Answers a caller who may see more than the public, without the cache. */
  async function answerPrivately(request: Request, context: Context): Promise<Response> {
    const read = readOf(request, context)
    const ETag = tagOf(await read.version(context), read)
    const own = { ...privateHeaders, ETag, 'X-Request-Id': context.requestId }
    if (matches(request.req.header('if-none-match'), ETag)) return new Response(null, { status: 304, headers: own })
    return responseOf(request, await answerNow(operation, longRead(queue, context), read), own)
  }

  return async (request, context) => {
    if (operation.hasViews === true && isPersonal(context)) return answerPrivately(request, context)
    const name = cacheKeyOf(request)
    const known = reads.get(name)
    const read = known ?? readOf(request, context)
    const since = reads.kept?.count()
    const version = await read.version(context)
    const ETag = tagOf(version, read)
    const own = { ETag, 'X-Request-Id': context.requestId }
    if (matches(request.req.header('if-none-match'), ETag)) {
      if (known === undefined) reads.set(name, read, requestOverhead + name.length)
      return new Response(null, { status: 304, headers: Object.assign(own, headers) })
    }
    if (read.finished?.tag === ETag) return responseOf(request, read.finished, Object.assign(own, headers))
    const finished = await finish(name, read, ETag, context)
    const { body } = finished
    if (body instanceof Uint8Array)
      reads.kept?.keep({ address: addressOf(request), request: read, version, since, tag: ETag, body })
    return responseOf(request, finished, Object.assign(own, headers))
  }
}

async function responseOf({ req }: Request, { body, type }: Omit<FinishedAnswer, 'tag'>, headers: object) {
  const own = { headers: Object.assign({ 'Content-Type': type }, headers) }
  if (req.method !== 'HEAD' || body instanceof Uint8Array) return new Response(body, own)
  // The router drops the body of such a response, but would not end a stream.
  await body.cancel()
  return new Response(null, own)
}

/** The entity tag of a version in the form that was asked for. */
export function tagOf({ text }: AnswerVersion, { wanted }: NegotiatedRequest): string {
  return `"${text}-${wanted.place}"`
}

function cacheKeyOf(request: Request): string {
  return readKeyOf(addressOf(request), request.req.header('accept'))
}

function addressOf({ req, env }: Request): string {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>
  return incoming?.url ?? req.url
}

/** Everything that the response to the public depends on. The address is the one on the wire, which a parser may change. */
export function readKeyOf(address: string, accept: string | undefined): string {
  // An address has no space.
  return accept === undefined ? address : `${address} ${accept}`
}

/** The current response: in its envelope, as the bare document if wanted, or as the operation always answers. */
async function answerNow(
  operation: Versioned,
  { context, end }: LongRead,
  { input, wanted: { representation, type } }: NegotiatedRequest,
): Promise<Omit<FinishedAnswer, 'tag'>> {
  const bodyWith = (pieces: Text) => bodyOf(pieces, context.pause, end)
  try {
    const text = await operation.text?.(context, input, representation)
    if (text !== undefined) {
      return { type: representation === undefined ? jsonType : type, body: await bodyWith(text) }
    }
    const answer = await operation.handle(context, input)
    if (operation.rest.bare !== true) return { type: jsonType, body: await bodyWith(jsonPieces(answer)) }
    const of = context.formats.find(({ name }) => name === answer.format)
    const mediaType = of?.representations[0]?.mediaType ?? 'application/json'
    return { type: mediaType, body: await bodyWith(jsonPieces(answer.data)) }
  } catch (error) {
    end()
    throw error
  }
}
