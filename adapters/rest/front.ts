import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnswerVersion, type EventStore, otepTracking, type Storage } from '../../engine/index.ts'
import { matches } from '../http/headers.ts'
import { postalCodeHeader } from '../http/pass.ts'
import { requestIdFrom } from '../node/gateway.ts'
import { limitOf } from '../node/limited.ts'
import type { Limits, RateName } from '../node/limits.ts'
import type { Front, ObserveAnswers, ReportAnswer } from '../node/server.ts'
import { cacheWhole, type RequestCache, readKeyOf, tagOf } from './cached-reads.ts'
import type { CachedRequest } from './cached-request.ts'
import { jsonType } from './respond.ts'

/** What the front needs of a server. */
export interface FrontOptions {
  readonly reads: RequestCache
  readonly store: Pick<EventStore, 'latest'>
  readonly growth: Storage['growth']
  readonly limits: Pick<Limits, 'hasToken' | 'tryTake' | 'sourceOf'>
  readonly randomId: () => string
  /** Reports the responses of a route, by its path. */
  readonly observe: ObserveAnswers
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Milliseconds that a tag is known to be current if it is not known on which streams it depends, and nothing is recorded. */
const tagTime = 1_000

/** An entity tag with all that is needed to answer under it. */
interface Known {
  readonly tag: string
  readonly streams: AnswerVersion['streams']
  /** The count of growth at which it was current; -1 if that is unknown. */
  since: number
  /** The end of the store at which it was current, and until when. */
  readonly latest: string | undefined
  readonly until: number
  readonly limit: RateName
  readonly report: ReportAnswer
  readonly unchanged: Head
  /** Head and bytes of the whole answer; undefined if that is not at hand. */
  readonly whole: { readonly head: Head; readonly body: Uint8Array } | undefined
}

/** The headers of a response; the id of the request is set for each one. */
interface Head extends Record<string, string> {
  'x-request-id': string
}

/**
 * Answers a repeated public GET without the router, if nothing has changed: with the response that it got before, or
 * with 304. Everything else, refusals included, is handed on.
 */
export function createFront(options: FrontOptions): Front {
  const { reads, store, growth } = options
  const answer = createSending(options)
  const parts = { observe: options.observe, headsOf: createHeads(options.headers) }
  const all = new WeakMap<CachedRequest, Known>()

  /** What is known of a request, if none of the streams on which it depends has grown since. */
  function standing(read: CachedRequest): Known | undefined {
    const known = all.get(read)
    if (known?.streams === undefined) return undefined
    const count = growth?.count()
    if (count === undefined || growth?.hasGrown(known.streams, known.since) !== false) return undefined
    known.since = count
    return known
  }

  /** The current state. The end of the store is read first, so that what is recorded meanwhile is looked at again. */
  async function current(read: CachedRequest): Promise<Known> {
    const before = growth?.count()
    const latest = await store.latest()
    const known = all.get(read)
    const now = performance.now()
    if (known !== undefined && known.latest === latest && now < known.until) return known
    const version = await read.version()
    const since = growth?.count() === before ? before : undefined
    const tag = tagOf(version, read)
    const state = knownOf(read, { tag, streams: version.streams, since, latest, until: now + tagTime }, parts)
    all.set(read, state)
    return state
  }

  /** A request whose answer was kept, as if it had been read before. */
  function keptRead(name: string, { url = '', headers }: IncomingMessage): CachedRequest | undefined {
    const route = reads.routes.get(otepTracking.name)
    const found = route && reads.kept?.find(url, headers.accept)
    if (found === undefined) return undefined
    const { tag, streams, since, body } = found
    const read = { ...route, ...found.request, finished: { tag, type: jsonType, body } } as CachedRequest
    cacheWhole(reads, name, read, body)
    all.set(read, knownOf(read, { tag, streams, since, latest: undefined, until: Number.NEGATIVE_INFINITY }, parts))
    return read
  }

  return (incoming, outgoing, otherwise) => {
    if (!isPlain(incoming)) return otherwise(incoming, outgoing)
    const name = readKeyOf(incoming.url ?? '', incoming.headers.accept)
    const read = reads.get(name) ?? keptRead(name, incoming)
    if (read === undefined || read.operation.scopes.length > 0) return otherwise(incoming, outgoing)
    const known = standing(read)
    if (known !== undefined) return answer(known, incoming, outgoing) || otherwise(incoming, outgoing)
    current(read).then(
      (found) => answer(found, incoming, outgoing) || otherwise(incoming, outgoing),
      () => otherwise(incoming, outgoing),
    )
  }
}

/** Creates the function that sends a known answer; it returns false where the router has to answer. */
function createSending({ limits, randomId }: FrontOptions) {
  return (known: Known, incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const { headers, socket } = incoming
    const isKnown = matches(headers['if-none-match'], known.tag)
    const { whole, limit } = known
    if (!isKnown && whole === undefined) return false
    const source = limits.sourceOf(socket.remoteAddress, (name) => headers[name] as string | undefined)
    // The router refuses, and counts that.
    if (!limits.hasToken('misses', source) || !limits.tryTake(limit, source)) return false
    const id = requestIdFrom(headers['x-request-id'] as string | undefined, randomId)
    known.report(incoming, outgoing, id)
    if (isKnown || whole === undefined) outgoing.writeHead(304, headWith(known.unchanged, id)).end()
    else outgoing.writeHead(200, headWith(whole.head, id)).end(whole.body)
    return true
  }
}

/** Sets the id of a request in a head, which is written at once. */
function headWith(head: Head, requestId: string): Head {
  head['x-request-id'] = requestId
  return head
}

/** Whether a request has no header that may change who asks, or what is asked; the router reads those. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.authorization === undefined &&
    headers[postalCodeName] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  )
}

const postalCodeName = postalCodeHeader.toLowerCase()

/** All states are made here with the same members in the same order, which V8 then reads without a search. */
function knownOf(
  read: CachedRequest,
  { tag, streams, since = -1, latest, until }: Standing,
  { headsOf, observe }: KnownParts,
): Known {
  const heads = headsOf(read)
  return {
    tag,
    streams,
    since,
    latest,
    until,
    limit: limitOf(read.operation),
    report: observe(read.path),
    unchanged: { ...heads.unchanged, etag: tag },
    whole: wholeOf(read, tag, heads.whole),
  }
}

/** What states are made with. */
interface KnownParts extends Pick<FrontOptions, 'observe'> {
  readonly headsOf: (read: CachedRequest) => Heads
}

/** A tag, and when it was current. */
interface Standing extends Pick<Known, 'tag' | 'streams' | 'latest' | 'until'> {
  readonly since: number | undefined
}

/** The last response, if it has this tag and is at hand as a whole. */
function wholeOf({ finished }: CachedRequest, tag: string, head: Heads['whole']): Known['whole'] {
  if (finished?.tag !== tag || !(finished.body instanceof Uint8Array)) return undefined
  const { type, body } = finished
  return { head: { ...head, etag: tag, 'content-type': type, 'content-length': String(body.byteLength) }, body }
}

/** The heads of a route, to be copied and filled in: making one from its parts costs as much as a query. */
interface Heads {
  readonly unchanged: Head
  readonly whole: Head
}

/** Makes the heads of each route once. */
function createHeads(always: FrontOptions['headers']): KnownParts['headsOf'] {
  const made = new WeakMap<CachedRequest['headers'], Heads>()
  return ({ headers }) => {
    const known = made.get(headers)
    if (known !== undefined) return known
    const all = Object.entries({ ...headers, ...always }).map(([name, value]) => [name.toLowerCase(), value])
    const unchanged: Head = { etag: '', ...Object.fromEntries(all), 'x-request-id': '' }
    const heads = { unchanged, whole: { ...unchanged, 'content-type': '', 'content-length': '' } }
    made.set(headers, heads)
    return heads
  }
}
