import { type EventBase, eventTypesOf } from '../../entity/machine.ts'
import type { Family, Module, ModuleState, Role } from '../../kernel/account.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { accountTable } from './account-table.ts'
import type { BrandEvent } from './brand/brand.ts'

/** The events of a business. */
export type BusinessEvent =
  | BrandEvent
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

/** The events of an account. */
export type AccountEvent =
  | Event<
      'AccountOpened',
      OneAccountEventBase & {
        readonly business_id: number
        readonly role: Role
        /** The blinded email, which is also the id of the credential's stream. */
        readonly credential: string
        readonly personal?: { readonly name: string; readonly email: string }
      }
    >
  | Event<'AccountDisabled' | 'AccountEnabled', OneAccountEventBase>
  /** What it tells of the person was erased. Nobody can sign in to it any more. */
  | Event<'AccountErased', OneAccountEventBase>
  /** Ends all earlier sessions. */
  | Event<'PasswordChanged', OneAccountEventBase>
  | Event<'AccountModuleSet', OneAccountEventBase & { readonly module: Module; readonly state: ModuleState }>
  | Event<'HiddenPricesSet', OneAccountEventBase & { readonly families: readonly Family[] }>
  /** An identity at an identity provider was bound to the account; `binding` is the blinded issuer and subject. */
  | Event<'IdentityBound', OneAccountEventBase & { readonly issuer: string; readonly binding: string }>

/** The events of an email address's credential. */
export type CredentialEvent =
  | Event<
      'CredentialIssued' | 'CredentialRenewed',
      { readonly at: string; readonly account_id: number; readonly personal?: { readonly password_hash: string } }
    >
  /** The password was erased; the address can have another account. */
  | Event<'CredentialErased', { readonly at: string; readonly account_id: number }>

/** The app of a session. */
export interface AppContext {
  readonly app_code: string
  readonly client_code: string
  readonly platform: 'ios' | 'android'
  /** The blinded id of the device. */
  readonly device: string
  readonly app_version?: string
}

/** The events of a session. */
export type SessionEvent =
  | Event<
      'SessionStarted',
      {
        readonly at: string
        readonly expires_at: string
        readonly account_id: number
        /** The account's generation at that time; when it has increased, the session is over. */
        readonly generation: number
        readonly app?: AppContext
        /** The stream of the original sign-in session, if this session was created by refreshing. */
        readonly origin?: StreamName
        /** When the original sign-in was, if this session was created by refreshing; absent in sessions of before this counted. */
        readonly signed_in_at?: string
      }
    >
  | Event<'SessionEnded', { readonly at: string; readonly reason: 'logout' | 'refresh' }>

/** The account of an identity at an identity provider, for all apps; the last one counts, because earlier ones were erased. */
export type BindingEvent = Event<'BindingMade', { readonly at: string; readonly account_id: number }>

function typesOf<Type extends string>(types: Readonly<Record<Type, true>>): readonly string[] {
  return Object.keys(types)
}

/** The event types of businesses, accounts, credentials, sessions and bindings, by stream category. */
export const accountEventTypes = {
  business: typesOf<BusinessEvent['type']>({
    BusinessOpened: true,
    BusinessModuleSet: true,
    BusinessBrandSet: true,
    BusinessLogoSet: true,
    BusinessLogoRemoved: true,
    BusinessBrandRemoved: true,
  }),
  account: eventTypesOf(accountTable),
  credential: typesOf<CredentialEvent['type']>({
    CredentialIssued: true,
    CredentialRenewed: true,
    CredentialErased: true,
  }),
  session: typesOf<SessionEvent['type']>({ SessionStarted: true, SessionEnded: true }),
  binding: typesOf<BindingEvent['type']>({ BindingMade: true }),
}
