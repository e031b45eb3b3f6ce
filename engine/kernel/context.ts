import type { EventStore } from './event-store.ts'
import type { Messages } from './messages/index.ts'
import type { Profile } from './profile.ts'
import type { Projection } from './projection.ts'
import type { ReadModels } from './read-model.ts'

/** Who calls, and what the caller may do. */
export interface Caller {
  readonly kind: 'anonymous' | 'provider' | 'operator'
  /** Name of the provider or operator; `anonymous` for the public. */
  readonly name: string
  readonly scopes: readonly string[]
}

/** The public: no name, no scope. */
export const anonymous: Caller = { kind: 'anonymous', name: 'anonymous', scopes: [] }

/** What a handler may touch. Time and chance come in here and nowhere else. */
export interface Context {
  readonly store: EventStore
  readonly models: ReadModels
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomId: () => string
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly formats: readonly [Projection, ...Projection[]]
  /** Absolute URL under which this server is reached, without a slash at its end: links in documents lie under it. */
  readonly baseUrl: string
  readonly caller: Caller
  /** The messages in the caller's language. */
  readonly messages: Messages
  /** Id of the request, given to every event that it causes. */
  readonly requestId: string
}
