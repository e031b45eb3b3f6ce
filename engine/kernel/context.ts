import type { Account, Business, Person, Role } from './account.ts'
import type { Approval, Audit } from './audit.ts'
import type { Carriers } from './carrier.ts'
import type { Credentials } from './credentials.ts'
import type { EventStore } from './event-store.ts'
import type { Files } from './files.ts'
import type { Messages } from './messages/index.ts'
import type { Letters, Messenger } from './messenger.ts'
import type { PaymentProviders } from './payment-provider.ts'
import type { LabelPrinter } from './printed-label.ts'
import type { Profile } from './profile.ts'
import type { Dialect, Projection } from './projection.ts'
import type { ReadModels } from './read-model.ts'
import type { Server } from './server.ts'
import type { SingleSignOn } from './single-sign-on.ts'
import type { Pause } from './steps.ts'
import type { StreamName } from './stream.ts'
import type { Webhooks } from './webhooks.ts'

/** The caller and its permissions. */
export interface Caller {
  readonly kind: 'anonymous' | 'provider' | 'operator' | 'account'
  /** Name of the provider or operator, or id of the account; `anonymous` for the public. */
  readonly name: string
  readonly scopes: readonly string[]
  /** The account behind the token; only callers of kind `account` have one. */
  readonly account?: Account
  /** The stream of the token's session; it does not reveal the token. */
  readonly session?: StreamName
  /** The API key that the call came with; its scopes are those of the caller. */
  readonly key?: CallingKey
  /** The grant that the call came with, by which a program acts for its account; its scopes are those of the caller. */
  readonly grant?: { readonly id: number }
  /** The approval of what this caller proposed, while it is carried out. */
  readonly approval?: Approval
  /** Identifies a sign-in: tokens refreshed from each other share it. */
  readonly signIn?: string
  /** The SHA-256 of the key that a provider called with. */
  readonly keyHash?: string
  /** The only business that a provider reports for, if it is bound to one. */
  readonly businessId?: number
}

/** An API key of an account, and to what its account narrowed it beside its scopes. */
export interface CallingKey {
  readonly id: number
  /** The only operations that it may call. */
  readonly operations?: readonly string[] | undefined
  readonly isReadOnly?: boolean | undefined
}

/** Days after a sign-in when its sessions end for good, however often they were refreshed. */
export interface SessionDays {
  readonly plain: number
  /** In apps. */
  readonly app: number
}

/** How much of a timeline the public sees: all of it, or only codes, times, towns, and when it was signed for. */
export const publicViews = ['full', 'reduced'] as const

/** One of the public views. */
export type PublicView = (typeof publicViews)[number]

/** What a reader gives to see all of a timeline without credentials. */
export interface Pass {
  /** The postal code of the delivery. */
  readonly postalCode?: string
  /** The `link` of a signed link. */
  readonly link?: string
}

/** The public: no name, no scope. */
export const anonymous: Caller = { kind: 'anonymous', name: 'anonymous', scopes: [] }

/** The parts of a context that queries across domains need. */
export type Facts = Pick<Context, 'store' | 'models'>

/** The store and the read models as one request sees them (`EventStore.forRequest`). */
export function factsForRequest({ store, models }: Facts): Facts {
  const view = store.forRequest?.()
  return view === undefined ? { store, models } : { store: view, models: models.forRequest?.(view) ?? models }
}

/** Looks up accounts, businesses, and the providers that work with a business. */
export interface Directory {
  /** An account, if it exists. */
  person(facts: Facts, id: number): Promise<Person | undefined>
  /** The accounts of a business with this role, in order of id. */
  people(facts: Facts, businessId: number, role: Role): Promise<readonly Person[]>
  /** A business, if it exists. */
  business(facts: Facts, id: number): Promise<Business | undefined>
  /** Whether a business can work with a provider: the provider has a valid key for this business or for all. */
  serves(facts: Facts, provider: string, businessId: number): Promise<boolean>
}

/** What domains need of each other. Each domain declares its own member; the composition root provides them. */
export interface Ports {}

/** Everything that a handler may use. Time and randomness come only from here. */
export interface Context {
  readonly store: EventStore
  readonly models: ReadModels
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Lets other requests be served in the middle of long work. */
  readonly pause: Pause
  readonly randomId: () => string
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly formats: readonly [Projection, ...Projection[]]
  /** What is read beside documents of the formats; nothing if absent. */
  readonly dialects?: readonly Dialect[]
  /** Absolute URL of this server without a trailing slash; the base of links in documents. */
  readonly baseUrl: string
  /** Whether documents are refused also for what the judges of their standard accept; false if absent. */
  readonly strictReading?: boolean
  /** Whether everybody may read the source events of foreign documents whole. */
  readonly publicSources?: boolean
  readonly credentials: Credentials
  /** Uploaded files. */
  readonly files: Files
  readonly directory: Directory
  readonly ports: Ports
  readonly webhooks: Webhooks
  readonly carriers: Carriers
  readonly paymentProviders: PaymentProviders
  readonly printer: LabelPrinter
  readonly messenger: Messenger
  readonly server: Server
  readonly singleSignOn: SingleSignOn
  /** How much of a timeline this server shows to the public. */
  readonly publicView: PublicView
  /** Takes entries of the security log; nothing is logged if absent. */
  readonly audit?: Audit
  /** How long people stay signed in at most; 30 days, and 90 in apps, if absent. */
  readonly sessionDays?: SessionDays
  readonly caller: Caller
  /** The messages in the caller's language. */
  readonly messages: Messages
  /** What e-mails that follow from the request say, in the caller's language; English if absent. */
  readonly letters?: Letters | undefined
  /** Where the request comes from: an address, or a network of addresses; absent for calls within the process. */
  readonly source?: string
  /** What the program that sent the request calls itself (`User-Agent`), if it does. */
  readonly program?: string | undefined
  /** What the request gives to see all of a timeline. */
  readonly pass?: Pass | undefined
  /** The signal that the caller does not wait for the answer any more; absent for calls within the process. */
  readonly gone?: () => AbortSignal
  /** Id of the request, recorded in every event that it causes. */
  readonly requestId: string
}
