import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type AnswerVersion, anonymous, en, factsForRequest, otepTracking, type Storage } from '../../engine/index.ts'
import { matches } from '../http/headers.ts'
import { postalCodeHeader } from '../http/pass.ts'
import { type ContextParts, requestIdFrom } from '../node/gateway.ts'
import { limitOf } from '../node/limited.ts'
import type { Limits, RateName } from '../node/limits.ts'
import type { Front, ObserveAnswers, ReportAnswer } from '../node/server.ts'
import { cacheWhole, type RequestCache, readKeyOf, tagOf } from './cached-reads.ts'
import type { CachedRequest, FinishedAnswer, RouteParts } from './cached-request.ts'
import type { KeptAnswer } from './kept-answers.ts'
import { jsonType } from './respond.ts'

/** What the front needs of a server. */
export interface FrontOptions {
  readonly reads: RequestCache
  readonly parts: ContextParts
  readonly growth: Storage['growth']
  readonly limits: Pick<Limits, 'hasToken' | 'tryTake' | 'sourceOf'>
  /** Reports the responses of a route, by its path. */
  readonly observe: ObserveAnswers
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Milliseconds that a tag is known to be current if it is not known on which streams it depends, and nothing is recorded. */
const tagTime = 1_000

/** A request in memory, with what was known of its tag last: a look-up in a map would cost as much as the rest of it. */
type Read = CachedRequest & { [lastKnown]?: Known }

const lastKnown: unique symbol = Symbol('last known tag')

/** A tag that was current, with all that is needed to answer under it. */
interface Known {
  /** The request in memory that it is known of, and not of its copies. */
  of: Read | undefined
  readonly tag: string
  readonly streams: AnswerVersion['streams']
  /** The count of growth at which it was current; -1 if that is unknown. */
  since: number
  /** The end of the store at which it was current, and until when. */
  readonly latest: string | undefined
  readonly until: number
  readonly route: Sending
  /** The whole answer; undefined if that is not at hand. */
  readonly whole: Whole | undefined
}

type Whole = Pick<FinishedAnswer, 'type'> & { readonly body: Uint8Array }

/** A request that waits for the end of the turn. */
interface Waiting {
  readonly number: string
  readonly name: string
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly otherwise: RequestListener
}

/** How the answers of a route are counted, reported and headed. */
interface Sending {
  readonly limit: RateName
  readonly report: ReportAnswer
  /** The heads of 304 and of 200, filled in for each answer: making one from its parts costs as much as a query. */
  readonly unchanged: Head
  readonly whole: Head
}

/** The headers of a response, which are written at once. */
interface Head extends Record<string, string> {
  etag: string
  'x-request-id': string
}

/** Most addresses that are remembered as asked once. */
const maxOnce = 8_192

/** Most requests that are answered from kept answers together. */
const maxLot = 64

/**
 * Answers a repeated public GET without the router, if nothing has changed: with the response that it got before, or
 * with 304. Everything else, refusals included, is handed on.
 */
export function createFront(options: FrontOptions): Front {
  const { reads } = options
  const answer = createSending(options)
  const sendingOf = createRoutes(options)
  const { standing, current, note } = createTags(options, sendingOf)
  const isAgain = createMemory()

  /** A kept answer. Most are not asked for again soon, so it is held in memory only from the second time on. */
  function knownFrom({ number, name }: Waiting, route: RouteParts, { tag, streams, since, body }: KeptAnswer): Known {
    const whole = { type: jsonType, body }
    const until = Number.NEGATIVE_INFINITY
    const known: Known = {
      of: undefined,
      tag,
      streams,
      since,
      latest: undefined,
      until,
      route: sendingOf(route),
      whole,
    }
    const request = isAgain(name) ? reads.kept?.requestOf(route, number) : undefined
    if (request !== undefined) {
      const read = { ...request, finished: { tag, ...whole } }
      cacheWhole(reads, name, read, body)
      note(read, known)
    }
    return known
  }

  const wait = createLots(reads, (asked, route, kept) => {
    const { incoming, outgoing, otherwise } = asked
    const known = kept && route && knownFrom(asked, route, kept)
    if (known === undefined || !answer(known, incoming, outgoing)) otherwise(incoming, outgoing)
  })

  return (incoming, outgoing, otherwise) => {
    if (!isPlain(incoming)) return otherwise(incoming, outgoing)
    const { url = '', headers } = incoming
    const name = readKeyOf(url, headers.accept)
    const read = reads.get(name)
    const number = read === undefined ? reads.kept?.numberIn(url, headers.accept) : undefined
    if (number !== undefined) return wait({ number, name, incoming, outgoing, otherwise })
    if (read === undefined || read.operation.scopes.length > 0) return otherwise(incoming, outgoing)
    const known = standing(read)
    if (known !== undefined) return answer(known, incoming, outgoing) || otherwise(incoming, outgoing)
    current(read).then(
      (found) => answer(found, incoming, outgoing) || otherwise(incoming, outgoing),
      () => otherwise(incoming, outgoing),
    )
  }
}

/** What is known of the requests in memory. */
function createTags({ parts, growth }: FrontOptions, sendingOf: (route: RouteParts) => Sending) {
  const visitor = { ...parts, caller: anonymous, messages: en, requestId: parts.randomId() }
  const contextNow = () => (parts.store.forRequest === undefined ? visitor : { ...visitor, ...factsForRequest(parts) })

  function knownOf(read: Read): Known | undefined {
    const known = read[lastKnown]
    return known?.of === read ? known : undefined
  }

  function note(read: Read, known: Known) {
    known.of = read
    read[lastKnown] = known
  }

  /** What is known of a request, if none of the streams on which it depends has grown since. */
  function standing(read: CachedRequest): Known | undefined {
    const known = knownOf(read)
    if (known?.streams === undefined) return undefined
    const count = growth?.count()
    if (count === undefined || growth?.hasGrown(known.streams, known.since) !== false) return undefined
    known.since = count
    return known
  }

  /** The current state. The end of the store is read first, so that what is recorded meanwhile is looked at again. */
  async function current(read: CachedRequest): Promise<Known> {
    const before = growth?.count()
    const context = contextNow()
    const latest = await context.store.latest()
    const known = knownOf(read)
    const now = performance.now()
    if (known !== undefined && known.latest === latest && now < known.until) return known
    const version = await read.version(context)
    const since = before !== undefined && growth?.count() === before ? before : -1
    const tag = tagOf(version, read)
    const until = now + tagTime
    const { streams } = version
    const whole = wholeOf(read, tag)
    const state: Known = { of: undefined, tag, streams, since, latest, until, route: sendingOf(read), whole }
    note(read, state)
    return state
  }

  return { standing, current, note }
}

/** Creates a memory of addresses: says whether one was asked for before, and then forgets it. */
function createMemory(): (name: string) => boolean {
  const once = new Set<string>()
  return (name) => {
    if (once.delete(name)) return true
    if (once.size >= maxOnce) once.clear()
    once.add(name)
    return false
  }
}

/**
 * Looks for the kept answers to all that has come in a turn of the event loop at its end, together; more than a lot
 * waits for the next turn.
 */
function createLots(
  { kept, routes }: RequestCache,
  answer: (asked: Waiting, route: RouteParts | undefined, found: KeptAnswer | undefined) => void,
): (asked: Waiting) => void {
  const waiting: Waiting[] = []

  function answerLot() {
    const lot = waiting.splice(0, maxLot)
    if (waiting.length > 0) setImmediate(answerLot)
    const found = kept?.find(lot.map(({ number }) => number)) ?? []
    const route = routes.get(otepTracking.name)
    for (const [at, asked] of lot.entries()) answer(asked, route, found[at])
  }

  return (asked) => {
    if (waiting.push(asked) === 1) setImmediate(answerLot)
  }
}

/** Creates the function that sends a known answer; it returns false where the router has to answer. */
function createSending({ limits, parts: { randomId } }: FrontOptions) {
  return ({ tag, route, whole }: Known, incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const start = performance.now()
    const { headers, socket } = incoming
    const sent = socket.bytesWritten
    const isKnown = matches(headers['if-none-match'], tag)
    if (!isKnown && whole === undefined) return false
    const source = limits.sourceOf(socket.remoteAddress, (name) => headers[name] as string | undefined)
    // The router refuses, and counts that.
    if (!limits.hasToken('misses', source) || !limits.tryTake(route.limit, source)) return false
    const id = requestIdFrom(headers['x-request-id'] as string | undefined, randomId)
    if (isKnown || whole === undefined) outgoing.writeHead(304, headWith(route.unchanged, tag, id)).end()
    else outgoing.writeHead(200, wholeHeadWith(route.whole, whole, tag, id)).end(whole.body)
    route.report(outgoing, id, start, sent)
    return true
  }
}

function headWith(head: Head, tag: string, requestId: string): Head {
  head.etag = tag
  head['x-request-id'] = requestId
  return head
}

function wholeHeadWith(head: Head, { type, body }: Whole, tag: string, requestId: string): Head {
  head['content-type'] = type
  head['content-length'] = String(body.byteLength)
  return headWith(head, tag, requestId)
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

/** The last response, if it has this tag and is at hand as a whole. */
function wholeOf({ finished }: CachedRequest, tag: string): Whole | undefined {
  if (finished?.tag !== tag || !(finished.body instanceof Uint8Array)) return undefined
  return { type: finished.type, body: finished.body }
}

/** Makes once for each route how its answers are sent. */
function createRoutes({ headers: always, observe }: FrontOptions): (route: RouteParts) => Sending {
  const made = new WeakMap<RouteParts['headers'], Sending>()
  return ({ operation, path, headers }) => {
    const known = made.get(headers)
    if (known !== undefined) return known
    const all = Object.entries({ ...headers, ...always }).map(([name, value]) => [name.toLowerCase(), value])
    const unchanged: Head = { etag: '', ...Object.fromEntries(all), 'x-request-id': '' }
    const whole = { ...unchanged, 'content-type': '', 'content-length': '' }
    const route = { limit: limitOf(operation), report: observe(path), unchanged, whole }
    made.set(headers, route)
    return route
  }
}
