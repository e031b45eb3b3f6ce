import type { EventBase } from '../../entity/machine.ts'
import type { Family, Module, ModuleState, OpeningHours, Role } from '../../kernel/account.ts'
import type { Event } from '../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../kernel/event-shape.ts'
import type { LabelDpi, LabelSize } from '../../kernel/printed-label.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { BrandEvent } from './brand/brand.ts'
import type { StaffRoleEvent } from './roles/role.ts'

/** Whose accounts of a business need a second factor to sign in. */
export interface SecondFactorRule {
  readonly required_of: 'nobody' | 'staff'
  /** The first instant at which a sign-in needs one (ISO 8601, UTC); at once if absent. */
  readonly required_from?: string
}

/** What may change of a business. */
export interface BusinessChange {
  readonly name?: string
  /** IANA name. */
  readonly time_zone?: string
  readonly opening_hours?: OpeningHours
  readonly label_size?: LabelSize
  readonly label_dpi?: LabelDpi
}

/** The events of a business. */
export type BusinessEvent =
  | BrandEvent
  | StaffRoleEvent
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
  /** What changed of it; opening hours are replaced as a whole. */
  | Event<'BusinessChanged', EventBase & { readonly business_id: number } & BusinessChange>
  /** Whose accounts need a second factor. */
  | Event<'BusinessSecondFactorSet', EventBase & SecondFactorRule & { readonly business_id: number }>
  | Event<
      'BusinessModuleSet',
      EventBase & { readonly business_id: number; readonly module: Module; readonly state: ModuleState }
    >

  /** An admin has disabled another one or made it an employee. That they are in one stream, one after the other, keeps one of them. */
  | Event<'BusinessAdminRemoved', EventBase & { readonly business_id: number; readonly account_id: number }>

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
        /** Its person is to set the first password. */
        readonly is_invited?: true
        /** Its person has registered, and cannot sign in until the business enables the account. */
        readonly awaits_approval?: true
        readonly staff_role_id?: number
        readonly personal?: { readonly name: string; readonly email: string; readonly phone?: string }
      }
    >
  /** An account that no person signs in to: it has no address and no password, and calls with its API keys alone. */
  | Event<
      'ServiceAccountOpened',
      OneAccountEventBase & {
        readonly business_id: number
        readonly role: Role
        readonly staff_role_id?: number
        readonly personal?: { readonly name: string }
      }
    >
  | Event<'AccountDisabled' | 'AccountEnabled', OneAccountEventBase>
  | Event<'AccountRenamed', OneAccountEventBase & { readonly personal?: { readonly name: string } }>
  /** The account has no staff role after it. */
  | Event<'AccountRoleChanged', OneAccountEventBase & { readonly role: Role }>
  /** Null takes the staff role away. */
  | Event<'AccountStaffRoleSet', OneAccountEventBase & { readonly staff_role_id: number | null }>
  /** What it tells of the person was erased. Nobody can sign in to it any more. */
  | Event<'AccountErased', OneAccountEventBase>
  /** Ends all earlier sessions. */
  | Event<'PasswordChanged', OneAccountEventBase>
  /** A password is no longer enough, or is enough again. Ends all earlier sessions. */
  | Event<'SecondFactorTurnedOn' | 'SecondFactorTurnedOff', OneAccountEventBase>
  /** The account has another email address, and so another credential. Ends all earlier sessions. */
  | Event<
      'EmailChanged',
      OneAccountEventBase & { readonly credential: string; readonly personal?: { readonly email: string } }
    >
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

/** Where a session was begun, and by which program: it tells something of a person. */
export interface SessionPlace {
  /** The address or network of the request. */
  readonly source?: string
  /** What the program calls itself (`User-Agent`). */
  readonly program?: string
}

/** The single sign-on by which a session began. */
export interface SignOnOrigin {
  readonly issuer: string
  /** The blinded `sid` of the session at the provider. */
  readonly session?: string
}

/** Why a session ended. */
export type SessionEnd = 'logout' | 'refresh' | 'ended_by_owner' | 'ended_by_provider'

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
        readonly sign_on?: SignOnOrigin
        readonly personal?: SessionPlace
      }
    >
  | Event<'SessionEnded', { readonly at: string; readonly reason: SessionEnd }>
  /** Where it was begun was erased, with the person of its account. */
  | Event<'SessionErased', { readonly at: string }>

/** The account of an identity at an identity provider, for all apps; the last one counts, because earlier ones were erased. */
export type BindingEvent = Event<'BindingMade', { readonly at: string; readonly account_id: number }>

const business: ShapesOf<BusinessEvent> = {
  BusinessBrandSet: { ...stamped, name: 'text', accent_color: 'text?', website_url: 'text?', support_url: 'text?' },
  BusinessLogoSet: { ...stamped, file: 'text', width: 'number', height: 'number' },
  BusinessLogoRemoved: stamped,
  BusinessBrandRemoved: stamped,
  StaffRoleSet: {
    ...stamped,
    role_id: 'number',
    preset: 'text?',
    scopes: 'list?',
    operations: 'list?',
    read_only: 'flag?',
    name: 'text',
  },
  StaffRoleDeleted: { ...stamped, role_id: 'number' },
  BusinessOpened: { ...stamped, business_id: 'number', name: 'text', time_zone: 'text', currency: 'text' },
  BusinessChanged: {
    ...{ ...stamped, business_id: 'number', name: 'text?', time_zone: 'text?', opening_hours: 'object?' },
    ...{ label_size: 'text?', label_dpi: 'number?' },
  },
  BusinessSecondFactorSet: { ...stamped, required_of: 'text', required_from: 'text?', business_id: 'number' },
  BusinessModuleSet: { ...stamped, business_id: 'number', module: 'text', state: 'text' },
  BusinessAdminRemoved: { ...stamped, business_id: 'number', account_id: 'number' },
}

const account: ShapesOf<AccountEvent> = {
  AccountOpened: {
    ...stamped,
    account_id: 'number',
    business_id: 'number',
    role: 'text',
    credential: 'text',
    is_invited: 'flag?',
    awaits_approval: 'flag?',
    staff_role_id: 'number?',
  },
  ServiceAccountOpened: {
    ...stamped,
    account_id: 'number',
    business_id: 'number',
    role: 'text',
    staff_role_id: 'number?',
  },
  AccountDisabled: { ...stamped, account_id: 'number' },
  AccountEnabled: { ...stamped, account_id: 'number' },
  AccountRenamed: { ...stamped, account_id: 'number' },
  AccountRoleChanged: { ...stamped, account_id: 'number', role: 'text' },
  AccountStaffRoleSet: { ...stamped, account_id: 'number', staff_role_id: 'number or null' },
  AccountErased: { ...stamped, account_id: 'number' },
  PasswordChanged: { ...stamped, account_id: 'number' },
  SecondFactorTurnedOn: { ...stamped, account_id: 'number' },
  SecondFactorTurnedOff: { ...stamped, account_id: 'number' },
  EmailChanged: { ...stamped, account_id: 'number', credential: 'text' },
  AccountModuleSet: { ...stamped, account_id: 'number', module: 'text', state: 'text' },
  HiddenPricesSet: { ...stamped, account_id: 'number', families: 'list' },
  IdentityBound: { ...stamped, account_id: 'number', issuer: 'text', binding: 'text' },
}

const credential: ShapesOf<CredentialEvent> = {
  CredentialIssued: { at: 'text', account_id: 'number' },
  CredentialRenewed: { at: 'text', account_id: 'number' },
  CredentialErased: { at: 'text', account_id: 'number' },
}

const session: ShapesOf<SessionEvent> = {
  SessionStarted: {
    at: 'text',
    expires_at: 'text',
    account_id: 'number',
    generation: 'number',
    app: 'object?',
    origin: 'text?',
    signed_in_at: 'text?',
    sign_on: 'object?',
  },
  SessionEnded: { at: 'text', reason: 'text' },
  SessionErased: { at: 'text' },
}

const binding: ShapesOf<BindingEvent> = {
  BindingMade: { at: 'text', account_id: 'number' },
}

/** The shapes of the events of businesses, accounts, credentials, sessions and bindings, by stream category. */
export const accountEventShapes = { business, account, credential, session, binding }
