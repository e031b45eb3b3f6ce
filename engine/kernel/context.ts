import type { Account, Business, Person, Role } from './account.ts'
import type { Credentials } from './credentials.ts'
import type { EventStore } from './event-store.ts'
import type { Messages } from './messages/index.ts'
import type { Profile } from './profile.ts'
import type { Projection } from './projection.ts'
import type { ReadModels } from './read-model.ts'
import type { StreamName } from './stream.ts'
import type { Webhooks } from './webhooks.ts'

/** Who calls, and what the caller may do. */
export interface Caller {
  readonly kind: 'anonymous' | 'provider' | 'operator' | 'account'
  /** Name of the provider or operator, id of the account; `anonymous` for the public. */
  readonly name: string
  readonly scopes: readonly string[]
  /** The account behind the token; nobody else has one. */
  readonly account?: Account
  /** The stream of the session of the token, which does not tell the token. */
  readonly session?: StreamName
  /** Tells one sign-in of the account from another: tokens that came of each other by refreshing are of one. */
  readonly signIn?: string
  /** The business that a provider reports for, where it does so for one alone. */
  readonly businessId?: number
}

/** The public: no name, no scope. */
export const anonymous: Caller = { kind: 'anonymous', name: 'anonymous', scopes: [] }

/** What is read where a question concerns accounts, orders and timelines at once. */
export type Facts = Pick<Context, 'store' | 'models'>

/** Who can call: accounts, their businesses, and the providers that work with a business. */
export interface Directory {
  /** An account; nothing where there is none. */
  person(facts: Facts, id: number): Promise<Person | undefined>
  /** The accounts of a business that have this role, in order of id. */
  people(facts: Facts, businessId: number, role: Role): Promise<readonly Person[]>
  /** A business; nothing where there is none. */
  business(facts: Facts, id: number): Promise<Business | undefined>
  /** Whether a business can work with the provider of this name: the provider has a valid key, of this business or of none. */
  serves(facts: Facts, provider: string, businessId: number): Promise<boolean>
}

/** What domains need of one another; each domain adds its own member, the composition root fills them. */
export interface Ports {}

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
  readonly credentials: Credentials
  readonly directory: Directory
  readonly ports: Ports
  readonly webhooks: Webhooks
  readonly caller: Caller
  /** The messages in the caller's language. */
  readonly messages: Messages
  /** Id of the request, given to every event that it causes. */
  readonly requestId: string
}
