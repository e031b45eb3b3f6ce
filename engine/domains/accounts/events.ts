import { type EventBase, eventTypesOf } from '../../entity/machine.ts'
import type { Family, Module, ModuleState, Role } from '../../kernel/account.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { accountTable } from './account-table.ts'

/** What happened to a business. */
export type BusinessEvent =
  | Event<
      'BusinessOpened',
      EventBase & {
        readonly business_id: number
        readonly name: string
        /** IANA name. */
        readonly time_zone: string
        /** ISO 4217. */
        readonly currency: string
      }
    >
  | Event<
      'BusinessModuleSet',
      EventBase & { readonly business_id: number; readonly module: Module; readonly state: ModuleState }
    >

type OneAccountEventBase = EventBase & { readonly account_id: number }

/** What happened to an account. */
export type AccountEvent =
  | Event<
      'AccountOpened',
      OneAccountEventBase & {
        readonly business_id: number
        readonly role: Role
        /** Its email, blinded: the id of the stream of its credential. */
        readonly credential: string
        readonly personal?: { readonly name: string; readonly email: string }
      }
    >
  | Event<'AccountDisabled' | 'AccountEnabled', OneAccountEventBase>
  /** Sessions that began before it are over. */
  | Event<'PasswordChanged', OneAccountEventBase>
  | Event<'AccountModuleSet', OneAccountEventBase & { readonly module: Module; readonly state: ModuleState }>
  | Event<'HiddenPricesSet', OneAccountEventBase & { readonly families: readonly Family[] }>
  /** A person at an identity provider is this account's; `binding` is issuer and subject, blinded. */
  | Event<'IdentityBound', OneAccountEventBase & { readonly issuer: string; readonly binding: string }>

/** What happened to the credential of an email address. */
export type CredentialEvent = Event<
  'CredentialIssued' | 'CredentialRenewed',
  { readonly at: string; readonly account_id: number; readonly personal?: { readonly password_hash: string } }
>

/** The app that a session was begun in. */
export interface AppContext {
  readonly app_code: string
  readonly client_code: string
  readonly platform: 'ios' | 'android'
  /** The id of the device, blinded. */
  readonly device: string
  readonly app_version?: string
}

/** What happened to a session. */
export type SessionEvent =
  | Event<
      'SessionStarted',
      {
        readonly at: string
        readonly expires_at: string
        readonly account_id: number
        /** That of the account then: of an earlier one, the session is over. */
        readonly generation: number
        readonly app?: AppContext
        /** The stream of the session that somebody signed in for, where this one came of it by refreshing. */
        readonly origin?: StreamName
      }
    >
  | Event<'SessionEnded', { readonly at: string; readonly reason: 'logout' | 'refresh' }>

/** Whose account a person at an identity provider has: one binding for all apps. */
export type BindingEvent = Event<'BindingMade', { readonly at: string; readonly account_id: number }>

function typesOf<Type extends string>(types: Readonly<Record<Type, true>>): readonly string[] {
  return Object.keys(types)
}

/** The types of the events of businesses, accounts, credentials, sessions and bindings, by category of their streams. */
export const accountEventTypes = {
  business: typesOf<BusinessEvent['type']>({ BusinessOpened: true, BusinessModuleSet: true }),
  account: eventTypesOf(accountTable),
  credential: typesOf<CredentialEvent['type']>({ CredentialIssued: true, CredentialRenewed: true }),
  session: typesOf<SessionEvent['type']>({ SessionStarted: true, SessionEnded: true }),
  binding: typesOf<BindingEvent['type']>({ BindingMade: true }),
}
