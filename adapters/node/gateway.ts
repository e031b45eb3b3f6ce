import type { Context as Request } from 'hono'
import {
  anonymous,
  type Caller,
  type Context,
  EngineError,
  type Language,
  languages,
  type Operation,
} from '../../engine/index.ts'
import { languageOf } from '../http/language.ts'
import { defaultPublicBodyLimit } from './config.ts'
import { errorFields, type Log } from './log.ts'

/** Identifies the caller by an `Authorization` header; throws `unauthenticated`. */
export type Authenticate = (header: string) => Promise<Caller>

/** A request with its context. */
export interface OpenRequest {
  /** Anonymous until `authenticate` has checked the credentials. */
  readonly context: Context
  /** The language of its messages. */
  readonly language: Language
  /** Aborted when the server is about to stop, so that live responses end. */
  readonly stopping: AbortSignal
  authenticate(header: string | undefined): Promise<Context>
  /** Logs an unexpected error. */
  report(error: unknown): void
  /** Counts a live response until the returned function is called; throws `too_many_streams` above the limit. */
  countStream(): () => void
}

/** Dependencies of the gateway. */
export interface GatewayOptions {
  readonly parts: ContextParts
  readonly operations: readonly Operation[]
  readonly authenticate: Authenticate
  readonly version: string
  readonly stopping: AbortSignal
  readonly log: Log
  /** 1 MiB if absent. */
  readonly publicBodyLimit?: number
}

/** What every HTTP interface receives: the operations, and a context for each request. */
export interface Gateway {
  readonly operations: readonly Operation[]
  readonly profiles: Context['profiles']
  readonly formats: Context['formats']
  readonly version: string
  /** Largest body in bytes that a caller without credentials may send. */
  readonly publicBodyLimit: number
  open(request: Request): OpenRequest
  /** Number of open live responses. */
  liveStreams(): number
}

/** The members of a context that do not depend on the request. */
export type ContextParts = Omit<Context, 'caller' | 'messages' | 'requestId'>

const safeId = /^[\w.-]{1,64}$/

/** Maximum number of live responses; each holds a socket and a little memory. */
const maxLiveStreams = 10_000

/** Creates the gateway from the parts of the engine. */
export function createGateway({
  parts,
  operations,
  authenticate,
  version,
  stopping,
  log,
  publicBodyLimit = defaultPublicBodyLimit,
}: GatewayOptions): Gateway {
  let live = 0

  function countStream(request: string) {
    if (live >= maxLiveStreams) throw new EngineError('too_many_streams')
    live++
    log.debug({ request, live }, 'live stream begins')
    return () => void live--
  }

  function open(request: Request): OpenRequest {
    const requestId = requestIdOf(request, parts)
    const language = languageOf(request.req.header('accept-language'))
    const messages = languages[language]
    // Keep the spread last: properties added after it cost V8 as much as a cached response.
    const context: Context = { caller: anonymous, messages, requestId, ...parts }
    const opened = {
      context,
      language,
      stopping,
      async authenticate(header: string | undefined) {
        if (header !== undefined) opened.context = { ...context, caller: await authenticate(header) }
        return opened.context
      },
      report: (error: unknown) => log.error({ request: requestId, ...errorFields(error) }, 'unexpected error'),
      countStream: () => countStream(requestId),
    }
    request.set(openRequestKey, opened)
    return opened
  }

  const { profiles, formats } = parts
  return { operations, profiles, formats, version, publicBodyLimit, open, liveStreams: () => live }
}

/** The request id of the caller if it is valid, otherwise a new one. */
function requestIdOf(request: Request, { randomId }: ContextParts): string {
  const id = request.req.header('x-request-id')
  return id !== undefined && safeId.test(id) ? id : randomId()
}

const openRequestKey = 'opened'

/** The open request; `undefined` if no route has opened it. */
export function openRequestOf(request: Request): OpenRequest | undefined {
  return request.get(openRequestKey) as OpenRequest | undefined
}
