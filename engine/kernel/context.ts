import type { Account, Business, Person, Role } from './account.ts'
import type { Credentials } from './credentials.ts'
import type { Append, EventStore } from './event-store.ts'
import type { Messages } from './messages/index.ts'
import type { Profile } from './profile.ts'
import type { Projection } from './projection.ts'
import type { ReadModels } from './read-model.ts'
import type { StreamName } from './stream.ts'
import type { Subject } from './timeline.ts'
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

/** Accounts and businesses, for the parts that are not theirs. */
export interface Directory {
  /** An account; nothing where there is none. */
  person(facts: Facts, id: number): Promise<Person | undefined>
  /** The accounts of a business that have this role, in order of id. */
  people(facts: Facts, businessId: number, role: Role): Promise<readonly Person[]>
  /** A business; nothing where there is none. */
  business(facts: Facts, id: number): Promise<Business | undefined>
}

/** Timelines, for the parts that are not theirs. */
export interface Timelines {
  /** The timeline that an identifier leads to, as `otep_tracking` answers it in `data`; nothing where there is none. */
  find(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

/** Orders, for the parts that are not theirs. */
export interface Orders {
  /** Whether there is an order that the caller may see; what it may not see does not exist for it. */
  exists(context: Context, id: number): Promise<boolean>
}

/** Providers, for the parts that are not theirs. */
export interface Providers {
  /** Whether a business can work with the provider of this name: it has a valid key, of this business or of none. */
  serves(facts: Facts, name: string, businessId: number): Promise<boolean>
}

/** An order, as much of it as what is told of its parcel needs. */
export interface TrackedOrder {
  readonly id: number
  readonly businessId: number
  readonly customerId?: number | undefined
  /** What its sender calls it. */
  readonly reference?: string | undefined
  /** Whether another carrier carries it, or has done so. */
  readonly isByCarrier: boolean
}

/** Whose orders are tracked, for the parts that are not theirs. */
export interface Owners {
  /** The businesses whose orders a subject names, by its tracking number and by its order; none where it names nobody's. */
  businessesOf(facts: Facts, subject: Subject): Promise<readonly number[]>
  /** The order that a subject names, by its tracking number before its order, as it stood at a position of the store. */
  orderOf(facts: Facts, subject: Subject, position: string): Promise<TrackedOrder | undefined>
}

/** What is paid from a customer's wallet for an order, or given back to it. */
export interface WalletMove {
  readonly customerId: number
  readonly orderId: number
  /** Decimal text with two digits, above zero. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
}

/** Wallets of customers, for what is paid from them: each answer is to be appended in one transaction with what it is for. */
export interface Wallets {
  /** Refuses with `insufficient_credits` or `currency_differs`. */
  charge(context: Context, move: WalletMove): Promise<Append>
  /** Gives back what was charged before. */
  refund(context: Context, move: WalletMove): Promise<Append>
}

/** What is known of an operation that is asked for by its name. */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly scopes: readonly string[]
  readonly risk: 'low' | 'medium' | 'high'
  readonly writes: boolean
}

/** What a call would do: its answer and what it would record. */
export interface Preview {
  readonly answer: Readonly<Record<string, unknown>>
  readonly appends: readonly Append[]
}

/** The tools of the engine by their names, for the part that has one carried out later and by somebody else's leave. */
export interface Tools {
  /** A tool; nothing where there is none of this name. */
  find(name: string): ToolFacts | undefined
  /** Lets an input through the door of a tool as the caller of the context, or refuses it. */
  admit(context: Context, name: string, input: unknown): void
  /** What a call of a tool would do, through its door; nothing is recorded. Refuses with `wrong_expected_revision` where somebody else writes meanwhile. */
  preview(context: Context, name: string, input: unknown): Promise<Preview>
}

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
  readonly timelines: Timelines
  readonly owners: Owners
  readonly orders: Orders
  readonly providers: Providers
  readonly wallets: Wallets
  readonly tools: Tools
  readonly webhooks: Webhooks
  readonly caller: Caller
  /** The messages in the caller's language. */
  readonly messages: Messages
  /** Id of the request, given to every event that it causes. */
  readonly requestId: string
}
