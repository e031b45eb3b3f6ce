import { anonymous, type Caller, type Context, languages, type Operation } from '../engine/index.ts'
import { languageOf } from './language.ts'

/** Tells who calls by an `Authorization` header, or refuses it with `unauthenticated`. */
export type Authenticate = (header: string) => Promise<Caller>

/** One request as the door lets it in: still anonymous, until `authenticated` has looked at its credentials. */
export interface Entered {
  readonly context: Context
  /** Aborted when the server is about to stop, so that live answers end. */
  readonly stopping: AbortSignal
  authenticated(header: string | undefined): Promise<Context>
}

/** What every transport is given: the operations, and a context for each request. */
export interface Door {
  readonly operations: readonly Operation[]
  readonly profiles: Context['profiles']
  readonly formats: Context['formats']
  readonly version: string
  enter(acceptLanguage: string | undefined, requestId: string | undefined): Entered
}

/** What a context has beside the request: the store, time, chance, the lists and the server's address. */
export type Parts = Pick<Context, 'store' | 'clock' | 'randomId' | 'profiles' | 'formats' | 'baseUrl'>

const safeId = /^[\w.-]{1,64}$/

/** Makes the door from the parts of the engine. */
export function createDoor(
  parts: Parts,
  operations: readonly Operation[],
  authenticate: Authenticate,
  version: string,
  stopping: AbortSignal,
): Door {
  return {
    operations,
    profiles: parts.profiles,
    formats: parts.formats,
    version,
    enter(acceptLanguage, requestId) {
      const messages = languages[languageOf(acceptLanguage)]
      const id = requestId !== undefined && safeId.test(requestId) ? requestId : parts.randomId()
      const context: Context = { ...parts, caller: anonymous, messages, requestId: id }
      return {
        context,
        stopping,
        authenticated: async (header) =>
          header === undefined ? context : { ...context, caller: await authenticate(header) },
      }
    },
  }
}
