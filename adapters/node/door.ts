import type { Context as Request } from 'hono'
import { anonymous, type Caller, type Context, EngineError, languages, type Operation } from '../../engine/index.ts'
import { languageOf } from '../http/language.ts'
import { errorFields, type Log } from './log.ts'

/** Tells who calls by an `Authorization` header, or refuses it with `unauthenticated`. */
export type Authenticate = (header: string) => Promise<Caller>

/** One request as the door lets it in. */
export interface Entered {
  /** Anonymous, until `authenticated` has looked at the credentials. */
  readonly context: Context
  /** Aborted when the server is about to stop, so that live answers end. */
  readonly stopping: AbortSignal
  authenticated(header: string | undefined): Promise<Context>
  /** Logs what nobody expected. */
  report(error: unknown): void
  /** Counts an answer that stays open until the function it gives is called; refuses one too many with `too_many_streams`. */
  stayOpen(): () => void
}

/** What the door is made of. */
export interface DoorOptions {
  readonly parts: Parts
  readonly operations: readonly Operation[]
  readonly authenticate: Authenticate
  readonly version: string
  readonly stopping: AbortSignal
  readonly log: Log
}

/** What every transport is given: the operations, and a context for each request. */
export interface Door {
  readonly operations: readonly Operation[]
  readonly profiles: Context['profiles']
  readonly formats: Context['formats']
  readonly version: string
  enter(request: Request): Entered
  /** Answers that stay open at the moment. */
  liveStreams(): number
}

/** What a context has beside the request: the store, what is looked up, time, chance, the lists, and what is asked outside. */
export type Parts = Omit<Context, 'caller' | 'messages' | 'requestId'>

const safeId = /^[\w.-]{1,64}$/

/** Live connections at once; each holds a socket and a little memory. */
const maxLiveStreams = 10_000

/** Makes the door from the parts of the engine. */
export function createDoor({ parts, operations, authenticate, version, stopping, log }: DoorOptions): Door {
  let live = 0

  function stayOpen(request: string) {
    if (live >= maxLiveStreams) throw new EngineError('too_many_streams')
    live++
    log.debug({ request, live }, 'live stream begins')
    return () => void live--
  }

  function enter(request: Request): Entered {
    const requestId = requestIdOf(request, parts)
    const messages = languages[languageOf(request.req.header('accept-language'))]
    // What is spread comes last: members that are added to it take V8 as long as a cached answer.
    const context: Context = { caller: anonymous, messages, requestId, ...parts }
    const entered = {
      context,
      stopping,
      async authenticated(header: string | undefined) {
        if (header !== undefined) entered.context = { ...context, caller: await authenticate(header) }
        return entered.context
      },
      report: (error: unknown) => log.error({ request: requestId, ...errorFields(error) }, 'unexpected error'),
      stayOpen: () => stayOpen(requestId),
    }
    request.set(enteredKey, entered)
    return entered
  }

  const { profiles, formats } = parts
  return { operations, profiles, formats, version, enter, liveStreams: () => live }
}

/** The id that the caller gave the request, where it is one; else a new one. */
function requestIdOf(request: Request, { randomId }: Parts): string {
  const id = request.req.header('x-request-id')
  return id !== undefined && safeId.test(id) ? id : randomId()
}

const enteredKey = 'entered'

/** How a request was let in; nothing where no route has let it in. */
export function enteredBy(request: Request): Entered | undefined {
  return request.get(enteredKey) as Entered | undefined
}
