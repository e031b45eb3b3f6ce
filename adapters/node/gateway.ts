import { setMaxListeners } from 'node:events'
import type { HttpBindings } from '@hono/node-server'
import type { Context as Request } from 'hono'
import {
  anonymous,
  authorize,
  type Caller,
  type Context,
  type Door,
  EngineError,
  type Facts,
  factsForRequest,
  isEngineError,
  kinds,
  type Operation,
} from '../../engine/index.ts'
import { withinHeap } from '../http/memory.ts'
import { passOf } from '../http/pass.ts'
import { spokenIn } from '../locales/messages.ts'
import { languageOf } from '../locales/negotiate.ts'
import { defaultPublicBodyLimit } from './config.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { type Limits, localSource, noLimits, type RateName } from './limits.ts'
import { errorFields, type Log } from './log.ts'

/**
 * Identifies the caller by an `Authorization` header of a request; throws `unauthenticated`. A token that is for one address
 * alone is accepted only if that is the `resource`.
 */
export type Authenticate = (request: Asking, header: string, resource?: string) => Promise<Caller>

/** What a request is identified with: the store and the models as it sees them, and where it comes from. */
export type Asking = Facts & Pick<Context, 'source'>

/** A request with its context. */
export interface OpenRequest {
  /** Anonymous until `authenticate` has checked the credentials. */
  readonly context: Context & { readonly source: string }
  /** The language of its messages. */
  readonly language: string
  /** Aborted when live responses are to end. */
  readonly stopping: AbortSignal
  /**
   * Throws `too_many_requests` in place of `unauthenticated` if the source sends many wrong credentials. `resource` is the
   * address that tokens of programs have to be for; without it, none is accepted.
   */
  authenticate(header: string | undefined, resource?: string): Promise<Context & { readonly source: string }>
  /** Takes a token of the source. Throws `too_many_requests`. */
  take(limit: RateName): void
  /** Logs an unexpected error. */
  report(error: unknown): void
  /** Counts a live response until the returned function is called; throws `too_many_streams` or `too_many_requests` above a limit. */
  countStream(): () => void
}

/** Dependencies of the gateway. */
interface GatewayOptions {
  readonly parts: ContextParts
  readonly operations: readonly Operation[]
  readonly authenticate: Authenticate
  readonly version: string
  readonly stopping: AbortSignal
  readonly log: Log
  /** 1 MiB if absent. */
  readonly publicBodyLimit?: number | undefined
  /** Nothing is limited if absent. */
  readonly limits?: Limits
}

/** What every HTTP interface receives: the operations, and a context for each request. */
export interface Gateway {
  readonly operations: readonly Operation[]
  readonly profiles: Context['profiles']
  readonly formats: Context['formats']
  readonly version: string
  /** Largest body in bytes that a caller without credentials may send. */
  readonly publicBodyLimit: number
  readonly limits: Limits
  /** The turns of large calls; the caller is a key, an account or a source. */
  readonly largeCalls: FairQueue
  /** The turns of long reads; the caller is a key, an account or a source. */
  readonly longReads: FairQueue
  open(request: Request): OpenRequest
  /** Number of open live responses. */
  liveStreams(): number
}

/** The members of a context that do not depend on the request. */
export type ContextParts = Omit<
  Context,
  'caller' | 'gone' | 'language' | 'messages' | 'pass' | 'program' | 'requestId' | 'source'
>

const safeId = /^[\w.-]{1,64}$/

/** Maximum number of live responses; each holds a socket and a little memory. */
const maxLiveStreams = 10_000

/** Large calls that run at a time, one for each 256 MiB of heap, and that wait; the memory of waiting ones is limited by the bytes of their bodies. */
const largeCallBounds = {
  running: Math.max(1, withinHeap(4, 256 * 1024 * 1024)),
  runningOfOne: 1,
  waiting: 256,
  waitingOfOne: 64,
  patience: 60_000,
}

/** Long reads that run at a time, and that wait. Each holds a timeline in memory. */
const longReadBounds = { running: 6, runningOfOne: 2, waiting: 256, waitingOfOne: 64 }

/** Creates the gateway from the parts of the engine. */
export function createGateway({
  parts,
  operations,
  authenticate,
  version,
  stopping,
  log,
  publicBodyLimit = defaultPublicBodyLimit,
  limits = noLimits,
}: GatewayOptions): Gateway {
  // Every live response listens to it.
  setMaxListeners(0, stopping)
  let live = 0
  const liveStreams = () => live
  const callerOf = createCallerOf(authenticate, limits)

  function countStream(request: string, source: string) {
    if (live >= maxLiveStreams) throw new EngineError('too_many_streams')
    const leave = limits.occupy('streams', source)
    live++
    log.debug({ request, live }, 'live stream begins')
    return () => {
      live--
      leave()
    }
  }

  function open(request: Request): OpenRequest {
    const requestId = requestIdFrom(request.req.header('x-request-id'), parts.randomId)
    const language = languageOf(request.req.header('accept-language'))
    // Keep the spread last: properties added after it cost V8 as much as a cached response.
    const source = sourceOf(request, limits)
    const pass = passOf(request)
    const program = request.req.header('user-agent')
    const gone = () => request.req.raw.signal
    const asked = { ...spokenIn(language), requestId, source, program, pass, gone }
    const context = { caller: anonymous, ...asked, ...parts }
    if (parts.store.forRequest !== undefined) Object.assign(context, factsForRequest(parts))
    const opened = {
      context,
      language,
      stopping,
      async authenticate(header: string | undefined, resource?: string) {
        if (header !== undefined) opened.context = { ...context, caller: await callerOf(header, context, resource) }
        return opened.context
      },
      report: (error: unknown) => log.error({ request: requestId, ...errorFields(error) }, 'unexpected error'),
      take: (limit: RateName) => limits.take(limit, source),
      countStream: () => countStream(requestId, source),
    }
    request.set(openRequestKey, opened)
    return opened
  }

  const { profiles, formats } = parts
  const largeCalls = createFairQueue(largeCallBounds)
  const longReads = createFairQueue(longReadBounds)
  const shared = { operations, profiles, formats, version, publicBodyLimit, limits, largeCalls, longReads }
  return { ...shared, open, liveStreams }
}

/** Identifies the caller; wrong credentials take tokens of the source, and are reported to the security log. */
function createCallerOf(authenticate: Authenticate, limits: Limits) {
  return async (
    header: string,
    request: Asking & Pick<OpenRequest['context'], 'source' | 'requestId' | 'audit'>,
    resource: string | undefined,
  ) => {
    try {
      return await authenticate(request, header, resource)
    } catch (error) {
      const { source, requestId, audit } = request
      if (isEngineError(error) && kinds[error.code] === 'unauthenticated') {
        audit?.(
          { caller: anonymous, source, requestId },
          { event: 'credentials', outcome: 'refused', reason: error.code },
        )
        limits.take('public_calls', source)
      }
      throw error
    }
  }
}

function sourceOf({ env, req }: Request, limits: Limits): string {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>
  return incoming === undefined
    ? localSource
    : limits.sourceOf(incoming.socket.remoteAddress, (name) => req.header(name))
}

/** A public read that is no operation, and shows some callers more than others. */
const openRead: Door = { scopes: [], hasViews: true, writes: false }

/**
 * The context of a public read: its caller is identified if it sends a bearer token. Any other `Authorization` may be meant
 * for a proxy. Refuses an API key that is narrowed to other operations. Tokens of programs are accepted for `resource` alone.
 */
export async function recognize(
  call: OpenRequest,
  request: Request,
  door: Door = openRead,
  resource?: string,
): ReturnType<OpenRequest['authenticate']> {
  const header = request.req.header('authorization')
  const context = await call.authenticate(
    header !== undefined && /^bearer /i.test(header) ? header : undefined,
    resource,
  )
  authorize(context, door)
  return context
}

/** The request id of the caller if it is valid, otherwise a new one. */
export function requestIdFrom(id: string | undefined, randomId: () => string): string {
  return id !== undefined && safeId.test(id) ? id : randomId()
}

const openRequestKey = 'opened'

/** The open request; `undefined` if no route has opened it. */
export function openRequestOf(request: Request): OpenRequest | undefined {
  return request.get(openRequestKey) as OpenRequest | undefined
}
