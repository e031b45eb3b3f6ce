import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { EventStore } from '../../engine/index.ts'
import { matches } from '../http/headers.ts'
import { postalCodeHeader } from '../http/pass.ts'
import { requestIdFrom } from '../node/gateway.ts'
import { limitOf } from '../node/limited.ts'
import type { Limits } from '../node/limits.ts'
import type { Front } from '../node/server.ts'
import { type CachedRequest, type RequestCache, readKeyOf, tagOf } from './cached-reads.ts'

/** What the front needs of a server. */
export interface FrontOptions {
  readonly reads: RequestCache
  readonly store: Pick<EventStore, 'latest'>
  readonly limits: Pick<Limits, 'hasToken' | 'take' | 'sourceOf'>
  readonly randomId: () => string
  /** Reports a response at its end, by the path of its route and the id of its request. */
  readonly observe: (exchange: HttpBindings, path: string, requestId: string) => void
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Milliseconds that an entity tag is known to be current while nothing is recorded: who has a number may depend on the time. */
const tagTime = 1_000

/** An entity tag, up to which event it is current, and until when. */
interface KnownTag {
  readonly tag: string
  readonly latest: string | undefined
  readonly until: number
}

/** Request headers that may change who asks, or what is asked; the router reads them. */
const others = ['authorization', postalCodeHeader.toLowerCase(), 'content-length', 'transfer-encoding', 'expect']

/**
 * Answers a repeated public GET without the router, if nothing has changed: with the response that it got before, or
 * with 304. Everything else, refusals included, is handed on.
 */
export function createFront({ reads, store, limits, randomId, observe, headers: always }: FrontOptions): Front {
  const tags = new WeakMap<CachedRequest, KnownTag>()

  /** The current entity tag. The end of the store is read first, so that what is recorded meanwhile is looked at again. */
  async function currentTag(read: CachedRequest): Promise<string> {
    const latest = await store.latest()
    const known = tags.get(read)
    const now = performance.now()
    if (known !== undefined && known.latest === latest && now < known.until) return known.tag
    const tag = tagOf(await read.version(), read)
    tags.set(read, { tag, latest, until: now + tagTime })
    return tag
  }

  function answer(read: CachedRequest, tag: string, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { headers, socket } = incoming
    const isKnown = matches(headers['if-none-match'], tag)
    const finished = finishedAt(read, tag)
    if (!isKnown && finished === undefined) return false
    const source = limits.sourceOf(socket.remoteAddress, (name) => headers[name] as string | undefined)
    const limit = limitOf(read.operation)
    // The router refuses, and counts that.
    if (!limits.hasToken('misses', source) || !limits.hasToken(limit, source)) return false
    limits.take(limit, source)
    const id = requestIdFrom(headers['x-request-id'] as string | undefined, randomId)
    observe({ incoming, outgoing }, read.path, id)
    const own = { ETag: tag, 'X-Request-Id': id, ...read.headers, ...always }
    if (isKnown || finished === undefined) outgoing.writeHead(304, own).end()
    else {
      const { type, body } = finished
      outgoing.writeHead(200, { ...own, 'Content-Type': type, 'Content-Length': body.byteLength }).end(body)
    }
    return true
  }

  return (incoming, outgoing, otherwise) => {
    const read = isPlain(incoming) ? reads.get(readKeyOf(incoming.url ?? '', incoming.headers.accept)) : undefined
    if (read === undefined || read.operation.scopes.length > 0) return otherwise(incoming, outgoing)
    currentTag(read).then(
      (tag) => answer(read, tag, incoming, outgoing) || otherwise(incoming, outgoing),
      () => otherwise(incoming, outgoing),
    )
  }
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && others.every((name) => headers[name] === undefined)
}

/** The last response, if it has this tag and is at hand as a whole. */
function finishedAt({ finished }: CachedRequest, tag: string) {
  if (finished?.tag !== tag || !(finished.body instanceof Uint8Array)) return undefined
  return { type: finished.type, body: finished.body }
}
